"""Score a run: simulated against observed run-out, spread, deposits, heights and passages."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingFeedback, QgsProcessingOutputFile

from .. import results
from ..errors import Unusable
from ..export import vector_file
from ..i18n import noop
from ..run_folders import removed_on_failure
from .base import CouloirAlgorithm
from .parameters import POINT, Values, advanced, features, file, flag, new_folder, number, run_folder, text


class ScoreRun(CouloirAlgorithm):
    ID = "score"
    TITLE = noop("Compare with observations")
    HELP = noop(
        "Run-out, lateral spread, deposits, largest values and passages at lines of a finished run against what was observed, "
        "with the difference that chance alone would give; a page, its numbers as JSON, and drawings.\n\n"
        "Observations are points where rocks ended (mapped blocks of an event, say), or a CSV table with a row for each rock: "
        "runout_m, x_m, y_m, jump_max_m, velocity_max_m_s, energy_max_kj … "
        "Rocks that left the terrain count as at least as far."
    )

    def declare(self) -> list[Any]:
        tr = self.tr
        return [
            run_folder(),
            features("OBSERVED", tr("Observed end points"), POINT),
            file("TABLE", tr("… or a table of observations"), "CSV (*.csv)"),
            text("GROUP", tr("Also compare by this attribute")),
            advanced(number("AZIMUTH", tr("Direction of the run-out (degrees from north)"), least=-360.0, most=360.0)),
            advanced(flag("BARRIERS", tr("With barriers acting"), False)),
            new_folder("OUTPUT", tr("Folder for the comparison")),
            QgsProcessingOutputFile("PAGE", tr("Page with tables")),
        ]

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        run, out = results.read(values.path("RUN")), values.folder("OUTPUT")
        points, table = values.source("OBSERVED"), values.optional_path("TABLE")
        if (points is None) == (table is None):
            raise Unusable(self.tr("Give observations: either a layer of points or a table."))
        with self.temporary_folder() as folder, removed_on_failure(out):
            observed = table or vector_file(points, folder, "observed")
            arguments = ["score", str(run.folder), "--observed", str(observed), "--out", str(out)]
            if values.text("GROUP"):
                arguments += ["--group", values.text("GROUP")]
            if values.has("AZIMUTH"):
                arguments += ["--azimuth", f"{values.number('AZIMUTH'):g}"]
            if values.flag("BARRIERS"):
                arguments.append("--with-barriers")
            self.run_engine(arguments, feedback)
        return {"OUTPUT": str(out), "PAGE": str(out / "score.html")}
