"""Run rockfall simulation: from a project file, or straight from layers."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import QgsProcessingFeedback

from .. import fields, project_form, results
from ..errors import EngineError, Unusable
from ..export import check_dem, raster_file, vector_file
from ..i18n import tr
from ..run_folders import new_run
from .base import CouloirAlgorithm
from .parameters import FEATURES, Values


class RunSimulation(CouloirAlgorithm):
    ID = "run"

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        out, overwrite = values["OUTPUT"], values["OVERWRITE"]
        with new_run(out, overwrite) as (inputs, run):
            project = values["PROJECT"] or self._project(values, inputs, feedback)
            arguments = ["run", str(project), "--out", str(run), "--progress", "json", *values.options(inputs)]
            if overwrite and run.exists():
                arguments.append("--overwrite")
            try:
                said = self.run_engine(arguments, feedback).warnings
            except EngineError as error:
                if values["PROJECT"]:
                    raise
                raise type(error)(project_form.readable(str(error), project), error.log) from None
            for warning in results.read(run).warnings:
                if warning not in said:
                    feedback.pushWarning(warning)
        if values["LOAD"]:
            self.load = lambda project: results.load(results.read(run), project)
        return {"OUTPUT": str(out), "RUN": str(run), "REPORT": str(run / "report.html")}

    def _project(self, values: Values, folder: Path, feedback: QgsProcessingFeedback) -> Path:
        """Exports the layers and writes a project file as the panel would."""
        dem = values["DEM"]
        if dem is None or values["RELEASE"] is None:
            raise Unusable(tr("Give a project file, or a DEM and release areas."))
        check_dem(dem)
        folder.mkdir(parents=True)
        layers, given = {"dem": str(raster_file(dem, folder, "dem"))}, {}
        for field in fields.FIELDS:
            value = values[field.key] if field.key else None
            if value is None or field.kind == "raster":
                continue
            if field.kind in FEATURES:
                layers[field.name] = str(vector_file(value, folder, field.name))
                if field.name in ("ground", "forest") and not values[f"{field.key}_FIELD"]:
                    raise Unusable(tr("Choose the attribute that holds the class of “{}”.").format(value.sourceName()))
            else:
                given[field.name] = str(value) if field.kind == "file" else value
        given["title"] = given["title"] or dem.name()
        given["trajectory_formats"] = values["FORMATS"] or ["geopackage"]
        given["statistics"] = [values["STATISTICS"]] if values["STATISTICS"] else []
        return project_form.write(folder, {"values": given, "layers": layers}, feedback, copy=True)
