"""Barrier report: what crosses a line, and what a barrier there must withstand, as a sheet to print."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from qgis import core
from qgis.core import QgsProcessingFeedback

from .. import results
from ..errors import Unusable
from ..export import vector_file
from ..i18n import noop
from ..project_file import write
from ..run_folders import new_run
from ..starting_point import origin_of
from .base import CouloirAlgorithm
from .parameters import LINE, Values, advanced, features, new_page, number, run_folder, text


class BarrierReport(CouloirAlgorithm):
    ID = "barrier"
    TITLE = noop("Barrier report")
    HELP = noop(
        "A sheet per recording line or barrier of a finished run: rocks and crossings, energy (kJ) and height (m) "
        "quantiles, the design values with every partial factor, the class of the net, and histograms.\n\n"
        "To try a line that the run did not record, give it as a layer (drawn in QGIS, selected, filtered …): the run's "
        "project is run again with this line added, into a folder of its own, with the same seed and so the same rocks. "
        "With a height (m) and a capacity (kJ) the line acts as a barrier, and the sheet shows what it held.\n\n"
        "The new folder holds the inputs, the project file with the line and the run; the earlier run stays as it is."
    )

    def declare(self) -> list[Any]:
        tr = self.tr
        new_folder = core.QgsProcessingParameterFolderDestination
        return [
            run_folder(),
            features("LINE", tr("A new line to record"), LINE),
            text("NAME", tr("Name of the new line"), tr("planned barrier")),
            new_folder("NEW_RUN", tr("Folder for the new run"), optional=True, createByDefault=False),
            advanced(number("HEIGHT", tr("Height of the new barrier (m)"), least=0.1)),
            advanced(number("CAPACITY", tr("Capacity of the new barrier (kJ)"), least=0.1)),
            new_page("OUTPUT", tr("Barrier sheet")),
            core.QgsProcessingOutputFolder("NEW_RUN_FOLDER", tr("New run")),
        ]

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        run = results.read(values.path("RUN"))
        found: dict[str, Any] = {}
        line = values.source("LINE")
        if line is not None:
            place = values.folder("NEW_RUN")
            if place is None:
                raise Unusable(self.tr("Choose a folder for the new run."))
            sizes = {"height_m": values.number("HEIGHT"), "capacity_kj": values.number("CAPACITY")}
            barrier = {key: size for key, size in sizes.items() if size is not None}
            if len(barrier) == 1:
                raise Unusable(self.tr("A barrier needs both a height and a capacity; without both the line is only recorded."))
            entry = {"name": values.text("NAME") or self.tr("planned barrier"), **barrier}
            run = self._run_with(run, line, entry, place, feedback)
            found["NEW_RUN_FOLDER"] = str(run.folder)
        page = run.folder / "barrier_sheet.html"
        if not page.is_file():
            raise Unusable(self.tr("“{}” recorded no lines or barriers. Give a line layer to record.").format(run.folder))
        target = values.target("OUTPUT")
        shutil.copyfile(page, target)
        return {**found, "OUTPUT": target}

    def _run_with(
        self, run: results.Run, line: Any, entry: dict[str, Any], place: Path, feedback: QgsProcessingFeedback
    ) -> results.Run:
        with new_run(place) as (inputs, target):
            origin = origin_of(run)
            for changed in origin.changed:
                feedback.pushWarning(self.tr("“{}” has changed since the run; the rocks may fall otherwise.").format(changed))
            inputs.mkdir(parents=True)
            file = vector_file(line, inputs, "line", entry["name"])
            section = "barriers" if "height_m" in entry else "lines"
            origin.document.setdefault(section, []).append({**entry, "source": {"file": file.as_posix()}})
            project = write(origin.document, Path(origin.base), inputs, copy=True)
            arguments = ["run", str(project), "--out", str(target), "--progress", "json"]
            if origin.limit is not None:
                arguments += ["--limit", str(origin.limit)]
            self.run_engine(arguments, feedback)
        return results.read(target)
