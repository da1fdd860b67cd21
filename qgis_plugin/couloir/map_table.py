"""The pages with parameters and origins behind a hazard map."""

from __future__ import annotations

import json
from typing import Any

from qgis import core
from qgis.core import QgsPrintLayout
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QColor, QFont

from . import fields, results
from .i18n import tr

#: Section, what, value.
Row = tuple[str, str, str]
MARGIN = 8.0
#: A table longer than this many pages is cut off.
MOST_PAGES = 60


def rows_of(run: results.Run) -> list[Row]:
    """What a reader needs to judge and repeat the run, in words."""
    manifest = run.manifest
    engine, project, grid = (manifest.get(key, {}) for key in ("engine", "project", "grid"))
    revision = str(engine.get("git_revision", ""))[:12]
    cells = f"{grid.get('columns', '?')} × {grid.get('rows', '?')}, {grid.get('cell_x_m', 0):g} m"
    rows: list[Row] = [
        (tr("Run"), tr("engine"), f"{engine.get('name', '')} {engine.get('version', '')} ({revision})"),
        (tr("Run"), tr("project file"), f"{project.get('file', '')}, SHA-256 {project.get('sha256', '')}"),
        (tr("Run"), tr("seed"), str(manifest.get("seed", ""))),
        (tr("Run"), tr("rocks"), str(manifest.get("rocks", ""))),
        (tr("Run"), tr("finished"), run.finished),
        (tr("Run"), tr("grid"), f"{cells}, {manifest.get('crs', '')}"),
    ]
    rows += _parameters(_report(run).get("form") or {"values": {}, "layers": {}, "other": []})
    for scenario in manifest.get("scenarios", []):
        frequency = scenario.get("frequency_per_year")
        often = tr("{:.3g} rocks per year").format(frequency) if frequency else tr("no frequency given")
        rows.append((tr("Released"), str(scenario.get("name", "")), f"{scenario.get('rocks', '')} {tr('rocks')}, {often}"))
    for made in manifest.get("classifications", []):
        words = f"{made.get('scheme', '')}; {tr('quantile of the energy')} {made.get('quantile', '')}. {made.get('rule', '')}"
        rows.append((tr("Classification"), str(made.get("name", "")), words))
    said = manifest.get("words", {})
    stops = ", ".join(f"{said.get(f'stop-{n}', n)} {c}" for n, c in manifest.get("stop_reasons", {}).items() if c)
    rows.append((tr("Results"), tr("why rocks stopped"), stops))
    for item in manifest.get("inputs", []):
        words = f"{item.get('path', '')}, SHA-256 {str(item.get('sha256', ''))[:16]}…"
        rows.append((tr("Input"), said.get(f"role-{item.get('role')}", str(item.get("role", ""))), words))
    return rows + [(tr("Warning"), "", warning) for warning in run.warnings]


def _parameters(form: dict[str, Any]) -> list[Row]:
    """The project as the panel would show it."""
    values, rows = form["values"], []
    given = {**dict.fromkeys(fields.BY_NAME), **values, **form["layers"]}
    silent = {"title", "runs", "seed", *fields.ignored(given, points=False)}
    for field in fields.FIELDS:
        value = values.get(field.name)
        if field.name in silent or value in (None, "", 0, 0.0):
            continue
        if field.kind == "choice":
            value = next((text for text, data in field.entries() if data == value), value)
        number = f"{value:g}" if isinstance(value, (int, float)) else str(value)
        rows.append((tr("Parameter"), tr(field.label).split(" (0:")[0], f"{number} {field.unit}".strip()))
    for row in values.get("scenarios", []):
        years = tr("{} years").format(row["years"]) if row["years"] else ""
        rows.append((tr("Scenario"), row["name"], ", ".join(filter(None, (row["size"], years, row["per_year"])))))
    return rows + [(tr("Other"), key.replace(".", " ▸ ").replace("_", " "), value) for key, value in form["other"]]


def _report(run: results.Run) -> dict[str, Any]:
    """What the engine's report says; nothing for a run without one."""
    try:
        found = json.loads((run.folder / "report.json").read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return found if isinstance(found, dict) else {}


def add_pages(layout: QgsPrintLayout, rows: list[Row], title: str, origin: str) -> None:
    """A table over as many pages as it needs, with title and origin on each."""
    first = layout.pageCollection().page(0).pageSize()
    width, height = first.width(), first.height()
    points = 8.5 if max(width, height) > 300 else 6.5
    table = core.QgsLayoutItemManualTable.create(layout)
    layout.addMultiFrame(table)
    contents, before = [], ""
    for section, key, value in rows:
        contents.append(
            [core.QgsTableCell(section if section != before else ""), core.QgsTableCell(key), core.QgsTableCell(value)]
        )
        before = section
    table.setTableContents(contents)
    widths = [share * (width - 2 * MARGIN) for share in (0.12, 0.30, 0.57)]
    columns = []
    for heading, column_width in zip((tr("Section"), tr("What"), tr("Value")), widths):
        column = core.QgsLayoutTableColumn(heading)
        column.setWidth(column_width)
        columns.append(column)
    table.setHeaders(columns)
    table.setColumnWidths(widths)
    table.setIncludeTableHeader(True)
    table.setWrapBehavior(core.QgsLayoutTable.WrapBehavior.WrapText)
    table.setCellMargin(0.5)
    table.setGridStrokeWidth(0.1)
    table.setGridColor(QColor("#999999"))
    for bold, apply in ((False, table.setContentTextFormat), (True, table.setHeaderTextFormat)):
        form, font = core.QgsTextFormat(), QFont("Open Sans")
        font.setBold(bold)
        form.setFont(font)
        form.setSize(points)
        form.setSizeUnit(core.QgsUnitTypes.RenderUnit.RenderPoints)
        apply(form)
    table.setResizeMode(core.QgsLayoutMultiFrame.ResizeMode.UseExistingFrames)
    for number in range(1, MOST_PAGES + 1):
        frame = core.QgsLayoutFrame(layout, table)
        frame.setId("parameter table" if number == 1 else f"parameter table, page {number}")
        frame.attemptSetSceneRect(_page(layout, number, title, origin, points))
        table.addFrame(frame)
        table.recalculateFrameSizes()
        taken = sum(table.frame(n).rect().height() for n in range(table.frameCount()))
        if table.totalSize().height() <= taken + 0.01:
            break
    for number in range(1, layout.pageCollection().pageCount()) if layout.atlas().enabled() else ():
        # Once is enough: with the first map of the atlas.
        kind = core.QgsLayoutObject.DataDefinedProperty.ExcludeFromExports
        once = core.QgsProperty.fromExpression("@atlas_featurenumber > 1")
        layout.pageCollection().page(number).dataDefinedProperties().setProperty(kind, once)


def _page(layout: QgsPrintLayout, number: int, title: str, origin: str, points: float) -> QRectF:
    """A new page with title and origin; returns the room for the table."""
    pages = layout.pageCollection()
    size = pages.page(0).pageSize()
    page = core.QgsLayoutItemPage(layout)
    page.setPageSize(size)
    pages.addPage(page)
    top, inner = number * (size.height() + pages.spaceBetweenPages()), size.width() - 2 * MARGIN
    heading = f"{title} ({number})" if number > 1 else title
    large = 12 if len(heading) < inner / 3 else 8
    for text, y, bold, points_ in (
        (heading, top + MARGIN, True, large),
        (origin, top + size.height() - MARGIN - 4, False, points - 1),
    ):
        label, font = core.QgsLayoutItemLabel(layout), QFont("Open Sans")
        label.setId("parameters" if bold else "")
        font.setPointSizeF(points_)
        font.setBold(bold)
        label.setFont(font)
        label.setText(text)
        layout.addLayoutItem(label)
        label.attemptSetSceneRect(QRectF(MARGIN, y, inner, 8 if bold else 4))
    return QRectF(MARGIN, top + MARGIN + 9, inner, size.height() - 2 * MARGIN - 16)
