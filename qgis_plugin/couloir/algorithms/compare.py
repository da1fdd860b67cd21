"""Compare runs: difference maps, what differs in the projects, key figures."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingFeedback, QgsProcessingOutputFile

from .. import comparison, results
from ..i18n import noop
from ..run_folders import removed_on_failure
from .base import CouloirAlgorithm
from .parameters import Values, load_results, new_folder, run_folder


class CompareRuns(CouloirAlgorithm):
    ID = "compare"
    TITLE = noop("Compare runs")
    HELP = noop(
        "What changed from a first run (A) to a second one (B): a map B − A for every map both have, with its unit and a "
        "diverging scale centred on zero, and a page with the key figures side by side and the parameters that differ.\n\n"
        "Where only one run has rocks, the other counts as 0. Both runs must have the same cells; their areas may differ."
    )

    def declare(self) -> list[Any]:
        return [
            run_folder("FIRST", self.tr("First run (A)")),
            run_folder("SECOND", self.tr("Second run (B)")),
            load_results(),
            new_folder("OUTPUT", self.tr("Folder for the comparison")),
            QgsProcessingOutputFile("PAGE", self.tr("Page with tables")),
        ]

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        first, second = (results.read(values.path(key)) for key in ("FIRST", "SECOND"))
        made = comparison.Comparison(first, second, values.folder("OUTPUT"))
        with removed_on_failure(made.folder):
            self.run_engine(made.arguments(), feedback)
        self.load = made.load if values.flag("LOAD") else None
        return {"OUTPUT": str(made.folder), "PAGE": str(made.page)}
