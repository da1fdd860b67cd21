"""Hands QGIS layers to the engine as files.

Any layer works: GeoPackage, memory, filtered, joined, selected features only, another CRS. What the engine can read
itself is passed by path; everything else is written to the run's temporary folder. Layers keep their own CRS (the engine
reprojects).
"""

from __future__ import annotations

import shutil
from pathlib import Path

from qgis.core import (
    Qgis,
    QgsCoordinateReferenceSystem,
    QgsFeatureIterator,
    QgsFeatureRequest,
    QgsFields,
    QgsProcessingFeatureSource,
    QgsProject,
    QgsRaster,
    QgsRasterFileWriter,
    QgsRasterLayer,
    QgsRasterPipe,
    QgsUnitTypes,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsVectorLayerFeatureSource,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QMetaType, QVariant

from .i18n import tr

#: Larger rasters are used where they are.
COPY_LIMIT = 500_000_000
#: Providers that deliver pictures, and how the first band of a picture is marked.
MAP_SERVICES = ("wms", "arcgismapserver", "vectortile")
_COLOURS = Qgis.RasterColorInterpretation if hasattr(Qgis, "RasterColorInterpretation") else QgsRaster.ColorInterpretation
PICTURE_BANDS = (_COLOURS.RedBand, _COLOURS.PaletteIndex)
#: Types of attributes under the name this QGIS wants.
FIELD_TYPES = QMetaType.Type if Qgis.versionInt() >= 33800 else QVariant


class Unusable(Exception):
    """A layer the engine cannot use; the text is one sentence that says why and what to do."""


def crs_text(crs: QgsCoordinateReferenceSystem) -> str:
    """`EPSG:2056`, or WKT for a CRS without a code."""
    return crs.authid() if crs.authid().startswith("EPSG:") else crs.toWkt()


def check_heights(layer: QgsRasterLayer) -> None:
    """Refuses what is no raster of heights."""
    name = layer.name()
    if not layer.isValid():
        raise Unusable(tr("The DEM “{}” is not valid: its file may have moved.").format(name))
    if layer.providerType() in MAP_SERVICES or layer.dataProvider().colorInterpretation(1) in PICTURE_BANDS:
        raise Unusable(tr("“{}” is a picture, not a raster of heights. Choose a DEM.").format(name))


def check_dem(layer: QgsRasterLayer) -> None:
    """Refuses also a DEM that has no CRS or lies in degrees, and says what to do."""
    check_heights(layer)
    name = layer.name()
    if not layer.crs().isValid():
        raise Unusable(
            tr(
                "The DEM “{}” has no coordinate reference system. Set it in the layer's properties, or say it in "
                "“Prepare project area”."
            ).format(name)
        )
    if layer.crs().isGeographic():
        raise Unusable(
            tr(
                "The DEM “{}” is in degrees ({}); rocks fall in metres. Bring it to a metric CRS with “Prepare project area”."
            ).format(name, layer.crs().authid())
        )
    if layer.crs().mapUnits() != QgsUnitTypes.DistanceUnit.DistanceMeters:
        raise Unusable(
            tr("The DEM “{}” is not in metres ({}). Bring it to a metric CRS with “Prepare project area”.").format(
                name, QgsUnitTypes.toString(layer.crs().mapUnits())
            )
        )


def raster_file(layer: QgsRasterLayer, folder: Path, name: str, keep: bool = False) -> Path:
    """A file with the raster: its own where GDAL reads one, else a GeoTIFF in `folder`.

    With `keep`, a GeoTIFF of reasonable size is copied too, so that the folder can be passed on.
    """
    source = Path(layer.source().split("|")[0])
    own_crs = QgsRasterLayer(str(source), "probe").crs() if source.is_file() else None
    if layer.dataProvider().name() == "gdal" and own_crs is not None and own_crs == layer.crs():
        return _copied(source, folder / f"{name}.tif", layer) if keep else source
    target = folder / f"{name}.tif"
    provider = layer.dataProvider()
    pipe = QgsRasterPipe()
    if not pipe.set(provider.clone()):
        raise Unusable(tr("The raster layer “{}” cannot be read.").format(layer.name()))
    writer = QgsRasterFileWriter(str(target))
    writer.setOutputFormat("GTiff")
    error = writer.writeRaster(
        pipe,
        provider.xSize(),
        provider.ySize(),
        provider.extent(),
        layer.crs(),
        QgsProject.instance().transformContext(),
    )
    # A number in Qt5, an enum with a value in Qt6; 0 is success in all versions.
    if getattr(error, "value", error) != 0:
        raise Unusable(tr("The raster layer “{}” could not be written to {}.").format(layer.name(), target))
    return target


def _copied(source: Path, target: Path, layer: QgsRasterLayer) -> Path:
    """A copy that reads the same; the source itself if it is large or needs files beside it."""
    if source.suffix.lower() not in (".tif", ".tiff") or source.stat().st_size > COPY_LIMIT:
        return source
    shutil.copyfile(source, target)
    copy = QgsRasterLayer(str(target), "copy")
    if copy.isValid() and copy.crs() == layer.crs() and copy.extent() == layer.extent():
        return target
    target.unlink()
    return source


class Snapshot:
    """A vector layer as it is now (filter, joins, unsaved edits), to be read on another thread."""

    def __init__(self, layer: QgsVectorLayer) -> None:
        self._source = QgsVectorLayerFeatureSource(layer)
        self._name, self._crs, self._fields = layer.name(), layer.crs(), layer.fields()
        self._kind, self._count = layer.wkbType(), layer.featureCount()

    def sourceName(self) -> str:
        return self._name

    def sourceCrs(self) -> QgsCoordinateReferenceSystem:
        return self._crs

    def fields(self) -> QgsFields:
        return self._fields

    def wkbType(self) -> QgsWkbTypes.Type:
        return self._kind

    def featureCount(self) -> int:
        return self._count

    def getFeatures(self) -> QgsFeatureIterator:
        return self._source.getFeatures(QgsFeatureRequest())


def vector_file(
    source: QgsProcessingFeatureSource | QgsVectorLayer | Snapshot, folder: Path, name: str, label: str | None = None
) -> Path:
    """The features of a layer or Processing source, as they are in QGIS now, as a GeoPackage."""
    label = label or source.sourceName()
    crs = source.sourceCrs()
    if not crs.isValid() and source.featureCount() <= 0:
        raise Unusable(tr("The layer “{}” is not valid: its file may have moved.").format(label))
    if not crs.isValid():
        raise Unusable(tr("The layer “{}” has no coordinate reference system. Set it in the layer's properties.").format(label))
    target = folder / f"{name}.gpkg"
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = "GPKG"
    options.layerName = name
    fields = source.fields()
    # A source attribute called fid would clash with the GeoPackage's own key.
    options.layerOptions = ["FID=_fid"]
    writer = QgsVectorFileWriter.create(
        str(target), fields, source.wkbType(), crs, QgsProject.instance().transformContext(), options
    )
    if writer.hasError() != QgsVectorFileWriter.WriterError.NoError:
        raise Unusable(tr("The layer “{}” could not be written: {}.").format(label, writer.errorMessage()))
    count = 0
    for feature in source.getFeatures():
        if feature.hasGeometry():
            if not writer.addFeature(feature):
                raise Unusable(tr("The layer “{}” could not be written: {}.").format(label, writer.errorMessage()))
            count += 1
    del writer
    if count == 0:
        raise Unusable(tr("The layer “{}” has no features (is a filter or an empty selection active?).").format(label))
    return target
