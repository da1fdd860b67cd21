"""Trajectory profile: energy, jump height and velocity along one or many trajectories, as a plot and a table."""

from __future__ import annotations

import csv
import shutil
from pathlib import Path
from typing import Any

from qgis import core
from qgis.core import QgsProcessingFeedback

from ..export import FIELD_TYPES, vector_file
from .base import CouloirAlgorithm, temporary_folder
from .parameters import Values


class TrajectoryProfile(CouloirAlgorithm):
    ID = "profile"

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        page = str(values["PLOT"])
        with temporary_folder() as folder:
            records, made = vector_file(values["POINTS"], folder, "points"), folder / "profile"
            arguments = ["profile", "--tracks", str(records), "--out", str(made), *values.options(folder)]
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
        crs, kind = values["POINTS"].sourceCrs(), core.QgsWkbTypes.Type.NoGeometry
        sink, table = self.parameterAsSink(values.parameters, "TABLE", values.context, fields, kind, crs)
        for row in rows:
            feature = core.QgsFeature(fields)
            feature.setAttributes([int(row[0]), *(float(value) if value else None for value in row[1:])])
            sink.addFeature(feature)
        return table
