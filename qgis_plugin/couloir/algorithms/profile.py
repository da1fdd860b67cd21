"""Trajectory profile: energy, jump height and velocity along one or many trajectories, as a plot and a table."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any

from qgis import core
from qgis.core import QgsProcessingFeedback

from ..export import FIELD_TYPES, vector_file
from ..i18n import noop
from .base import CouloirAlgorithm
from .parameters import POINT, Values, features, new_page, number


class TrajectoryProfile(CouloirAlgorithm):
    ID = "profile"
    TITLE = noop("Trajectory profile")
    HELP = noop(
        "Kinetic energy (kJ), velocity (m/s) and jump height (m) against the horizontal distance (m) along one or many "
        "trajectories, as a page with plots and as a table. The input are the point records of a run (“Points along "
        "trajectories every … s”); select rocks in the map and tick “selected features only”, or filter the layer by id."
    )

    def declare(self) -> list[Any]:
        return [
            features("POINTS", self.tr("Points along trajectories"), POINT, optional=False),
            number("LIMIT", self.tr("At most this many trajectories"), 50, least=1, whole=True),
            new_page("PLOT", self.tr("Plot")),
            core.QgsProcessingParameterFeatureSink("TABLE", self.tr("Table"), core.QgsProcessing.SourceType.TypeVector),
        ]

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        page = values.target("PLOT")
        with self.temporary_folder() as folder:
            records, made = vector_file(values.source("POINTS"), folder, "points"), folder / "profile"
            arguments = ["profile", "--tracks", str(records), "--most", str(values.whole("LIMIT")), "--out", str(made)]
            self.run_engine(arguments, feedback)
            table = self._table(made / "profile.csv", values)
            shutil.copyfile(made / "profile.html", page)
        return {"PLOT": page, "TABLE": table}

    def _table(self, file: Path, values: Values) -> str:
        with file.open(encoding="utf-8", newline="") as text:
            head, *rows = csv.reader(text)
        fields = core.QgsFields()
        for name in head:
            fields.append(core.QgsField(name, FIELD_TYPES.LongLong if name == "id" else FIELD_TYPES.Double))
        crs, kind = values.source("POINTS").sourceCrs(), core.QgsWkbTypes.Type.NoGeometry
        sink, table = self.parameterAsSink(values.parameters, "TABLE", values.context, fields, kind, crs)
        for row in rows:
            feature = core.QgsFeature(fields)
            feature.setAttributes([int(row[0]), *(float(value) if value else None for value in row[1:])])
            sink.addFeature(feature)
        return table
