"""Score a run: simulated against observed run-out, spread, deposits, heights and passages."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingFeedback

from .. import results
from ..errors import Unusable
from ..export import vector_file
from ..i18n import tr
from ..run_folders import removed_on_failure
from .base import CouloirAlgorithm, temporary_folder
from .parameters import Values


class ScoreRun(CouloirAlgorithm):
    ID = "score"

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        run, out = results.read(values["RUN"]), values["OUTPUT"]
        points, table = values["OBSERVED"], values["TABLE"]
        if (points is None) == (table is None):
            raise Unusable(tr("Give observations: either a layer of points or a table."))
        with temporary_folder() as folder, removed_on_failure(out):
            observed = table or vector_file(points, folder, "observed")
            arguments = ["score", str(run.folder), "--observed", str(observed), "--out", str(out)]
            self.run_engine([*arguments, *values.options(folder)], feedback)
        return {"OUTPUT": str(out), "PAGE": str(out / "score.html")}
