"""Hands QGIS layers to the engine as files.

Any layer works: GeoPackage, memory, filtered, joined, selected features only, another CRS. What the engine can read
itself is passed by path; everything else is written to the run's temporary folder. Layers keep their own CRS (the engine
reprojects).
"""

from __future__ import annotations

from pathlib import Path

from qgis import core
from qgis.PyQt.QtCore import QMetaType, QVariant

from .errors import Unusable
from .i18n import tr

#: Providers that deliver pictures, and how the first band of a picture is marked.
MAP_SERVICES = ("wms", "arcgismapserver", "vectortile")
_COLOURS = (
    core.Qgis.RasterColorInterpretation
    if hasattr(core.Qgis, "RasterColorInterpretation")
    else core.QgsRaster.ColorInterpretation
)
PICTURE_BANDS = (_COLOURS.RedBand, _COLOURS.PaletteIndex)
#: Types of attributes under the name this QGIS wants.
FIELD_TYPES = QMetaType.Type if core.Qgis.versionInt() >= 33800 else QVariant


def crs_text(crs: core.QgsCoordinateReferenceSystem) -> str:
    """`EPSG:2056`, or WKT for a CRS without a code."""
    return crs.authid() if crs.authid().startswith("EPSG:") else crs.toWkt()


def check_heights(layer: core.QgsRasterLayer) -> None:
    """Refuses what is no raster of heights."""
    name = layer.name()
    if not layer.isValid():
        raise Unusable(tr("The DEM “{}” is not valid: its file may have moved.").format(name))
    if layer.providerType() in MAP_SERVICES or layer.dataProvider().colorInterpretation(1) in PICTURE_BANDS:
        raise Unusable(tr("“{}” is a picture, not a raster of heights. Choose a DEM.").format(name))


def check_dem(layer: core.QgsRasterLayer) -> None:
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
    if layer.crs().mapUnits() != core.QgsUnitTypes.DistanceUnit.DistanceMeters:
        raise Unusable(
            tr("The DEM “{}” is not in metres ({}). Bring it to a metric CRS with “Prepare project area”.").format(
                name, core.QgsUnitTypes.toString(layer.crs().mapUnits())
            )
        )


def raster_file(layer: core.QgsRasterLayer, folder: Path, name: str) -> Path:
    """A file with the raster: its own where GDAL reads one, else a GeoTIFF in `folder`."""
    # qgis_process is given relative paths.
    source = Path(layer.source().split("|")[0]).absolute()
    own_crs = core.QgsRasterLayer(str(source), "probe").crs() if source.is_file() else None
    if layer.dataProvider().name() == "gdal" and own_crs is not None and own_crs == layer.crs():
        return source
    target, provider, pipe = folder / f"{name}.tif", layer.dataProvider(), core.QgsRasterPipe()
    if not pipe.set(provider.clone()):
        raise Unusable(tr("The raster layer “{}” cannot be read.").format(layer.name()))
    writer = core.QgsRasterFileWriter(str(target))
    writer.setOutputFormat("GTiff")
    transforms = core.QgsProject.instance().transformContext()
    error = writer.writeRaster(pipe, provider.xSize(), provider.ySize(), provider.extent(), layer.crs(), transforms)
    # A number in Qt5, an enum with a value in Qt6; 0 is success in all versions.
    if getattr(error, "value", error) != 0:
        raise Unusable(tr("The raster layer “{}” could not be written to {}.").format(layer.name(), target))
    return target


class Snapshot:
    """A vector layer as it is now (filter, joins, unsaved edits), to be read on another thread."""

    def __init__(self, layer: core.QgsVectorLayer) -> None:
        self._source = core.QgsVectorLayerFeatureSource(layer)
        self._name, self._crs, self._fields = layer.name(), layer.crs(), layer.fields()
        self._kind, self._count = layer.wkbType(), layer.featureCount()
        file = Path(layer.source().split("|")[0])
        #: Changes with the layer, so that a check need not write it anew.
        self.state = (
            layer.id(), layer.source(), layer.subsetString(), self._crs.toWkt(), self._count, layer.extent().toString(),
            layer.undoStack().index(), layer.fields().names(), file.stat().st_mtime_ns if file.is_file() else 0,
        )  # fmt: skip

    def sourceName(self) -> str:
        return self._name

    def sourceCrs(self) -> core.QgsCoordinateReferenceSystem:
        return self._crs

    def fields(self) -> core.QgsFields:
        return self._fields

    def wkbType(self) -> core.QgsWkbTypes.Type:
        return self._kind

    def featureCount(self) -> int:
        return self._count

    def getFeatures(self) -> core.QgsFeatureIterator:
        return self._source.getFeatures(core.QgsFeatureRequest())


def vector_file(
    source: core.QgsProcessingFeatureSource | core.QgsVectorLayer | Snapshot, folder: Path, name: str, label: str | None = None
) -> Path:
    """The features of a layer or Processing source, as they are in QGIS now, as a GeoPackage."""
    label = label or source.sourceName()
    crs = source.sourceCrs()
    if not crs.isValid() and source.featureCount() <= 0:
        raise Unusable(tr("The layer “{}” is not valid: its file may have moved.").format(label))
    if not crs.isValid():
        raise Unusable(tr("The layer “{}” has no coordinate reference system. Set it in the layer's properties.").format(label))
    target = folder / f"{name}.gpkg"
    options = core.QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = "GPKG"
    options.layerName = name
    fields = source.fields()
    # A source attribute called fid would clash with the GeoPackage's own key.
    options.layerOptions = ["FID=_fid"]
    writer = core.QgsVectorFileWriter.create(
        str(target), fields, source.wkbType(), crs, core.QgsProject.instance().transformContext(), options
    )
    if writer.hasError() != core.QgsVectorFileWriter.WriterError.NoError:
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
