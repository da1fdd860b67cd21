"""Compare runs: difference maps, what differs in the projects, key figures."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputFile,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterFile,
    QgsProcessingParameterFolderDestination,
)

from .. import comparison, comparison_view, results
from ..export import Unusable
from .base import CouloirAlgorithm, removed_on_failure


class CompareRuns(CouloirAlgorithm):
    ID = "compare"
    ICON = "compare"

    def title(self) -> str:
        return self.tr("Compare runs")

    def help(self) -> str:
        return self.tr(
            "What changed from a first run (A) to a second one (B): a map B − A for every map both have, with its unit and a "
            "diverging scale centred on zero, and a page with the key figures side by side and the parameters that differ.\n\n"
            "Where only one run has rocks, the other counts as 0. Runs on other grids are brought to the cells of the first."
        )

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        tr, folder = self.tr, QgsProcessingParameterFile.Behavior.Folder
        self.addParameter(QgsProcessingParameterFile("FIRST", tr("First run (A)"), behavior=folder))
        self.addParameter(QgsProcessingParameterFile("SECOND", tr("Second run (B)"), behavior=folder))
        self.addParameter(QgsProcessingParameterBoolean("LOAD", tr("Load and style the results"), True))
        self.addParameter(QgsProcessingParameterFolderDestination("OUTPUT", tr("Folder for the comparison")))
        self.addOutput(QgsProcessingOutputFile("PAGE", tr("Page with tables")))

    def compute(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        first, second = (results.read(Path(self.parameterAsFile(parameters, key, context))) for key in ("FIRST", "SECOND"))
        folder = Path(self.parameterAsString(parameters, "OUTPUT", context))
        if (folder / "comparison.html").exists():
            raise Unusable(self.tr("“{}” holds a comparison already; choose another folder.").format(folder))
        with removed_on_failure(folder):
            self._found = comparison.compare(first, second, folder, feedback.setProgress, feedback.isCanceled)
            page = comparison_view.write_page(self._found)
        for note in self._found.notes:
            feedback.pushWarning(note)
        self._load = self.parameterAsBool(parameters, "LOAD", context)
        return {"OUTPUT": str(folder), "PAGE": str(page)}

    def postProcessAlgorithm(self, context: QgsProcessingContext, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        found = getattr(self, "_found", None)
        if found is not None:
            comparison_view.load(found, context.project() if self._load else None)
        return {}
