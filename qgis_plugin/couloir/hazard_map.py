"""Composes the print layout of a hazard map: map, title block, legend, scale bar, grid, provenance, parameter table."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsLayerTreeLayer,
    QgsLayoutItem,
    QgsLayoutItemLegend,
    QgsLayoutItemMap,
    QgsLayoutItemMapGrid,
    QgsLayoutItemPage,
    QgsLayoutItemPicture,
    QgsLayoutItemScaleBar,
    QgsLayoutItemShape,
    QgsLayoutMeasurement,
    QgsLayoutObject,
    QgsLayoutPoint,
    QgsLayoutSize,
    QgsLegendStyle,
    QgsMapLayer,
    QgsMapLayerLegendUtils,
    QgsPrintLayout,
    QgsProject,
    QgsProperty,
    QgsRasterLayer,
    QgsRectangle,
    QgsUnitTypes,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import QRectF, Qt
from qgis.PyQt.QtGui import QColor, QFont

from .i18n import tr
from .layers import without_band_name
from .map_helpers import (
    FONT,
    INK,
    MM,
    ROUND_SCALES,
    breaks_words,
    emptied,
    free_name,
    inside,
    line_height,
    put,
    put_label,
    round_interval,
    round_scale,
    shrink,
    text_format,
    wrapped,
)
from .map_matrix import add_matrix, matrix_height
from .map_tables import Row, add_table
from .schemes import Scheme

NORTH_ARROW = Path(__file__).parent / "icons" / "north.svg"
PAGES = {"A4": (210.0, 297.0), "A3": (297.0, 420.0)}
MARGIN = 8.0
#: Room for the coordinates written around the map.
GRID_ROOM = 5.0


@dataclass
class MapSheet:
    """Everything that is printed."""

    name: str
    title: str
    theme: str
    layers: list[QgsMapLayer]
    legend_layers: list[QgsMapLayer]
    extent: QgsRectangle
    paper: str = "A4"
    landscape: bool = True
    author: str = ""
    office: str = ""
    date: str = ""
    logo: str = ""
    origin: str = ""
    remarks: str = ""
    table: list[Row] = field(default_factory=list)
    #: The scheme of hazard zones, for the matrix; empty for other maps.
    scheme: Scheme = field(default_factory=Scheme)
    coverage: QgsVectorLayer | None = None
    page_name: str = ""


def spaced(number: str) -> str:
    """An expression for a whole number with spaces between thousands, in any locale."""
    return f"regexp_replace(format_number({number}, 0), '[^0-9-]', ' ')"


class HazardMap:
    """A layout under construction."""

    def __init__(self, sheet: MapSheet, project: QgsProject) -> None:
        self.sheet = sheet
        self.project = project
        self.layout = QgsPrintLayout(project)
        self.layout.initializeDefaults()
        self.layout.setName(free_name(sheet.name, project))
        short, long = PAGES[sheet.paper]
        self.width, self.height = (long, short) if sheet.landscape else (short, long)
        self.big = sheet.paper == "A3"
        #: Of texts and boxes.
        self.scale = 1.25 if self.big else 1.0
        self._page(0).setPageSize(QgsLayoutSize(self.width, self.height, MM))

    def compose(self) -> QgsPrintLayout:
        # Landscape: column on the right; portrait: band below.
        column = 84.0 if self.big else 68.0
        band = 84.0 if self.big else 66.0
        inner_w, inner_h = self.width - 2 * MARGIN, self.height - 2 * MARGIN
        foot = 5.0
        room = GRID_ROOM
        if self.sheet.landscape:
            frame = QRectF(MARGIN + room, MARGIN + room, inner_w - column - 2 * room - 2, inner_h - 2 * room - foot)
            side = QRectF(self.width - MARGIN - column, MARGIN, column, inner_h - foot)
        else:
            frame = QRectF(MARGIN + room, MARGIN + room, inner_w - 2 * room, inner_h - band - 2 * room - foot - 2)
            side = QRectF(MARGIN, self.height - MARGIN - foot - band, inner_w, band)
        map_item = self._map(frame)
        if self.sheet.landscape:
            self._column(side, map_item)
        else:
            self._band(side, map_item)
        put_label(
            self.layout,
            self.sheet.origin + (" " + tr("Parameters: next page.") if self.sheet.table else ""),
            QRectF(MARGIN, self.height - MARGIN - foot + 1, inner_w, foot - 1),
            5.5 if not self.big else 7,
            colour="#444444",
        ).setId("provenance")
        self._atlas(map_item)
        if self.sheet.table:
            self._parameter_pages()
        return self.layout

    # The parts

    def _map(self, frame: QRectF) -> QgsLayoutItemMap:
        item = QgsLayoutItemMap(self.layout)
        item.setId("map")
        self.layout.addLayoutItem(item)
        # A map that is resized before it has an extent ends up with NaN in it.
        item.setRect(QRectF(0, 0, frame.width(), frame.height()))
        item.setExtent(self.sheet.extent)
        put(item, frame)
        crs = self.sheet.layers[-1].crs()
        item.setCrs(crs)
        item.setLayers(self.sheet.layers)
        item.setKeepLayerSet(True)
        item.setKeepLayerStyles(False)
        item.setFrameEnabled(True)
        item.setFrameStrokeWidth(QgsLayoutMeasurement(0.4, MM))
        item.setBackgroundColor(QColor("white"))
        item.zoomToExtent(self.sheet.extent)
        item.setScale(round_scale(item.scale()))
        item.setExtent(inside(item.extent(), self.sheet.layers[-1].extent()))
        self._grid(item)
        return item

    def _grid(self, item: QgsLayoutItemMap) -> None:
        interval = round_interval(max(item.extent().width(), item.extent().height()) / 5)
        grid = QgsLayoutItemMapGrid(tr("Coordinates"), item)
        item.grids().addGrid(grid)
        grid.setEnabled(True)
        grid.setIntervalX(interval)
        grid.setIntervalY(interval)
        grid.setStyle(QgsLayoutItemMapGrid.GridStyle.Cross)
        grid.setCrossLength(2.5)
        symbol = grid.lineSymbol()
        symbol.setColor(QColor(40, 40, 40, 160))
        symbol.setWidth(0.15)
        grid.setFrameStyle(QgsLayoutItemMapGrid.FrameStyle.ExteriorTicks)
        grid.setFrameWidth(1.2)
        grid.setFramePenSize(0.2)
        grid.setAnnotationEnabled(True)
        grid.setAnnotationFormat(QgsLayoutItemMapGrid.AnnotationFormat.CustomFormat)
        grid.setAnnotationExpression(spaced("@grid_number"))
        grid.setAnnotationPrecision(0)
        grid.setAnnotationTextFormat(text_format(5.5))
        grid.setAnnotationFrameDistance(0.4)
        vertical = QgsLayoutItemMapGrid.AnnotationDirection.Vertical
        sides = QgsLayoutItemMapGrid.BorderSide
        grid.setAnnotationDirection(vertical, sides.Left)
        grid.setAnnotationDirection(vertical, sides.Right)

    def _column(self, side: QRectF, item: QgsLayoutItemMap) -> None:
        self._box(side)
        x, width = side.x() + 3, side.width() - 6
        y = self._title_block(x, side.y() + 3, width, 0.36 * side.height())
        self._rule(side.x(), y, side.width())
        bottom = side.bottom() - self._scale_height(width)
        self._scale_block(QRectF(x, bottom + 2, width, side.bottom() - bottom - 3), item)
        self._rule(side.x(), bottom, side.width())
        matrix = matrix_height(self.sheet.scheme, self.scale)
        if matrix:
            bottom -= matrix + 3
            add_matrix(self.layout, self.sheet.scheme, QRectF(x, bottom + 2, width, matrix), self.scale)
            self._rule(side.x(), bottom, side.width())
        self._legend(x, y + 2, width, bottom - y - 3, item)

    def _band(self, side: QRectF, item: QgsLayoutItemMap) -> None:
        self._box(side)
        third = side.width() / 3
        self._title_block(side.x() + 3, side.y() + 3, third - 6, side.height() - 5)
        self._legend(side.x() + third + 3, side.y() + 3, third - 5, side.height() - 5, item)
        right = QRectF(side.x() + 2 * third + 3, side.y() + 3, third - 6, side.height() - 5)
        self._scale_block(right, item)
        matrix = matrix_height(self.sheet.scheme, self.scale)
        if matrix:
            where = QRectF(right.x(), side.bottom() - matrix - 1, right.width(), matrix)
            add_matrix(self.layout, self.sheet.scheme, where, self.scale)
        for share in (1, 2):
            self._box(QRectF(side.x() + share * third, side.y(), 0.01, side.height()))

    def _title_block(self, x: float, y: float, width: float, room: float) -> float:
        """Office and author below the title; all of it smaller if it would not fit. Returns the lower edge."""
        sheet = self.sheet
        lines = ((tr("Office"), sheet.office), (tr("Author"), sheet.author), (tr("Date"), sheet.date))
        lines = tuple((caption, value) for caption, value in lines if value)

        def height(text: str, at: float, points: float, bold: bool = False) -> float:
            return line_height(points) * (wrapped(text, at, points, bold).count("\n") + 1) + 0.6

        for scale in (self.scale * share for share in (1.0, 0.93, 0.86, 0.8, 0.74, 0.68, 0.6)):
            caption = 15 * scale
            needed = (13 * scale if sheet.logo else 0) + height(sheet.title, width, 13 * scale, True) + 1
            needed += line_height(11 * scale) + 1.6 if sheet.coverage is not None else 0
            needed += height(sheet.theme, width, 9 * scale) + 2
            needed += sum(height(value, width - caption, 7 * scale) + 0.4 for _, value in lines)
            if needed <= room and not breaks_words(sheet.title, width, 13 * scale, True):
                break
        if sheet.logo:
            picture = QgsLayoutItemPicture(self.layout)
            picture.setId("logo")
            picture.setPicturePath(sheet.logo)
            picture.setResizeMode(QgsLayoutItemPicture.ResizeMode.Zoom)
            picture.setPictureAnchor(QgsLayoutItem.ReferencePoint.UpperLeft)
            self.layout.addLayoutItem(picture)
            put(picture, QRectF(x, y, width, 11 * scale))
            y += 13 * scale
        y = self._paragraph(sheet.title, x, y, width, 13 * scale, "title", bold=True) + 1
        if sheet.coverage is not None:
            y = self._paragraph("[% @atlas_pagename %]", x, y, width, 11 * scale, "area", bold=True) + 1
        y = self._paragraph(sheet.theme, x, y, width, 9 * scale, "theme") + 2
        for name, value in lines:
            self._paragraph(name, x, y, caption, 7 * scale, colour="#666666")
            y = self._paragraph(value, x + caption, y, width - caption, 7 * scale) + 0.4
        return y + 1.5

    def _paragraph(
        self, text: str, x: float, y: float, width: float, points: float, name: str = "", bold: bool = False,
        colour: str = "#1a1a1a",
    ) -> float:  # fmt: skip
        """A text as high as it needs to be; returns its lower edge."""
        lines = text if "[%" in text else wrapped(text, width, points, bold)
        height = line_height(points) * (lines.count("\n") + 1) + 0.6
        label = put_label(self.layout, lines, QRectF(x, y, width, height), points, bold=bold, colour=colour)
        label.setId(name or text)
        return y + height

    def _legend(self, x: float, y: float, width: float, height: float, item: QgsLayoutItemMap) -> None:
        legend = QgsLayoutItemLegend(self.layout)
        legend.setId("legend")
        legend.setTitle(tr("Legend"))
        legend.setLinkedMap(item)
        legend.setAutoUpdateModel(False)
        tree = legend.model().rootGroup()
        emptied(tree)
        for layer in self.sheet.legend_layers:
            node = tree.addLayer(layer)
            if isinstance(layer, QgsRasterLayer):
                without_band_name(node)
                legend.model().refreshLayerLegend(node)
            self._wrap_labels(legend, node, width)
        legend.setSymbolHeight(3.0)
        legend.setSymbolWidth(5.0)
        legend.setBoxSpace(0.0)
        legend.setResizeToContents(True)
        legend.setBackgroundEnabled(False)
        legend.setWrapString("\n")
        size = self.scale
        for style, points, bold in (
            (QgsLegendStyle.Style.Title, 8.5, True),
            (QgsLegendStyle.Style.Subgroup, 7.5, True),
            (QgsLegendStyle.Style.SymbolLabel, 7, False),
        ):
            form = legend.style(style)
            font = QFont(FONT)
            font.setPointSizeF(points * size)
            font.setBold(bold)
            form.setFont(font)
            legend.setStyle(style, form)
        legend.rstyle(QgsLegendStyle.Style.Subgroup).setMargin(QgsLegendStyle.Side.Top, 2.0)
        self.layout.addLayoutItem(legend)
        legend.attemptMove(QgsLayoutPoint(x, y, MM))
        legend.adjustBoxSize()
        # Shrink what does not fit rather than print over the next box.
        room = min(width / max(legend.rect().width(), 1.0), height / max(legend.rect().height(), 1.0))
        if room < 1.0:
            shrink(legend, room)

    def _wrap_labels(self, legend: QgsLayoutItemLegend, node: QgsLayerTreeLayer, width: float) -> None:
        size = self.scale
        node.setCustomProperty("legend/title-label", wrapped(node.name(), width, 7.5 * size, True))
        # Labels count from the band's name, hidden or not.
        first = 1 if isinstance(node.layer(), QgsRasterLayer) else 0
        for number, entry in enumerate(legend.model().layerLegendNodes(node), first):
            text = str(entry.data(Qt.ItemDataRole.DisplayRole) or "")
            if text:
                QgsMapLayerLegendUtils.setLegendNodeUserLabel(node, number, wrapped(text, width - 8.5, 7 * size))
        legend.model().refreshLayerLegend(node)

    def _crs_text(self, item_crs: QgsCoordinateReferenceSystem) -> str:
        text = tr("Coordinates: {} ({})").format(item_crs.description(), item_crs.authid())
        return f"{text}\n{self.sheet.remarks}" if self.sheet.remarks else text

    def _scale_height(self, width: float) -> float:
        lines = wrapped(self._crs_text(self.sheet.layers[-1].crs()), width, 6 * self.scale).count("\n") + 1
        return 3 + 16.5 * self.scale + line_height(6 * self.scale) * lines

    def _scale_block(self, place: QRectF, item: QgsLayoutItemMap) -> None:
        scale = self.scale
        arrow = QgsLayoutItemPicture(self.layout)
        arrow.setId("north arrow")
        arrow.setPicturePath(str(NORTH_ARROW))
        arrow.setLinkedMap(item)
        arrow.setNorthMode(QgsLayoutItemPicture.NorthMode.GridNorth)
        self.layout.addLayoutItem(arrow)
        side = 13 * scale
        put(arrow, QRectF(place.right() - side, place.y(), side, side))
        number = put_label(
            self.layout, "", QRectF(place.x(), place.y(), place.width() - side - 1, 5 * scale), 8 * scale, bold=True
        )
        number.setId("scale")
        number.setText(tr("Scale") + " 1 : [% " + spaced("item_variables('map')['map_scale']") + " %]")
        bar = QgsLayoutItemScaleBar(self.layout)
        bar.setId("scale bar")
        bar.setLinkedMap(item)
        bar.setStyle("Single Box")
        bar.setUnits(QgsUnitTypes.DistanceUnit.DistanceMeters)
        bar.setUnitLabel("m")
        bar.setNumberOfSegmentsLeft(0)
        bar.setNumberOfSegments(4)
        bar.setHeight(1.6)
        bar.setTextFormat(text_format(6 * scale))
        bar.setBoxContentSpace(0.0)
        length = (place.width() - side - 8) / 1000 * item.scale()
        bar.setUnitsPerSegment(round_interval(length / 4, down=True))
        self.layout.addLayoutItem(bar)
        bar.attemptMove(QgsLayoutPoint(place.x(), place.y() + 6 * scale, MM))
        text = self._crs_text(item.crs())
        self._paragraph(text, place.x(), place.y() + 16 * scale, place.width(), 6 * scale, "crs", colour="#333333")

    def _atlas(self, item: QgsLayoutItemMap) -> None:
        if self.sheet.coverage is None:
            return
        atlas = self.layout.atlas()
        atlas.setCoverageLayer(self.sheet.coverage)
        atlas.setEnabled(True)
        if self.sheet.page_name:
            atlas.setPageNameExpression(f'"{self.sheet.page_name}"')
        item.setAtlasDriven(True)
        item.setAtlasScalingMode(QgsLayoutItemMap.AtlasScalingMode.Predefined)
        self.layout.renderContext().setPredefinedScales([float(scale) for scale in ROUND_SCALES])

    def _parameter_pages(self) -> None:
        small = 5.5 if not self.big else 7
        inner = self.width - 2 * MARGIN

        def new_page(number: int) -> QRectF:
            pages = self.layout.pageCollection()
            page = QgsLayoutItemPage(self.layout)
            page.setPageSize(QgsLayoutSize(self.width, self.height, MM))
            pages.addPage(page)
            top = number * (self.height + pages.spaceBetweenPages())
            heading = tr("Parameters") + " – " + self.sheet.title + (f" ({number})" if number > 1 else "")
            size = next((p for p in (12, 11, 10, 9, 8) if "\n" not in wrapped(heading, inner, p, True)), 7)
            put_label(self.layout, heading, QRectF(MARGIN, top + MARGIN, inner, 8), size, bold=True).setId("parameters")
            foot = QRectF(MARGIN, top + self.height - MARGIN - 4, inner, 4)
            put_label(self.layout, self.sheet.origin, foot, small, colour="#444444")
            return QRectF(MARGIN, top + MARGIN + 9, inner, self.height - 2 * MARGIN - 16)

        add_table(self.layout, self.sheet.table, inner, new_page, 6.5 if not self.big else 8.5)
        if self.sheet.coverage is not None:
            # Once is enough: with the first map of the atlas.
            for number in range(1, self.layout.pageCollection().pageCount()):
                self._page(number).dataDefinedProperties().setProperty(
                    QgsLayoutObject.DataDefinedProperty.ExcludeFromExports,
                    QgsProperty.fromExpression("@atlas_featurenumber > 1"),
                )

    # Small helpers

    def _page(self, number: int) -> QgsLayoutItemPage:
        return self.layout.pageCollection().page(number)

    def _box(self, place: QRectF) -> None:
        shape = QgsLayoutItemShape(self.layout)
        shape.setShapeType(QgsLayoutItemShape.Shape.Rectangle)
        symbol = shape.symbol()
        symbol.setColor(QColor(0, 0, 0, 0))
        symbol.symbolLayer(0).setStrokeColor(INK)
        symbol.symbolLayer(0).setStrokeWidth(0.3)
        shape.setSymbol(symbol)
        self.layout.addLayoutItem(shape)
        put(shape, place)

    def _rule(self, x: float, y: float, width: float) -> None:
        self._box(QRectF(x, y, width, 0.01))
