"""The matrix of a hazard map: intensity against return period, in the colours of the zones, as on official maps."""

from __future__ import annotations

from qgis.core import QgsFillSymbol, QgsLayoutItemShape, QgsPrintLayout
from qgis.PyQt.QtCore import QRectF

from .i18n import tr
from .map_helpers import put, put_label
from .schemes import Scheme, Zone
from .styles import zone_symbol


def matrix_height(scheme: Scheme, scale: float) -> float:
    return (4.0 + 5.5 * len(scheme.matrix) + 7.5) * scale if len(scheme.matrix) > 1 else 0.0


def add_matrix(layout: QgsPrintLayout, scheme: Scheme, place: QRectF, scale: float) -> None:
    """Fills `place` from its top: strong intensity above, frequent events on the left."""
    columns = len(scheme.periods) + 1
    row_height, names = 5.5 * scale, 19.0 * scale
    cell = min((place.width() - names) / columns, 11.0 * scale)
    put_label(layout, tr("Intensity"), QRectF(place.x(), place.y(), names, 4 * scale), 6 * scale, bold=True)
    top = place.y() + 4 * scale
    for line, number in enumerate(reversed(range(len(scheme.matrix)))):
        y = top + line * row_height
        put_label(layout, scheme.limits[number], QRectF(place.x(), y + 0.3, names, row_height), 5.2 * scale)
        for column, identity in enumerate(scheme.matrix[number][:columns]):
            _cell(layout, scheme.zone(identity), QRectF(place.x() + names + column * cell, y, cell, row_height))
    y = top + len(scheme.matrix) * row_height + 0.4
    for column, words in enumerate(_periods(scheme.periods)):
        where = QRectF(place.x() + names + column * cell - 1, y, cell + 2, 3 * scale)
        put_label(layout, words, where, 5.2 * scale, middle=True)
    where = QRectF(place.x() + names - 6, y + 3 * scale, columns * cell + 12, 3.5 * scale)
    put_label(layout, tr("Return period (years)"), where, 6 * scale, bold=True, middle=True)


def _periods(limits: list[float]) -> list[str]:
    starts = [0.0, *limits]
    inner = [f"{low:g}–{high:g}" if low else f"≤ {high:g}" for low, high in zip(starts, limits)]
    return [*inner, f"> {limits[-1]:g}"] if limits else [""]


def _cell(layout: QgsPrintLayout, zone: Zone | None, place: QRectF) -> None:
    shape = QgsLayoutItemShape(layout)
    shape.setId("matrix")
    shape.setShapeType(QgsLayoutItemShape.Shape.Rectangle)
    symbol = QgsFillSymbol.createSimple({"color": "#ffffff", "outline_color": "#333333", "outline_width": "0.15"})
    shape.setSymbol(symbol if zone is None else zone_symbol(zone, "#333333"))
    # As strong as the zones on the map.
    shape.setItemOpacity(0.75)
    layout.addLayoutItem(shape)
    put(shape, place)
