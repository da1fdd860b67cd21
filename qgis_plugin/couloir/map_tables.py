"""The table of parameters and origins on the second page of a hazard map."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from qgis.core import (
    QgsLayoutFrame,
    QgsLayoutItemManualTable,
    QgsLayoutMultiFrame,
    QgsLayoutTable,
    QgsLayoutTableColumn,
    QgsPrintLayout,
    QgsTableCell,
    QgsTextFormat,
    QgsUnitTypes,
)
from qgis.PyQt.QtCore import QRectF
from qgis.PyQt.QtGui import QColor, QFont

from .i18n import tr

#: Section, what, value.
Row = tuple[str, str, str]


def rows_of(manifest: dict[str, Any]) -> list[Row]:
    """What a reader needs to judge and repeat the run."""
    engine, project = manifest.get("engine", {}), manifest.get("project", {})
    grid = manifest.get("grid", {})
    run = tr("Run")
    rows: list[Row] = [
        (
            run,
            tr("engine"),
            f"{engine.get('name', '')} {engine.get('version', '')} ({str(engine.get('git_revision', ''))[:12]})",
        ),
        (run, tr("project file"), f"{project.get('file', '')}, SHA-256 {project.get('sha256', '')}"),
        (run, tr("seed"), str(manifest.get("seed", ""))),
        (run, tr("rocks"), str(manifest.get("rocks", ""))),
        (run, tr("finished"), str(manifest.get("this_run", {}).get("finished_utc", ""))),
        (
            run,
            tr("grid"),
            f"{grid.get('columns', '?')} × {grid.get('rows', '?')}, {grid.get('cell_x_m', 0):g} m, {manifest.get('crs', '')}",
        ),
    ]
    for scenario in manifest.get("scenarios", []):
        frequency = scenario.get("frequency_per_year")
        often = tr("{:.3g} rocks per year").format(frequency) if frequency else tr("no frequency given")
        rows.append((tr("Scenario"), str(scenario.get("name", "")), f"{scenario.get('rocks', '')} {tr('rocks')}, {often}"))
    for made in manifest.get("classifications", []):
        words = f"{made.get('scheme', '')}; {tr('quantile of the energy')} {made.get('quantile', '')}. {made.get('rule', '')}"
        rows.append((tr("Classification"), str(made.get("name", "")), words))
    stops = ", ".join(f"{n.replace('_', ' ')} {c}" for n, c in manifest.get("stop_reasons", {}).items() if c)
    rows.append((tr("Results"), tr("why rocks stopped"), stops))
    rows += [
        (tr("Input"), str(item.get("role", "")), f"{item.get('path', '')}, SHA-256 {str(item.get('sha256', ''))[:16]}…")
        for item in manifest.get("inputs", [])
    ]
    rows += [(tr("Parameter"), key, value) for key, value in flattened(project.get("document"))]
    rows += [(tr("Warning"), "", str(warning)) for warning in manifest.get("warnings", [])]
    return rows


def flattened(value: Any, path: str = "") -> list[tuple[str, str]]:
    """Keys and values of a project document in reading order: `release[0].volume_m3`, `0.2`."""
    if isinstance(value, dict):
        return [row for key, item in value.items() for row in flattened(item, f"{path}.{key}" if path else key)]
    if isinstance(value, list) and any(isinstance(item, (dict, list)) for item in value):
        return [row for number, item in enumerate(value) for row in flattened(item, f"{path}[{number}]")]
    return [] if value is None else [(path, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))]


#: A table longer than this many pages is cut off.
MOST_PAGES = 60


def add_table(layout: QgsPrintLayout, rows: list[Row], width: float, new_page: Callable[[int], QRectF], points: float) -> None:
    """A table over as many pages as it needs; `new_page` makes one (of the number given) and says where the table goes."""
    table = QgsLayoutItemManualTable.create(layout)
    layout.addMultiFrame(table)
    contents = []
    before = ""
    for section, key, value in rows:
        contents.append([QgsTableCell(section if section != before else ""), QgsTableCell(key), QgsTableCell(value)])
        before = section
    table.setTableContents(contents)
    widths = (0.12 * width, 0.30 * width, 0.57 * width)
    columns = []
    for heading, width in zip((tr("Section"), tr("Key"), tr("Value")), widths):
        column = QgsLayoutTableColumn(heading)
        column.setWidth(width)
        columns.append(column)
    table.setHeaders(columns)
    table.setColumnWidths(list(widths))
    table.setIncludeTableHeader(True)
    table.setWrapBehavior(QgsLayoutTable.WrapBehavior.WrapText)
    table.setCellMargin(0.5)
    table.setGridStrokeWidth(0.1)
    table.setGridColor(QColor("#999999"))
    for bold, apply in ((False, table.setContentTextFormat), (True, table.setHeaderTextFormat)):
        form, font = QgsTextFormat(), QFont("Open Sans")
        font.setBold(bold)
        form.setFont(font)
        form.setSize(points)
        form.setSizeUnit(QgsUnitTypes.RenderUnit.RenderPoints)
        apply(form)
    table.setResizeMode(QgsLayoutMultiFrame.ResizeMode.UseExistingFrames)
    for number in range(1, MOST_PAGES + 1):
        place = new_page(number)
        frame = QgsLayoutFrame(layout, table)
        frame.setId("parameter table" if number == 1 else f"parameter table, page {number}")
        frame.attemptSetSceneRect(place)
        table.addFrame(frame)
        table.recalculateFrameSizes()
        shown = sum(table.frame(n).rect().height() for n in range(table.frameCount()))
        if table.totalSize().height() <= shown + 0.01:
            return
