"""Find release areas: steep parts of the DEM, optionally only in certain geology, as polygons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import (
    QgsFeature,
    QgsFeatureSink,
    QgsGeometry,
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterNumber,
    QgsProcessingParameterRasterLayer,
    QgsVectorLayer,
    QgsWkbTypes,
)

from ..export import check_dem, raster_file, vector_file
from .base import CouloirAlgorithm, advanced

POLYGON = QgsProcessing.SourceType.TypeVectorPolygon


class FindReleaseAreas(CouloirAlgorithm):
    ID = "release"
    ICON = "release"

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
        with self.temporary_folder() as folder:
            found = folder / "release.gpkg"
            arguments = ["release", "find", str(raster_file(dem, folder, "dem")), "--out", str(found), "--min-slope"]
            arguments += [str(self.parameterAsDouble(parameters, "SLOPE", context)), "--min-area", str(smallest)]
            geology = self.parameterAsSource(parameters, "GEOLOGY", context)
            if geology is not None:
                arguments += ["--only", str(vector_file(geology, folder, "geology"))]
            self.run_engine(arguments, feedback)
            simplify = self.parameterAsDouble(parameters, "SIMPLIFY", context)
            return {"OUTPUT": self._write(found, simplify, parameters, context, feedback)}

    def _write(
        self, found: Path, simplify: float, parameters: dict[str, Any], context: QgsProcessingContext,
        feedback: QgsProcessingFeedback,
    ) -> str:  # fmt: skip
        layer = QgsVectorLayer(str(found), "release", "ogr")
        fields = layer.fields()
        fields.remove(fields.indexFromName("fid"))
        kind = QgsWkbTypes.Type.MultiPolygon
        sink, identifier = self.parameterAsSink(parameters, "OUTPUT", context, fields, kind, layer.crs())
        for row in layer.getFeatures():
            shape: QgsGeometry = row.geometry()
            if simplify > 0:
                shape = shape.simplify(simplify).makeValid()
            shape.convertToMultiType()
            feature = QgsFeature(fields)
            feature.setGeometry(shape)
            feature.setAttributes([row[name] for name in fields.names()])
            sink.addFeature(feature, QgsFeatureSink.Flag.FastInsert)
        feedback.pushInfo(self.tr("{} release areas found.").format(layer.featureCount()))
        return identifier
