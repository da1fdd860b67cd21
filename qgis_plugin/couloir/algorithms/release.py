"""Find release areas: steep parts of the DEM, optionally only in certain geology, as polygons."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis import core
from qgis.core import QgsProcessingFeedback, QgsVectorLayer

from ..export import check_dem, raster_file
from ..i18n import tr
from .base import CouloirAlgorithm, temporary_folder
from .parameters import Values


class FindReleaseAreas(CouloirAlgorithm):
    ID = "release"

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        dem = values["DEM"]
        check_dem(dem)
        with temporary_folder() as folder:
            found = folder / "release.gpkg"
            arguments = ["release", "find", str(raster_file(dem, folder, "dem")), "--out", str(found)]
            self.run_engine([*arguments, *values.options(folder)], feedback)
            return {"OUTPUT": self._write(found, values, feedback)}

    def _write(self, found: Path, values: Values, feedback: QgsProcessingFeedback) -> str:
        simplify = values["SIMPLIFY"]
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
        feedback.pushInfo(tr("{} release areas found.").format(layer.featureCount()))
        return identifier
