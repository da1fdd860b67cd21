"""Classify hazard: intensity maps and hazard zones from a finished run."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingFeedback

from .. import results
from ..errors import Unusable
from ..i18n import tr
from .base import CouloirAlgorithm, temporary_folder
from .parameters import Values


class ClassifyHazard(CouloirAlgorithm):
    ID = "classify"

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        folder = results.read(values["RUN"]).folder
        with temporary_folder() as scratch:
            arguments = ["classify", str(folder), *values.options(scratch)]
        arguments += ["--scheme", str(values["SCHEME_FILE"] or values["SCHEME"])]
        for part in filter(None, (part.strip() for part in values["SCENARIO_YEARS"].split(";"))):
            if "=" not in part:
                raise Unusable(tr("“{}”: write a scenario and its years as name=300.").format(part))
            arguments += ["--scenario-years", part]
        self.run_engine(arguments, feedback)
        run = results.read(folder)
        if values["LOAD"]:
            self.load = lambda project: results.load_classification(run, project)
        return {"OUTPUT": str(run.variants[0][1] / "classification")}
