"""Small calculations for the print layout: scales, intervals, texts, names."""

from __future__ import annotations

import math
import re
from typing import Any

from qgis.core import (
    QgsCoordinateTransform,
    QgsLayerTree,
    QgsLayoutItem,
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsLegendStyle,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProject,
    QgsRectangle,
    QgsTextFormat,
    QgsUnitTypes,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QColor, QFont, QFontMetricsF

ROUND_SCALES = (
    500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 7500, 10000, 12500, 15000, 20000, 25000, 30000, 40000, 50000, 75000,
    100000, 200000,
)  # fmt: skip
FONT = "Open Sans"
MM = QgsUnitTypes.LayoutUnit.LayoutMillimeters
INK = QColor("#1a1a1a")


def inside(extent: QgsRectangle, base: QgsRectangle) -> QgsRectangle:
    """The extent moved so that little white paper shows beside the base layer."""

    def moved(low: float, high: float, base_low: float, base_high: float) -> float:
        if high - low >= base_high - base_low:
            return (base_low + base_high - low - high) / 2
        return max(base_low - low, 0.0) + min(base_high - high, 0.0)

    dx = moved(extent.xMinimum(), extent.xMaximum(), base.xMinimum(), base.xMaximum())
    dy = moved(extent.yMinimum(), extent.yMaximum(), base.yMinimum(), base.yMaximum())
    return QgsRectangle(extent.xMinimum() + dx, extent.yMinimum() + dy, extent.xMaximum() + dx, extent.yMaximum() + dy)


def text_format(points: float) -> QgsTextFormat:
    form = QgsTextFormat()
    font = QFont(FONT)
    form.setFont(font)
    form.setSize(points)
    form.setSizeUnit(QgsUnitTypes.RenderUnit.RenderPoints)
    form.setColor(INK)
    return form


def put(item: QgsLayoutItem, place: QRectF) -> None:
    item.attemptMove(QgsLayoutPoint(place.x(), place.y(), MM))
    item.attemptResize(QgsLayoutSize(place.width(), place.height(), MM))


def put_label(
    layout: QgsPrintLayout, text: str, place: QRectF, points: float, bold: bool = False, middle: bool = False, colour: Any = INK
) -> QgsLayoutItemLabel:
    label = QgsLayoutItemLabel(layout)
    label.setText(text)
    font = QFont(FONT)
    font.setPointSizeF(points)
    font.setBold(bold)
    label.setFont(font)
    label.setFontColor(QColor(colour))
    label.setHAlign(Qt.AlignmentFlag.AlignHCenter if middle else Qt.AlignmentFlag.AlignLeft)
    label.setVAlign(Qt.AlignmentFlag.AlignTop)
    label.setMarginX(0)
    label.setMarginY(0)
    layout.addLayoutItem(label)
    put(label, place)
    return label


def wrapped(text: str, width_mm: float, points: float, bold: bool = False) -> str:
    """The text with line breaks (at spaces and hyphens) so that no line is wider; a word that is, is broken."""
    room, metrics = _room(width_mm, points, bold)
    lines: list[str] = []
    for paragraph in text.split("\n"):
        line = ""
        for word in paragraph.split(" "):
            for number, piece in enumerate(re.split(r"(?<=-)", word)):
                longer = f"{line} {piece}" if line and number == 0 else line + piece
                if line and metrics.horizontalAdvance(longer) > room:
                    lines.append(line)
                    longer = piece
                while metrics.horizontalAdvance(longer) > room and len(longer) > 1:
                    cuts = range(len(longer) - 1, 1, -1)
                    cut = next((n for n in cuts if metrics.horizontalAdvance(longer[:n]) <= room), 1)
                    lines.append(longer[:cut])
                    longer = longer[cut:]
                line = longer
        lines.append(line)
    return "\n".join(lines)


def breaks_words(text: str, width_mm: float, points: float, bold: bool = False) -> bool:
    room, metrics = _room(width_mm, points, bold)
    return any(metrics.horizontalAdvance(word) > room for word in re.split(r"\s+|(?<=-)", text))


def _room(width_mm: float, points: float, bold: bool) -> tuple[float, QFontMetricsF]:
    """The width in the units of the font's metrics: a little less, for printers' fonts are not the screen's."""
    font = QFont(FONT)
    font.setPixelSize(100)
    font.setBold(bold)
    return 0.97 * width_mm / (points * 0.3528) * 100, QFontMetricsF(font)


def line_height(points: float) -> float:
    """In mm."""
    return points * 0.3528 * 1.36


def shrink(legend: QgsLayoutItemLegend, factor: float) -> None:
    for style in (QgsLegendStyle.Style.Title, QgsLegendStyle.Style.Subgroup, QgsLegendStyle.Style.SymbolLabel):
        form = legend.style(style)
        font = form.font()
        font.setPointSizeF(max(4.0, font.pointSizeF() * factor))
        form.setFont(font)
        for side in (QgsLegendStyle.Side.Top, QgsLegendStyle.Side.Bottom):
            form.setMargin(side, form.margin(side) * factor)
        legend.setStyle(style, form)
    legend.setSymbolHeight(legend.symbolHeight() * factor)
    legend.setSymbolWidth(legend.symbolWidth() * factor)
    legend.adjustBoxSize()


def emptied(tree: QgsLayerTree) -> None:
    for child in list(tree.children()):
        tree.removeChildNode(child)


def free_name(name: str, project: QgsProject) -> str:
    taken = {layout.name() for layout in project.layoutManager().layouts()}
    free, number = name, 2
    while free in taken:
        free, number = f"{name} ({number})", number + 1
    return free


def round_scale(scale: float) -> float:
    """The next round scale that still shows everything."""
    return next((float(s) for s in ROUND_SCALES if s >= scale), math.ceil(scale / 1e5) * 1e5)


def round_interval(length: float, down: bool = False) -> float:
    power = 10.0 ** math.floor(math.log10(length)) if length > 0 else 1.0
    steps = (1.0, 2.0, 2.5, 5.0, 10.0)
    if down:
        return max(step * power for step in steps if step * power <= length)
    return min(step * power for step in steps if step * power >= length)


def extent_of(layer: QgsMapLayer, target: QgsMapLayer, project: QgsProject) -> QgsRectangle:
    """A layer's extent in the CRS of another."""
    transform = QgsCoordinateTransform(layer.crs(), target.crs(), project)
    return transform.transformBoundingBox(layer.extent())
