"""Classify hazard: intensity maps and hazard zones from a finished run."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsProcessingContext, QgsProcessingFeedback, QgsProcessingOutputFolder

from .. import presets, results
from .base import CouloirAlgorithm
from .parameters import Values, advanced, choice, file, load_results, number, run_folder


class ClassifyHazard(CouloirAlgorithm):
    ID = "classify"

    def title(self) -> str:
        return self.tr("Classify hazard")

    def help(self) -> str:
        return self.tr(
            "Intensity maps and hazard zones from a finished run, without running it again. Zones need release frequencies "
            "(rocks per year) in the project: reach alone is not a return period. Choose a built-in scheme or a YAML file of "
            "your own with limits, return periods and matrix; the quantile of the kinetic energy and the smallest area (m²) "
            "may be set here."
        )

    def declare(self) -> list[Any]:
        tr = self.tr
        return [
            run_folder(),
            choice("SCHEME", tr("Scheme"), presets.schemes()),
            file("SCHEME_FILE", tr("… or a scheme of your own"), "YAML (*.yaml *.yml)"),
            advanced(number("QUANTILE", tr("Quantile of the energy (0–1)"), least=0.01, most=1.0)),
            advanced(number("MIN_AREA", tr("Smallest area (m²)"), least=0.0)),
            load_results(),
            QgsProcessingOutputFolder("OUTPUT", tr("Classification folder")),
        ]

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        run = values.path("RUN")
        scheme = values.optional_path("SCHEME_FILE") or presets.schemes()[values.choice("SCHEME")]
        arguments = ["classify", str(run), "--scheme", str(scheme)]
        for key, option in (("QUANTILE", "--quantile"), ("MIN_AREA", "--min-area-m2")):
            if values.has(key):
                arguments += [option, f"{values.number(key):g}"]
        self.run_engine(arguments, feedback)
        self._run = results.read(run)
        self._load = values.flag("LOAD")
        return {"OUTPUT": str(self._run.variants[0][1] / "classification")}

    def postProcessAlgorithm(self, context: QgsProcessingContext, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        if getattr(self, "_load", False):
            results.load_classification(self._run, context.project())
        return {}
