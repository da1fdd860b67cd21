"""Trajectory profile: energy, jump height and velocity along one or many trajectories, as a plot and a table."""

from __future__ import annotations

import html
import math
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsFeature,
    QgsFeatureRequest,
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

from ..export import FIELD_TYPES, Unusable
from ..i18n import noop
from .base import CouloirAlgorithm

#: Attribute of the point records, title, unit, colour.
QUANTITIES = (
    ("energy_kj", noop("Kinetic energy"), "kJ", "#d7301f"),
    ("velo_ms", noop("Velocity"), "m/s", "#35456c"),
    ("jump_m", noop("Jump height"), "m", "#8856a7"),
)
WIDTH, HEIGHT, MARGIN = 760, 200, 60


class TrajectoryProfile(CouloirAlgorithm):
    ID = "profile"
    ICON = "profile"
    NEEDS_ENGINE = False

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
        names = source.fields().names()
        missing = [name for name in ("id", "time_s", *(q[0] for q in QUANTITIES)) if name not in names]
        if missing:
            raise Unusable(
                self.tr(
                    "“{}” holds no point records of a run (no attribute {}). Run with “Points along trajectories every … s”."
                ).format(source.sourceName(), ", ".join(missing))
            )
        tracks = self._tracks(source, self.parameterAsInt(parameters, "LIMIT", context), feedback)
        if not tracks:
            raise Unusable(self.tr("“{}” has no features.").format(source.sourceName()))
        fields = QgsFields()
        fields.append(QgsField("id", FIELD_TYPES.LongLong))
        for name in ("time_s", "distance_m", "z_m", *(q[0] for q in QUANTITIES)):
            fields.append(QgsField(name, FIELD_TYPES.Double))
        sink, table = self.parameterAsSink(
            parameters, "TABLE", context, fields, QgsWkbTypes.Type.NoGeometry, source.sourceCrs()
        )
        for track, rows in tracks.items():
            for row in rows:
                feature = QgsFeature(fields)
                feature.setAttributes([track, *row])
                sink.addFeature(feature)
        page = Path(self.parameterAsFileOutput(parameters, "PLOT", context))
        page.write_text(self._page(tracks), encoding="utf-8")
        return {"PLOT": str(page), "TABLE": table}

    def _tracks(self, source: Any, limit: int, feedback: QgsProcessingFeedback) -> dict[int, list[list[float]]]:
        """Rows (time, distance, height, quantities …) per trajectory, in the order of time."""
        wanted = ["id", "time_s", *(q[0] for q in QUANTITIES)]
        request = QgsFeatureRequest().setSubsetOfAttributes(wanted, source.fields())
        raw: dict[int, list[tuple[float, float, float, float, list[float]]]] = {}
        for feature in source.getFeatures(request):
            if feedback.isCanceled():
                break
            track = int(feature["id"])
            if track not in raw and len(raw) >= limit:
                continue
            point = feature.geometry().constGet()
            values = [float(feature[q[0]]) for q in QUANTITIES]
            raw.setdefault(track, []).append((float(feature["time_s"]), point.x(), point.y(), point.z(), values))
        tracks: dict[int, list[list[float]]] = {}
        for track, points in raw.items():
            points.sort(key=lambda p: p[0])
            distance, rows = 0.0, []
            for before, now in zip([points[0], *points], points):
                distance += math.hypot(now[1] - before[1], now[2] - before[2])
                rows.append([now[0], distance, now[3], *now[4]])
            tracks[track] = rows
        return tracks

    def _page(self, tracks: dict[int, list[list[float]]]) -> str:
        figures = "".join(
            self._figure(tracks, 3 + i, f"{self.tr(title)} ({unit})", colour)
            for i, (_, title, unit, colour) in enumerate(QUANTITIES)
        )
        profile = self._figure(tracks, 2, self.tr("Height (m)"), "#555555", from_zero=False)
        heading = html.escape(self.tr("Trajectory profile"))
        return (
            f'<!doctype html><meta charset="utf-8"><title>{heading}</title>'
            "<style>body{font-family:sans-serif;margin:2em}svg{display:block;margin:1em 0}</style>"
            f"<h1>{heading}</h1><p>{html.escape(self.tr('{} trajectories').format(len(tracks)))}</p>{profile}{figures}"
        )

    def _figure(
        self, tracks: dict[int, list[list[float]]], column: int, label: str, colour: str, from_zero: bool = True
    ) -> str:
        rows = [row for track in tracks.values() for row in track]
        x_max = max(row[1] for row in rows) or 1.0
        low = 0.0 if from_zero else min(row[column] for row in rows)
        high = max(row[column] for row in rows)
        high = high if high > low else low + 1.0

        def place(row: list[float]) -> str:
            x = MARGIN + row[1] / x_max * (WIDTH - MARGIN - 10)
            y = HEIGHT - 30 - (row[column] - low) / (high - low) * (HEIGHT - 45)
            return f"{x:.1f},{y:.1f}"

        width = 1.5 if len(tracks) <= 5 else 0.7
        lines = "".join(
            f'<polyline fill="none" stroke="{colour}" stroke-opacity="0.6" stroke-width="{width}" '
            f'points="{" ".join(place(row) for row in track)}"><title>{number}</title></polyline>'
            for number, track in tracks.items()
        )
        ticks = "".join(
            f'<text x="{MARGIN - 6}" y="{HEIGHT - 30 - share * (HEIGHT - 45) + 4:.0f}" text-anchor="end">'
            f"{low + share * (high - low):.4g}</text>"
            for share in (0.0, 0.5, 1.0)
        ) + "".join(
            f'<text x="{MARGIN + share * (WIDTH - MARGIN - 10):.0f}" y="{HEIGHT - 14}" text-anchor="middle">'
            f"{share * x_max:.4g}</text>"
            for share in (0.0, 0.25, 0.5, 0.75, 1.0)
        )
        frame = f'<path d="M{MARGIN} 15 V{HEIGHT - 30} H{WIDTH - 10}" fill="none" stroke="#333"/>'
        caption = f'<text x="{MARGIN}" y="11" font-weight="bold">{html.escape(label)}</text>'
        axis = (
            f'<text x="{WIDTH - 10}" y="{HEIGHT - 1}" text-anchor="end">'
            f"{html.escape(self.tr('horizontal distance (m)'))}</text>"
        )
        return (
            f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif" '
            f'font-size="11">{frame}{lines}{ticks}{caption}{axis}</svg>'
        )
