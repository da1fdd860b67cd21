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

from .. import comparison, results
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
            "Where only one run has rocks, the other counts as 0. Both runs must have the same cells; their areas may differ."
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
        made = comparison.Comparison(first, second, folder)
        with removed_on_failure(folder):
            self.run_engine(made.arguments(), feedback)
        self._made = made if self.parameterAsBool(parameters, "LOAD", context) else None
        return {"OUTPUT": str(folder), "PAGE": str(made.page)}

    def postProcessAlgorithm(self, context: QgsProcessingContext, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        if getattr(self, "_made", None) is not None and context.project() is not None:
            self._made.load(context.project())
        return {}
