"""The page “Results”: earlier runs, to open, compare, report on and repeat with changes."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

from qgis.core import QgsProject
from qgis.PyQt import QtWidgets
from qgis.PyQt.QtCore import Qt, pyqtSignal

from .. import dialogs, results
from ..errors import Unusable
from ..i18n import tr
from ..run_folders import unused
from .widgets import ButtonRows


class ResultsPage(QtWidgets.QWidget):
    rerun = pyqtSignal(object)
    mapped = pyqtSignal(dict)
    failed = pyqtSignal(str)

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[results.Run] = []
        self.list = QtWidgets.QListWidget()
        self.list.setSelectionMode(QtWidgets.QAbstractItemView.SelectionMode.ExtendedSelection)
        self.list.setWordWrap(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setMinimumHeight(90)
        self.list.itemDoubleClicked.connect(lambda _item: self.open_selected())
        note = QtWidgets.QLabel(tr("Runs found in the folder of the runs, newest first. Select two or more to compare them."))
        note.setWordWrap(True)
        buttons: tuple[tuple[str, Any], ...] = (
            (tr("Open"), self.open_selected),
            (tr("Open run folder…"), self.choose),
            (tr("Compare"), self.compare),
            (tr("Rerun with changes"), lambda: self._first(self.rerun.emit)),
            (tr("Report"), lambda: self._first(lambda run: dialogs.open_file(run.folder / "report.html"))),
            (tr("Classify…"), lambda: self._first(lambda run: dialogs.open_tool("classify", {"RUN": str(run.folder)}))),
            (tr("Hazard map…"), lambda: self._first(self.map)),
            (tr("Barrier report…"), lambda: self._first(self.barrier)),
        )
        layout = QtWidgets.QVBoxLayout(self)
        layout.addWidget(note)
        layout.addWidget(self.list, 1)
        layout.addWidget(ButtonRows(*buttons))

    def refresh(self, places: list[Path]) -> None:
        self.list.clear()
        found = {run.folder.resolve(): run for place in places if place.is_dir() for run in results.find_runs(place)}
        self.runs = sorted(found.values(), key=lambda run: run.finished, reverse=True)
        for run in self.runs:
            sign = "⚠ " if run.warnings else ""
            text = f"{sign}{run.title}\n{run.finished}, {run.manifest.get('rocks', '?')} {tr('rocks')}"
            item = QtWidgets.QListWidgetItem(text)
            item.setToolTip("\n".join([str(run.folder), *run.warnings]))
            self.list.addItem(item)
        if self.runs:
            self.list.setCurrentRow(0)

    def selected(self) -> list[results.Run]:
        return [self.runs[index.row()] for index in self.list.selectedIndexes()]

    def _first(self, action: Any) -> None:
        chosen = self.selected()
        action(chosen[0]) if chosen else self.failed.emit(tr("Select a run first."))

    def open_selected(self) -> None:
        for run in self.selected():
            results.load_gently(run, QgsProject.instance(), lambda _group: None)

    def choose(self) -> None:
        place = QtWidgets.QFileDialog.getExistingDirectory(self, tr("Open run folder…"), QgsProject.instance().homePath())
        if place:
            self.open_folder(Path(place))

    def open_folder(self, place: Path) -> None:
        """A run anywhere: its folder, or the one around it."""
        try:
            run = results.read(place / "run" if (place / "run" / "manifest.json").is_file() else place)
        except Unusable as error:
            self.failed.emit(str(error))
            return
        results.load_gently(run, QgsProject.instance(), lambda _group: None)

    def map(self, run: results.Run) -> None:
        """The sheet goes beside the run, where it is found again."""
        pdf = unused(run.folder.parent / f"{_file_name(run.manifest.get('project', {}).get('title') or run.name)}.pdf")
        dialogs.open_tool("layout", {"RUN": str(run.folder), "PDF": str(pdf)}, self.mapped.emit)

    def barrier(self, run: results.Run) -> None:
        page = unused(run.folder.parent / "barrier_report.html")
        dialogs.open_tool(
            "barrier", {"RUN": str(run.folder), "OUTPUT": str(page)}, lambda made: dialogs.open_file(made["OUTPUT"])
        )

    def compare(self) -> None:
        """The oldest of the selected runs is A; each of the others is compared with it."""
        first, *others = sorted(self.selected(), key=lambda run: run.finished) or [None]
        if not others:
            self.failed.emit(tr("Select two or more runs (Ctrl or Shift and click) to compare them."))
        for other in others:
            place = unused(first.folder.parent / "comparisons" / f"{first.name} - {other.name}")
            given = {"FIRST": str(first.folder), "SECOND": str(other.folder), "OUTPUT": str(place)}
            dialogs.open_tool("compare", given, lambda made: dialogs.open_file(made["PAGE"]))


def _file_name(title: str) -> str:
    return re.sub(r'[\\/:*?"<>|\x00-\x1f]+', "_", title).strip(". ")[:80] or "map"
