"""Find release areas: steep parts of the DEM, optionally only in certain geology, as polygons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from osgeo import gdal, ogr, osr
from qgis import processing
from qgis.core import (
    QgsFeature,
    QgsFeatureSink,
    QgsField,
    QgsFields,
    QgsGeometry,
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingMultiStepFeedback,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterLayer,
    QgsProcessingUtils,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsWkbTypes,
)

from .. import engine
from ..export import FIELD_TYPES, Unusable, check_dem, raster_file, vector_file
from .base import CouloirAlgorithm, advanced

POLYGON = QgsProcessing.SourceType.TypeVectorPolygon
STEPS = 5


class FindReleaseAreas(CouloirAlgorithm):
    ID = "release"
    ICON = "release"
    NEEDS_ENGINE = False

    def title(self) -> str:
        return self.tr("Find release areas")

    def help(self) -> str:
        return self.tr(
            "Polygons where the DEM is steeper than a threshold (°): a first guess at cliffs that release rocks, to be checked "
            "in the field. The threshold depends on the cell size: on a coarse DEM cliffs look flatter (about 55° at 1 m, "
            "49° at 5 m, 46° at 10 m).\n\n"
            "With geology polygons only what lies in them counts: filter or select the rock units that release rocks. Areas "
            "smaller than the smallest area (m²) are dropped and holes smaller than it are closed. Each polygon gets its "
            "area (m²) and its mean and largest slope (°)."
        )

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        tr, real = self.tr, QgsProcessingParameterNumber.Type.Double
        self.addParameter(QgsProcessingParameterRasterLayer("DEM", tr("Elevation model (DEM)")))
        self.addParameter(
            QgsProcessingParameterNumber("SLOPE", tr("Steeper than (°)"), real, 45.0, minValue=1.0, maxValue=89.0)
        )
        self.addParameter(QgsProcessingParameterNumber("MIN_AREA", tr("Smallest area (m²)"), real, 50.0, minValue=0.0))
        self.addParameter(
            QgsProcessingParameterFeatureSource("GEOLOGY", tr("Only in these geology polygons"), [POLYGON], optional=True)
        )
        self.addParameter(
            advanced(QgsProcessingParameterNumber("SIMPLIFY", tr("Smooth outlines by up to (m)"), real, 0.0, minValue=0.0))
        )
        self.addParameter(QgsProcessingParameterFeatureSink("OUTPUT", tr("Release areas"), POLYGON))

    def compute(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        dem = self.parameterAsRasterLayer(parameters, "DEM", context)
        check_dem(dem)
        smallest = self.parameterAsDouble(parameters, "MIN_AREA", context)
        steps = QgsProcessingMultiStepFeedback(STEPS, feedback)
        with self.temporary_folder() as folder:
            source = str(raster_file(dem, folder, "dem"))
            slope = str(folder / "slope.tif")
            self._tool("native:slope", {"INPUT": source, "Z_FACTOR": 1.0, "OUTPUT": slope}, context, steps, 0)
            areas = self._polygons(slope, self.parameterAsDouble(parameters, "SLOPE", context), folder, context, steps)
            geology = self.parameterAsSource(parameters, "GEOLOGY", context)
            if geology is not None and areas is not None:
                mask = str(vector_file(geology, folder, "geology"))
                areas = self._tool("native:fixgeometries", {"INPUT": areas}, context, steps, 2)
                mask = self._tool("native:fixgeometries", {"INPUT": mask}, context, steps, 2)
                areas = self._tool("native:clip", {"INPUT": areas, "OVERLAY": mask}, context, steps, 2)
                areas = self._tool("native:multiparttosingleparts", {"INPUT": areas}, context, steps, 2)
            if areas is not None and smallest > 0:
                areas = self._tool("native:deleteholes", {"INPUT": areas, "MIN_AREA": smallest}, context, steps, 3)
            if areas is not None:
                # Rings of cells that meet at corners only cross themselves.
                areas = self._tool("native:fixgeometries", {"INPUT": areas}, context, steps, 3)
                areas = self._tool(
                    "native:zonalstatisticsfb",
                    {"INPUT": areas, "INPUT_RASTER": slope, "RASTER_BAND": 1, "COLUMN_PREFIX": "slope_", "STATISTICS": [2, 6]},
                    context,
                    steps,
                    4,
                )
            simplify = self.parameterAsDouble(parameters, "SIMPLIFY", context)
            return {"OUTPUT": self._write(areas, dem, smallest, simplify, parameters, context, feedback)}

    def _tool(
        self, name: str, values: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingMultiStepFeedback,
        step: int,
    ) -> Any:  # fmt: skip
        if feedback.isCanceled():
            raise engine.Cancelled(self.tr("Cancelled."))
        feedback.setCurrentStep(step)
        values = {"OUTPUT": QgsProcessing.TEMPORARY_OUTPUT, **values}
        return processing.run(name, values, context=context, feedback=feedback, is_child_algorithm=True)["OUTPUT"]

    def _polygons(
        self, slope: str, threshold: float, folder: Path, context: QgsProcessingContext,
        feedback: QgsProcessingMultiStepFeedback,
    ) -> str | None:  # fmt: skip
        """Connected cells above the threshold; None if there are none."""
        steep = str(folder / "steep.tif")
        self._tool(
            "native:reclassifybytable",
            {
                "INPUT_RASTER": slope,
                "RASTER_BAND": 1,
                "TABLE": [str(threshold), "", "1"],
                "NO_DATA": 0,
                "RANGE_BOUNDARIES": 0,
                "NODATA_FOR_MISSING": True,
                "DATA_TYPE": 0,
                "OUTPUT": steep,
            },
            context,
            feedback,
            1,
        )
        raster = gdal.Open(steep)
        band = raster.GetRasterBand(1)
        crs = osr.SpatialReference()
        crs.ImportFromWkt(raster.GetProjection())
        target = folder / "steep.gpkg"
        vector = ogr.GetDriverByName("GPKG").CreateDataSource(str(target))
        layer = vector.CreateLayer("steep", crs, ogr.wkbPolygon)
        # Cells that touch at a corner belong together.
        gdal.Polygonize(band, band.GetMaskBand(), layer, -1, ["8CONNECTED=8"])
        found = layer.GetFeatureCount()
        del layer, vector, band, raster
        return str(target) if found else None

    def _write(
        self, areas: Any, dem: QgsRasterLayer, smallest: float, simplify: float, parameters: dict[str, Any],
        context: QgsProcessingContext, feedback: QgsProcessingFeedback,
    ) -> str:  # fmt: skip
        fields = QgsFields()
        fields.append(QgsField("id", FIELD_TYPES.Int))
        for name in ("area_m2", "slope_mean_deg", "slope_max_deg"):
            fields.append(QgsField(name, FIELD_TYPES.Double))
        kind = QgsWkbTypes.Type.MultiPolygon
        sink, identifier = self.parameterAsSink(parameters, "OUTPUT", context, fields, kind, dem.crs())
        layer = QgsProcessingUtils.mapLayerFromString(areas, context) if areas is not None else None
        kept = 0
        if isinstance(layer, QgsVectorLayer):
            for row in sorted(layer.getFeatures(), key=lambda feature: -feature.geometry().area()):
                shape: QgsGeometry = row.geometry()
                if shape.area() < smallest:
                    break
                if simplify > 0:
                    shape = shape.simplify(simplify)
                shape = shape.makeValid()
                shape.convertToMultiType()
                kept += 1
                feature = QgsFeature(fields)
                feature.setGeometry(shape)
                mean, largest = row["slope_mean"], row["slope_max"]
                feature.setAttributes(
                    [kept, round(shape.area(), 1), *(None if v is None else round(float(v), 1) for v in (mean, largest))]
                )
                sink.addFeature(feature, QgsFeatureSink.Flag.FastInsert)
        if kept == 0:
            raise Unusable(
                self.tr("No part of “{}” is that steep and that large; lower the threshold or the smallest area.").format(
                    dem.name()
                )
            )
        feedback.pushInfo(self.tr("{} release areas found.").format(kept))
        return identifier
