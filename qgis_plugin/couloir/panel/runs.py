"""The page “Results”: earlier runs, to open, compare, report on and repeat with changes."""

from __future__ import annotations

import html
import json
from pathlib import Path
from typing import Any

from qgis.core import QgsProject
from qgis.PyQt.QtCore import Qt, QUrl, pyqtSignal
from qgis.PyQt.QtGui import QDesktopServices
from qgis.PyQt.QtWidgets import (
    QAbstractItemView,
    QDialog,
    QLabel,
    QListWidget,
    QListWidgetItem,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from .. import results
from ..i18n import tr
from ..map_tables import rows_of
from .buttons import ButtonRows
from .choices import STATE_FILE


class ResultsPage(QWidget):
    rerun = pyqtSignal(dict)
    tool = pyqtSignal(str, dict)
    failed = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[results.Run] = []
        self.list = QListWidget()
        self.list.setSelectionMode(QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMinimumHeight(90)
        self.list.itemDoubleClicked.connect(lambda _item: self.open_selected())
        self.note = QLabel(tr("Runs found in the folder of the runs, newest first. Select two to compare them."))
        self.note.setWordWrap(True)
        buttons: tuple[tuple[str, Any], ...] = (
            (tr("Open"), self.open_selected),
            (tr("Compare"), self.compare),
            (tr("Rerun with changes"), self.repeat),
            (tr("Report"), self.report),
            (tr("Classify…"), lambda: self._tool("classify")),
            (tr("Hazard map…"), lambda: self._tool("layout")),
            (tr("Barrier report…"), lambda: self._tool("barrier")),
        )
        layout = QVBoxLayout(self)
        layout.addWidget(self.note)
        layout.addWidget(self.list, 1)
        layout.addWidget(ButtonRows(*buttons))

    def refresh(self, place: Path | None) -> None:
        self.list.clear()
        self.runs = results.find_runs(place) if place is not None and place.is_dir() else []
        for run in self.runs:
            rocks = run.manifest.get("rocks", "?")
            item = QListWidgetItem(f"{run.title}\n{run.finished}, {rocks} {tr('rocks')}")
            item.setToolTip(str(run.folder))
            self.list.addItem(item)
        if self.runs:
            self.list.setCurrentRow(0)

    def selected(self) -> list[results.Run]:
        return [self.runs[index.row()] for index in self.list.selectedIndexes()]

    def open_selected(self) -> None:
        for run in self.selected():
            results.load(run, QgsProject.instance())

    def report(self) -> None:
        for run in self.selected()[:1]:
            QDesktopServices.openUrl(QUrl.fromLocalFile(str(run.folder / "report.html")))

    def repeat(self) -> None:
        """Puts the settings of a run back into the panel; runs made elsewhere open in the toolbox dialog."""
        for run in self.selected()[:1]:
            state = run.folder.parent / "inputs" / STATE_FILE
            try:
                self.rerun.emit(json.loads(state.read_text("utf-8")))
            except (OSError, ValueError):
                self.failed.emit(tr("“{}” was not started from this panel; run its project file again.").format(run.folder))
                self.tool.emit("run", {})

    def _tool(self, name: str) -> None:
        for run in self.selected()[:1]:
            self.tool.emit(name, {"RUN": str(run.folder)})

    def compare(self) -> None:
        chosen = self.selected()
        if len(chosen) != 2:
            self.failed.emit(tr("Select two runs to compare them."))
            return
        for run in chosen:
            results.load(run, QgsProject.instance())
        dialog = QDialog(self)
        dialog.setWindowTitle(tr("Compare runs"))
        dialog.resize(760, 560)
        page = QTextBrowser()
        page.setHtml(comparison(*chosen))
        layout = QVBoxLayout(dialog)
        layout.addWidget(page)
        dialog.show()
        self.dialog = dialog


def comparison(first: results.Run, second: results.Run) -> str:
    """What differs between two runs, as a table."""

    def values(run: results.Run) -> dict[tuple[str, str], str]:
        return {(section, key): value for section, key, value in rows_of(run.manifest)}

    one, two = values(first), values(second)
    rows = ""
    for section, key in dict.fromkeys([*one, *two]):
        left, right = one.get((section, key), "–"), two.get((section, key), "–")
        if left != right:
            cells = "".join(f"<td>{html.escape(text)}</td>" for text in (f"{section}: {key}", left, right))
            rows += f"<tr>{cells}</tr>"
    heads = "".join(f"<th align='left'>{html.escape(t)}</th>" for t in ("", str(first.folder), str(second.folder)))
    note = html.escape(tr("Only what differs is listed. Both runs are in the layer tree: switch their groups on and off."))
    return f"<p>{note}</p><table border='1' cellspacing='0' cellpadding='3'><tr>{heads}</tr>{rows}</table>"
