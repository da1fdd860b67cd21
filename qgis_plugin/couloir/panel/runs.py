"""The page “Results”: earlier runs, to open, compare, report on and repeat with changes."""

from __future__ import annotations

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
from .buttons import ButtonRows


class ResultsPage(QWidget):
    rerun = pyqtSignal(object)
    tool = pyqtSignal(str, dict)
    compared = pyqtSignal(list)
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
        self.note = QLabel(tr("Runs found in the folder of the runs, newest first. Select two or more to compare them."))
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

    def refresh(self, places: list[Path]) -> None:
        self.list.clear()
        found = {run.folder.resolve(): run for place in places if place.is_dir() for run in results.find_runs(place)}
        self.runs = sorted(found.values(), key=lambda run: run.finished, reverse=True)
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
        for run in self.selected()[:1]:
            self.rerun.emit(run)

    def _tool(self, name: str) -> None:
        for run in self.selected()[:1]:
            self.tool.emit(name, {"RUN": str(run.folder)})

    def compare(self) -> None:
        """The oldest of the selected runs is A; each of the others is compared with it."""
        chosen = sorted(self.selected(), key=lambda run: run.finished)
        if len(chosen) < 2:
            self.failed.emit(tr("Select two or more runs (Ctrl or Shift and click) to compare them."))
            return
        self.compared.emit(chosen)

    def show_comparison(self, pages: list[str]) -> None:
        dialog = QDialog(self)
        dialog.setObjectName("comparison")
        dialog.setWindowTitle(tr("Compare runs"))
        dialog.resize(860, 640)
        browser = QTextBrowser()
        browser.setHtml("<hr>".join(pages))
        layout = QVBoxLayout(dialog)
        layout.addWidget(browser)
        dialog.show()
        self.dialog = dialog
