"""Classify hazard: intensity maps and hazard zones from a finished run."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingFeedback, QgsProcessingOutputFolder

from .. import presets, results
from ..errors import Unusable
from ..i18n import noop
from .base import CouloirAlgorithm
from .parameters import Values, advanced, choice, file, load_results, number, run_folder, text

MODES = ("", "scenario", "passages")


class ClassifyHazard(CouloirAlgorithm):
    ID = "classify"
    TITLE = noop("Classify hazard")
    HELP = noop(
        "Intensity maps and hazard zones from a finished run, without running it again. Zones need release frequencies "
        "(rocks per year) or return periods of the scenarios: reach alone is not a return period. Choose a built-in scheme "
        "or a YAML file of your own with limits, return periods and matrix.\n\n"
        "The return period of a cell is that of each scenario that reaches it, or comes from the yearly passages of rocks. "
        "Years of scenarios may be given here, and cells that hardly any rock reaches may be left out."
    )

    def declare(self) -> list[Any]:
        tr = self.tr
        modes = [tr("as the scheme says"), tr("of each scenario"), tr("from yearly passages")]
        return [
            run_folder(),
            choice("SCHEME", tr("Scheme"), [str(s.get("title", s["name"])) for s in presets.tables()["schemes"]]),
            file("SCHEME_FILE", tr("… or a scheme of your own"), "YAML (*.yaml *.yml)"),
            choice("RETURN_PERIOD", tr("Return period"), modes),
            text("SCENARIO_YEARS", tr("Years of scenarios, e.g. rare=300; frequent=30"),
                 tip=tr("Without an entry a scenario counts as often as its releases say.")),
            number("LEAST_REACH", tr("Leave out cells reached by less than this share of rocks (0–1)"), least=0.0, most=0.99,
                   tip=tr("0.001: one rock in a thousand. Empty: as the scheme says.")),
            advanced(number("QUANTILE", tr("Quantile of the energy (0–1)"), least=0.01, most=1.0)),
            advanced(number("MIN_AREA", tr("Smallest area (m²)"), least=0.0)),
            load_results(),
            QgsProcessingOutputFolder("OUTPUT", tr("Classification folder")),
        ]  # fmt: skip

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        folder = values.path("RUN")
        scheme = values.optional_path("SCHEME_FILE") or presets.names("schemes")[values.choice("SCHEME")]
        arguments = ["classify", str(results.read(folder).folder), "--scheme", str(scheme)]
        options = (("QUANTILE", "--quantile"), ("MIN_AREA", "--min-area-m2"), ("LEAST_REACH", "--least-reach-probability"))
        for key, option in options:
            if values.has(key):
                arguments += [option, f"{values.number(key):g}"]
        if values.choice("RETURN_PERIOD"):
            arguments += ["--return-period", MODES[values.choice("RETURN_PERIOD")]]
        for part in filter(None, (part.strip() for part in values.text("SCENARIO_YEARS").split(";"))):
            if "=" not in part:
                raise Unusable(self.tr("“{}”: write a scenario and its years as name=300.").format(part))
            arguments += ["--scenario-years", part]
        self.run_engine(arguments, feedback)
        run = results.read(folder)
        if values.flag("LOAD"):
            self.load = lambda project: results.load_classification(run, project)
        return {"OUTPUT": str(run.variants[0][1] / "classification")}
