"""Fills the print layout of a hazard map: the place of everything is in a template (templates/*.qpt, or an office's own).

A template has items named map, locator, legend, matrix, scale, scale bar, north arrow, logo, title, theme, details, crs,
note, status and provenance; what it does not have is not printed.
"""

from __future__ import annotations

import math
import re
from dataclasses import dataclass, field
from pathlib import Path

from qgis import core
from qgis.core import QgsMapLayer, QgsPrintLayout, QgsProject, QgsRasterLayer, QgsRectangle
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QFont, QFontMetricsF
from qgis.PyQt.QtXml import QDomDocument

from .errors import Unusable
from .i18n import tr
from .layers import without_band_name
from .map_table import Row, add_pages
from .run_folders import free_name

HERE = Path(__file__).parent
SCALES = (
    500, 1000, 1500, 2000, 2500, 3000, 4000, 5000, 6000, 7500, 10000, 12500, 15000, 20000, 25000, 30000, 40000, 50000, 75000,
    100000, 200000,
)  # fmt: skip


@dataclass
class MapSheet:
    """Everything that is printed."""

    name: str
    #: By the name of the label.
    texts: dict[str, str]
    layers: list[QgsMapLayer]
    legend_layers: list[QgsMapLayer]
    extent: QgsRectangle
    template: Path
    logo: str = ""
    table: list[Row] = field(default_factory=list)
    #: Picture of intensity against return period, for hazard zones.
    matrix: str = ""
    coverage: core.QgsVectorLayer | None = None
    page_name: str = ""


def compose(sheet: MapSheet, project: QgsProject) -> QgsPrintLayout:
    """A layout of the template, not in the project yet."""
    layout, document = QgsPrintLayout(project), QDomDocument()
    text = sheet.template.read_text("utf-8")
    if not document.setContent(text)[0] or not layout.loadFromTemplate(document, core.QgsReadWriteContext())[1]:
        raise Unusable(tr("“{}” is not a template of a layout.").format(sheet.template))
    layout.setName(free_name(sheet.name, {other.name() for other in project.layoutManager().layouts()}))
    _map(layout, sheet)
    for identity, words in sheet.texts.items():
        label = layout.itemById(identity)
        if label is not None:
            _fit(label, words)
    pictures = {"logo": sheet.logo, "north arrow": str(HERE / "icons" / "north.svg"), "matrix": sheet.matrix}
    for identity, path in pictures.items():
        picture = layout.itemById(identity)
        if picture is not None:
            picture.setPicturePath(path) if path else layout.removeLayoutItem(picture)
    _legend(layout, sheet)
    if sheet.table:
        add_pages(layout, sheet.table, f"{tr('Parameters')} – {sheet.texts['title']}", sheet.texts["provenance"])
    return layout


def _map(layout: QgsPrintLayout, sheet: MapSheet) -> None:
    item, base = layout.itemById("map"), sheet.layers[-1]
    item.setCrs(base.crs())
    item.setLayers(sheet.layers)
    item.zoomToExtent(sheet.extent)
    item.setScale(next((float(scale) for scale in SCALES if scale >= item.scale()), math.ceil(item.scale() / 1e5) * 1e5))
    item.setExtent(_inside(item.extent(), base.extent()))
    for number in range(item.grids().size()):
        interval = round_interval(max(item.extent().width(), item.extent().height()) / 5)
        item.grids().grid(number).setIntervalX(interval)
        item.grids().grid(number).setIntervalY(interval)
    locator = layout.itemById("locator")
    if locator is not None:
        locator.setCrs(base.crs())
        locator.setLayers([base])
        locator.zoomToExtent(base.extent())
    bar = layout.itemById("scale bar")
    if bar is not None:
        bar.setUnitsPerSegment(round_interval(45 / 1000 * item.scale() / 4, down=True))
    if sheet.coverage is not None:
        layout.atlas().setCoverageLayer(sheet.coverage)
        layout.atlas().setEnabled(True)
        if sheet.page_name:
            layout.atlas().setPageNameExpression(f'"{sheet.page_name}"')
        item.setAtlasDriven(True)
        item.setAtlasScalingMode(core.QgsLayoutItemMap.AtlasScalingMode.Predefined)
        layout.renderContext().setPredefinedScales([float(scale) for scale in SCALES])


def _inside(extent: QgsRectangle, base: QgsRectangle) -> QgsRectangle:
    """The extent moved so that little white paper shows beside the base layer."""

    def moved(low: float, high: float, base_low: float, base_high: float) -> float:
        if high - low >= base_high - base_low:
            return (base_low + base_high - low - high) / 2
        return max(base_low - low, 0.0) + min(base_high - high, 0.0)

    dx = moved(extent.xMinimum(), extent.xMaximum(), base.xMinimum(), base.xMaximum())
    dy = moved(extent.yMinimum(), extent.yMaximum(), base.yMinimum(), base.yMaximum())
    return QgsRectangle(extent.xMinimum() + dx, extent.yMinimum() + dy, extent.xMaximum() + dx, extent.yMaximum() + dy)


def round_interval(length: float, down: bool = False) -> float:
    power = 10.0 ** math.floor(math.log10(length)) if length > 0 else 1.0
    steps = [step * power for step in (1.0, 2.0, 2.5, 5.0, 10.0)]
    return max(step for step in steps if step <= length) if down else min(step for step in steps if step >= length)


# Texts


def _fit(label: core.QgsLayoutItemLabel, text: str) -> None:
    """Wraps a text into its box; smaller if it would not fit."""
    size, font = label.sizeWithUnits(), label.font()
    for points in (font.pointSizeF() * share for share in (1.0, 0.92, 0.85, 0.78, 0.71, 0.64, 0.57, 0.5, 0.45)):
        font.setPointSizeF(points)
        lines = text if "[%" in text else wrapped(text, size.width(), font)
        if points * 0.48 * (lines.count("\n") + 1) <= size.height() and not _breaks_words(text, size.width(), font):
            break
    label.setFont(font)
    label.setText(lines)


def wrapped(text: str, width_mm: float, font: QFont) -> str:
    """The text with line breaks (at spaces and hyphens) so that no line is wider; a word that is, is broken."""
    room, metrics = _room(width_mm, font)
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


def _breaks_words(text: str, width_mm: float, font: QFont) -> bool:
    room, metrics = _room(width_mm, font)
    return "[%" not in text and any(metrics.horizontalAdvance(word) > room for word in re.split(r"\s+|(?<=-)", text))


def _room(width_mm: float, font: QFont) -> tuple[float, QFontMetricsF]:
    """The width in the units of the font's metrics: a little less, for printers' fonts are not the screen's."""
    large = QFont(font)
    large.setPixelSize(100)
    return 0.97 * width_mm / (font.pointSizeF() * 0.3528) * 100, QFontMetricsF(large)


# Legend


def _legend(layout: QgsPrintLayout, sheet: MapSheet) -> None:
    legend = layout.itemById("legend")
    if legend is None:
        return
    room = layout.itemById("legend room") or legend
    size, place = room.sizeWithUnits(), room.positionWithUnits()
    styles = core.QgsLegendStyle.Style
    legend.setTitle(tr("Legend"))
    legend.setLinkedMap(layout.itemById("map"))
    tree = legend.model().rootGroup()
    for child in list(tree.children()):
        tree.removeChildNode(child)
    for layer in sheet.legend_layers:
        node = tree.addLayer(layer)
        raster = isinstance(layer, QgsRasterLayer)
        if raster:
            without_band_name(node)
            legend.model().refreshLayerLegend(node)
        node.setCustomProperty("legend/title-label", wrapped(node.name(), size.width(), legend.style(styles.Subgroup).font()))
        # Labels count from the band's name, hidden or not.
        for number, entry in enumerate(legend.model().layerLegendNodes(node), 1 if raster else 0):
            text = str(entry.data(Qt.ItemDataRole.DisplayRole) or "")
            if text:
                lines = wrapped(text, size.width() - 8.5, legend.style(styles.SymbolLabel).font())
                core.QgsMapLayerLegendUtils.setLegendNodeUserLabel(node, number, lines)
        legend.model().refreshLayerLegend(node)
    legend.attemptMove(place)
    legend.adjustBoxSize()
    # Shrink what does not fit rather than print over the next box.
    factor = min(size.width() / max(legend.rect().width(), 1.0), size.height() / max(legend.rect().height(), 1.0))
    if factor < 1.0:
        for style in (styles.Title, styles.Subgroup, styles.SymbolLabel):
            form = legend.style(style)
            font = form.font()
            font.setPointSizeF(max(4.0, font.pointSizeF() * factor))
            form.setFont(font)
            for side in (core.QgsLegendStyle.Side.Top, core.QgsLegendStyle.Side.Bottom):
                form.setMargin(side, form.margin(side) * factor)
            legend.setStyle(style, form)
        legend.setSymbolHeight(legend.symbolHeight() * factor)
        legend.setSymbolWidth(legend.symbolWidth() * factor)
        legend.adjustBoxSize()
