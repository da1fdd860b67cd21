"""Barrier report: what crosses a line, and what a barrier there must withstand, as a sheet to print."""

from __future__ import annotations

import shutil
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputFolder,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from .. import engine, rerun, results
from ..export import Unusable, vector_file
from .base import CouloirAlgorithm, advanced

LINE = QgsProcessing.SourceType.TypeVectorLine


class BarrierReport(CouloirAlgorithm):
    ID = "barrier"
    ICON = "barrier"

    def title(self) -> str:
        return self.tr("Barrier report")

    def help(self) -> str:
        return self.tr(
            "A sheet per recording line or barrier of a finished run: rocks and crossings, energy (kJ) and height (m) "
            "quantiles, the design values with every partial factor, the class of the net, and histograms.\n\n"
            "To try a line that the run did not record, give it as a layer (drawn in QGIS, selected, filtered …): the run's "
            "project is run again with this line added, into a folder of its own, with the same seed and so the same rocks. "
            "With a height (m) and a capacity (kJ) the line acts as a barrier, and the sheet shows what it held.\n\n"
            "The new folder holds the inputs, the project file with the line and the run; the earlier run stays as it is."
        )

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        tr = self.tr
        folder = QgsProcessingParameterFile.Behavior.Folder
        self.addParameter(QgsProcessingParameterFile("RUN", tr("Run folder"), behavior=folder))
        self.addParameter(QgsProcessingParameterFeatureSource("LINE", tr("A new line to record"), [LINE], optional=True))
        self.addParameter(
            QgsProcessingParameterString("NAME", tr("Name of the new line"), tr("planned barrier"), optional=True)
        )
        self.addParameter(
            QgsProcessingParameterFolderDestination(
                "NEW_RUN", tr("Folder for the new run"), optional=True, createByDefault=False
            )
        )
        real = QgsProcessingParameterNumber.Type.Double
        for key, words in (
            ("HEIGHT", tr("Height of the new barrier (m)")),
            ("CAPACITY", tr("Capacity of the new barrier (kJ)")),
        ):
            self.addParameter(advanced(QgsProcessingParameterNumber(key, words, real, None, optional=True, minValue=0.1)))
        self.addParameter(QgsProcessingParameterFileDestination("OUTPUT", tr("Barrier sheet"), self.tr("Web page (*.html)")))
        self.addOutput(QgsProcessingOutputFolder("NEW_RUN_FOLDER", tr("New run")))

    def compute(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        run = results.read(Path(self.parameterAsFile(parameters, "RUN", context)))
        found: dict[str, Any] = {}
        line = self.parameterAsSource(parameters, "LINE", context)
        if line is not None:
            place = self.parameterAsString(parameters, "NEW_RUN", context)
            if not place:
                raise Unusable(self.tr("Choose a folder for the new run."))
            name = self.parameterAsString(parameters, "NAME", context) or self.tr("planned barrier")
            barrier = {
                key: self.parameterAsDouble(parameters, option, context)
                for key, option in (("height_m", "HEIGHT"), ("capacity_kj", "CAPACITY"))
                if parameters.get(option) is not None
            }
            if len(barrier) == 1:
                raise Unusable(self.tr("A barrier needs both a height and a capacity; without both the line is only recorded."))
            run = self._run_with(run, line, {"name": name, **barrier}, Path(place), feedback)
            found["NEW_RUN_FOLDER"] = str(run.folder)
        page = Path(self.parameterAsFileOutput(parameters, "OUTPUT", context))
        shutil.copyfile(self._page(run), page)
        return {**found, "OUTPUT": str(page)}

    def _run_with(
        self, run: results.Run, line: Any, entry: dict[str, Any], place: Path, feedback: QgsProcessingFeedback
    ) -> results.Run:
        target, inputs, made = place / "run", place / "inputs", not place.exists()
        if target.exists() or inputs.exists():
            raise Unusable(self.tr("“{}” holds a run already; choose another folder.").format(place))
        try:
            origin = rerun.origin_of(run)
            for changed in origin.changed:
                feedback.pushWarning(self.tr("“{}” has changed since the run; the rocks may fall otherwise.").format(changed))
            inputs.mkdir(parents=True)
            file = vector_file(line, inputs, "line", entry["name"])
            section = "barriers" if "height_m" in entry else "lines"
            origin.document.setdefault(section, []).append({**entry, "source": {"file": file.as_posix()}})
            project = rerun.write(origin.document, Path(origin.base), inputs, copy=True)
            arguments = ["run", str(project), "--out", str(target), "--progress", "json"]
            if origin.limit is not None:
                arguments += ["--limit", str(origin.limit)]
            self.run_engine(arguments, feedback)
        except (engine.EngineError, Unusable, OSError):
            for folder in [place] if made else [target, inputs]:
                shutil.rmtree(folder, ignore_errors=True)
            raise
        return results.read(target)

    def _page(self, run: results.Run) -> Path:
        page = run.folder / "barrier_sheet.html"
        if not page.is_file():
            raise Unusable(self.tr("“{}” recorded no lines or barriers. Give a line layer to record.").format(run.folder))
        return page
