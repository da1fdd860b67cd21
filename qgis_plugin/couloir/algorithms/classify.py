"""Classify hazard: intensity maps and hazard zones from a finished run."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import (
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputFolder,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFile,
    QgsProcessingParameterNumber,
)

from .. import presets, results
from .base import CouloirAlgorithm, advanced


class ClassifyHazard(CouloirAlgorithm):
    ID = "classify"
    ICON = "classify"

    def title(self) -> str:
        return self.tr("Classify hazard")

    def help(self) -> str:
        return self.tr(
            "Intensity maps and hazard zones from a finished run, without running it again. Zones need release frequencies "
            "(rocks per year) in the project: reach alone is not a return period. Choose a built-in scheme or a YAML file of "
            "your own with limits, return periods and matrix; the quantile of the kinetic energy and the smallest area (m²) "
            "may be set here."
        )

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        tr, real = self.tr, QgsProcessingParameterNumber.Type.Double
        folder = QgsProcessingParameterFile.Behavior.Folder
        self.addParameter(QgsProcessingParameterFile("RUN", tr("Run folder"), behavior=folder))
        self.addParameter(QgsProcessingParameterEnum("SCHEME", tr("Scheme"), presets.schemes(), defaultValue=0))
        self.addParameter(
            QgsProcessingParameterFile(
                "SCHEME_FILE", tr("… or a scheme of your own"), fileFilter="YAML (*.yaml *.yml)", optional=True
            )
        )
        self.addParameter(
            advanced(
                QgsProcessingParameterNumber(
                    "QUANTILE", tr("Quantile of the energy (0–1)"), real, None, optional=True, minValue=0.01, maxValue=1.0
                )
            )
        )
        self.addParameter(
            advanced(
                QgsProcessingParameterNumber("MIN_AREA", tr("Smallest area (m²)"), real, None, optional=True, minValue=0.0)
            )
        )
        self.addParameter(QgsProcessingParameterBoolean("LOAD", tr("Load and style the results"), True))
        self.addOutput(QgsProcessingOutputFolder("OUTPUT", tr("Classification folder")))

    def compute(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        run = Path(self.parameterAsFile(parameters, "RUN", context))
        own = self.parameterAsFile(parameters, "SCHEME_FILE", context)
        scheme = own or presets.schemes()[self.parameterAsEnum(parameters, "SCHEME", context)]
        arguments = ["classify", str(run), "--scheme", scheme]
        for key, option in (("QUANTILE", "--quantile"), ("MIN_AREA", "--min-area-m2")):
            if parameters.get(key) is not None:
                arguments += [option, f"{self.parameterAsDouble(parameters, key, context):g}"]
        self.run_engine(arguments, feedback)
        self._run = results.read(run)
        self._load = self.parameterAsBool(parameters, "LOAD", context)
        return {"OUTPUT": str(self._run.variants[0][1] / "classification")}

    def postProcessAlgorithm(self, context: QgsProcessingContext, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        if getattr(self, "_load", False):
            results.load_classification(self._run, context.project())
        return {}
