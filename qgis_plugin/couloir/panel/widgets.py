"""What makes the panel fit any width: buttons that flow into rows, tabs that shorten to numbers."""

from __future__ import annotations

from typing import Callable

from qgis.PyQt.QtCore import QSize
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import QHBoxLayout, QPushButton, QSizePolicy, QTabWidget, QVBoxLayout, QWidget

GAP = 4


class ButtonRows(QWidget):
    """Buttons in as few rows as the width allows: no caption is cut off, in any language."""

    def __init__(self, *buttons: tuple[str, Callable[[], object]]) -> None:
        super().__init__()
        self.arrangement: list[list[int]] = []
        self.buttons: list[QPushButton] = []
        self.rows = QVBoxLayout(self)
        self.rows.setContentsMargins(0, 0, 0, 0)
        self.rows.setSpacing(GAP)
        for text, action in buttons:
            button = QPushButton(text, self)
            button.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
            button.clicked.connect(lambda _checked=False, do=action: do())
            self.buttons.append(button)
        self._arrange([list(range(len(self.buttons)))])

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        rows: list[list[int]] = []
        room = 0
        for number, button in enumerate(self.buttons):
            needed = button.sizeHint().width() + GAP
            if not rows or needed > room:
                rows.append([])
                room = self.width() + GAP
            rows[-1].append(number)
            room -= needed
        self._arrange(rows)
        super().resizeEvent(event)

    def _arrange(self, rows: list[list[int]]) -> None:
        if rows == self.arrangement:
            return
        self.arrangement = rows
        while self.rows.count():
            self.rows.takeAt(0)
        for numbers in rows:
            row = QHBoxLayout()
            row.setSpacing(GAP)
            for number in numbers:
                row.addWidget(self.buttons[number])
            self.rows.addLayout(row)
        self.updateGeometry()


class StepTabs(QTabWidget):
    """Tabs numbered as steps; where the panel is too narrow for all titles, only the open one is spelled out."""

    def __init__(self) -> None:
        super().__init__()
        self.titles: list[str] = []
        self.setUsesScrollButtons(False)
        self.currentChanged.connect(lambda _index: self._label())

    def add(self, page: QWidget, title: str) -> None:
        self.titles.append(title)
        self.setTabToolTip(self.addTab(page, title), title)
        self._label()

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._label()

    def _label(self) -> None:
        metrics = self.tabBar().fontMetrics()
        # About what a style adds to each tab.
        needed = sum(metrics.horizontalAdvance(title) + 28 for title in self.titles)
        for index, title in enumerate(self.titles):
            spelled = needed <= self.width() or index == self.currentIndex()
            text = title.replace("&", "&&") if spelled else str(index + 1)
            if self.tabText(index) != text:
                self.setTabText(index, text)
