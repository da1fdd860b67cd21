"""Barrier report: what crosses a line, and what a barrier there must withstand, as a sheet to print."""

from __future__ import annotations

import shutil
from typing import Any

from qgis.core import QgsProcessingFeedback

from .. import project_form, results
from ..errors import Unusable
from ..export import vector_file
from ..i18n import tr
from ..run_folders import new_run
from .base import CouloirAlgorithm
from .parameters import Values


class BarrierReport(CouloirAlgorithm):
    ID = "barrier"

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        run, found = results.read(values["RUN"]), {}
        if values["LINE"] is not None:
            run = self._run_with_line(run, values, feedback)
            found["NEW_RUN_FOLDER"] = str(run.folder)
        page = run.folder / "barrier_sheet.html"
        if not page.is_file():
            raise Unusable(tr("“{}” recorded no lines or barriers. Give a line layer to record.").format(run.folder))
        shutil.copyfile(page, values["OUTPUT"])
        return {**found, "OUTPUT": str(values["OUTPUT"])}

    def _run_with_line(self, run: results.Run, values: Values, feedback: QgsProcessingFeedback) -> results.Run:
        if values["NEW_RUN"] is None:
            raise Unusable(tr("Choose a folder for the new run."))
        height, capacity = values["HEIGHT"], values["CAPACITY"]
        if (height is None) != (capacity is None):
            raise Unusable(tr("A barrier needs both a height and a capacity; without both the line is only recorded."))
        name = values["NAME"] or tr("planned barrier")
        with new_run(values["NEW_RUN"]) as (inputs, target):
            form = project_form.read(run.folder)
            for changed in form["changed_inputs"]:
                feedback.pushWarning(tr("“{}” has changed since the run; the rocks may fall otherwise.").format(changed))
            inputs.mkdir(parents=True)
            file = vector_file(values["LINE"], inputs, "line", name)
            line = {"name": name, "file": str(file), "height_m": height, "capacity_kj": capacity}
            project = project_form.write(inputs, {"new_lines": [line]}, feedback, run.folder, copy=True)
            limit = ["--limit", str(form["limited_to"])] if form["limited_to"] else []
            self.run_engine(["run", str(project), "--out", str(target), "--progress", "json", *limit], feedback)
        return results.read(target)
