"""Find release areas: steep parts of the DEM, optionally only in certain geology, as polygons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis import core
from qgis.core import QgsProcessingFeedback, QgsVectorLayer

from ..export import check_dem, raster_file, vector_file
from ..i18n import noop
from .base import CouloirAlgorithm
from .parameters import POLYGON, Values, advanced, features, number


class FindReleaseAreas(CouloirAlgorithm):
    ID = "release"
    TITLE = noop("Find release areas")
    HELP = noop(
        "Polygons where the DEM is steeper than a threshold (°): a first guess at cliffs that release rocks, to be checked "
        "in the field. The threshold depends on the cell size: on a coarse DEM cliffs look flatter (about 55° at 1 m, "
        "49° at 5 m, 46° at 10 m).\n\n"
        "With geology polygons only what lies in them counts: filter or select the rock units that release rocks. Areas "
        "smaller than the smallest area (m²) are dropped and holes smaller than it are closed. Each polygon gets its "
        "area (m²) and its mean and largest slope (°)."
    )

    def declare(self) -> list[Any]:
        tr = self.tr
        return [
            core.QgsProcessingParameterRasterLayer("DEM", tr("Elevation model (DEM)")),
            number("SLOPE", tr("Steeper than (°)"), 45.0, least=1.0, most=89.0),
            number("MIN_AREA", tr("Smallest area (m²)"), 50.0, least=0.0),
            features("GEOLOGY", tr("Only in these geology polygons"), POLYGON),
            advanced(number("SIMPLIFY", tr("Smooth outlines by up to (m)"), 0.0, least=0.0)),
            core.QgsProcessingParameterFeatureSink("OUTPUT", tr("Release areas"), POLYGON),
        ]

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        dem = values.raster("DEM")
        check_dem(dem)
        with self.temporary_folder() as folder:
            found = folder / "release.gpkg"
            arguments = ["release", "find", str(raster_file(dem, folder, "dem")), "--out", str(found)]
            arguments += ["--min-slope", str(values.number("SLOPE")), "--min-area", str(values.number("MIN_AREA"))]
            geology = values.source("GEOLOGY")
            if geology is not None:
                arguments += ["--only", str(vector_file(geology, folder, "geology"))]
            self.run_engine(arguments, feedback)
            return {"OUTPUT": self._write(found, values, feedback)}

    def _write(self, found: Path, values: Values, feedback: QgsProcessingFeedback) -> str:
        simplify = values.number("SIMPLIFY")
        layer = QgsVectorLayer(str(found), "release", "ogr")
        fields = layer.fields()
        fields.remove(fields.indexFromName("fid"))
        kind = core.QgsWkbTypes.Type.MultiPolygon
        sink, identifier = self.parameterAsSink(values.parameters, "OUTPUT", values.context, fields, kind, layer.crs())
        for row in layer.getFeatures():
            shape: core.QgsGeometry = row.geometry()
            if simplify > 0:
                shape = shape.simplify(simplify).makeValid()
            shape.convertToMultiType()
            feature = core.QgsFeature(fields)
            feature.setGeometry(shape)
            feature.setAttributes([row[name] for name in fields.names()])
            sink.addFeature(feature, core.QgsFeatureSink.Flag.FastInsert)
        feedback.pushInfo(self.tr("{} release areas found.").format(layer.featureCount()))
        return identifier
