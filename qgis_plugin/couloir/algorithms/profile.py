"""Trajectory profile: energy, jump height and velocity along one or many trajectories, as a plot and a table."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsFeature,
    QgsField,
    QgsFields,
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingParameterFeatureSink,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterNumber,
    QgsWkbTypes,
)

from ..export import FIELD_TYPES, vector_file
from .base import CouloirAlgorithm


class TrajectoryProfile(CouloirAlgorithm):
    ID = "profile"
    ICON = "profile"

    def title(self) -> str:
        return self.tr("Trajectory profile")

    def help(self) -> str:
        return self.tr(
            "Kinetic energy (kJ), velocity (m/s) and jump height (m) against the horizontal distance (m) along one or many "
            "trajectories, as a page with plots and as a table. The input are the point records of a run (“Points along "
            "trajectories every … s”); select rocks in the map and tick “selected features only”, or filter the layer by id."
        )

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        points = [QgsProcessing.SourceType.TypeVectorPoint]
        self.addParameter(QgsProcessingParameterFeatureSource("POINTS", self.tr("Points along trajectories"), points))
        self.addParameter(
            QgsProcessingParameterNumber(
                "LIMIT", self.tr("At most this many trajectories"), QgsProcessingParameterNumber.Type.Integer, 50, minValue=1
            )
        )
        self.addParameter(QgsProcessingParameterFileDestination("PLOT", self.tr("Plot"), self.tr("Web page (*.html)")))
        self.addParameter(QgsProcessingParameterFeatureSink("TABLE", self.tr("Table"), QgsProcessing.SourceType.TypeVector))

    def compute(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        source = self.parameterAsSource(parameters, "POINTS", context)
        most = str(self.parameterAsInt(parameters, "LIMIT", context))
        with self.temporary_folder() as folder:
            records, made = vector_file(source, folder, "points"), folder / "profile"
            self.run_engine(["profile", "--tracks", str(records), "--most", most, "--out", str(made)], feedback)
            table = self._table(made / "profile.csv", parameters, context, source)
            page = self.parameterAsFileOutput(parameters, "PLOT", context)
            shutil.copyfile(made / "profile.html", page)
        return {"PLOT": page, "TABLE": table}

    def _table(self, file: Path, parameters: dict[str, Any], context: QgsProcessingContext, source: Any) -> str:
        with file.open(encoding="utf-8", newline="") as text:
            head, *rows = csv.reader(text)
        fields = QgsFields()
        for name in head:
            fields.append(QgsField(name, FIELD_TYPES.LongLong if name == "id" else FIELD_TYPES.Double))
        kind = QgsWkbTypes.Type.NoGeometry
        sink, table = self.parameterAsSink(parameters, "TABLE", context, fields, kind, source.sourceCrs())
        for row in rows:
            feature = QgsFeature(fields)
            feature.setAttributes([int(row[0]), *(float(value) if value else None for value in row[1:])])
            sink.addFeature(feature)
        return table
