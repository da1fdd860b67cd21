"""The table of scenarios: for the same release areas a block size, how often it comes, and a colour for each."""

from __future__ import annotations

from textwrap import wrap
from typing import Any

from qgis.PyQt import QtWidgets
from qgis.PyQt.QtCore import Qt, pyqtSignal
from qgis.PyQt.QtGui import QColor

from ..i18n import noop, tr
from .widgets import ButtonRows

COLUMNS = (
    ("name", noop("Scenario"), noop("Its name on maps and in tables.")),
    ("size", noop("Size"), noop(
        "In m³ or kg, as chosen above: a number (0.5), a range (0.2 – 2), a power law (0.1 – 5, power 1.2), a log-normal "
        "(median 1, sigma 0.5), a list (0.1; 0.5; 2), or an attribute of the release areas. Empty: the size above.")),
    ("years", noop("Return period (years)"), noop("Of the scenario, for hazard zones.")),
    ("per_year", noop("Rocks per year and area"), noop(
        "A number or an attribute of the release areas. Empty: one rock in the return period.")),
)  # fmt: skip
COLOURS = ("#d7191c", "#2c7bb6", "#e6ab02", "#1b9e77", "#7570b3", "#e7298a")
USUAL_YEARS = ("30", "100", "300")


class ScenarioTable(QtWidgets.QWidget):
    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.setObjectName("scenarios")
        self.table = QtWidgets.QTableWidget(0, len(COLUMNS))
        self.table.setHorizontalHeaderLabels(["\n".join(wrap(tr(words), 13)) for _, words, _ in COLUMNS])
        for column, (_, _, tip) in enumerate(COLUMNS):
            self.table.horizontalHeaderItem(column).setToolTip(tr(tip))
        header = self.table.horizontalHeader()
        header.setSectionResizeMode(QtWidgets.QHeaderView.ResizeMode.Stretch)
        header.setMinimumHeight(3 * header.fontMetrics().height() + 10)
        self.table.verticalHeader().setToolTip(tr("Double click: the colour of the scenario on the map."))
        self.table.verticalHeader().sectionDoubleClicked.connect(self.choose_colour)
        self.table.itemChanged.connect(lambda _item: self.changed.emit())
        self.note = QtWidgets.QLabel(tr("Without scenarios all rocks are one: give how often they come above."))
        self.note.setWordWrap(True)
        layout = QtWidgets.QVBoxLayout(self)
        layout.setContentsMargins(0, 4, 0, 4)
        layout.addWidget(QtWidgets.QLabel(f"<b>{tr('Scenarios')}</b>"))
        layout.addWidget(self.note)
        layout.addWidget(self.table)
        layout.addWidget(
            ButtonRows((tr("Add scenario"), self.add), (tr("Remove"), self.remove), (tr("Colour…"), self.choose_colour))
        )
        self._fit()

    def _fit(self) -> None:
        rows = self.table.rowCount()
        self.table.setVisible(rows > 0)
        self.note.setVisible(rows == 0)
        self.table.setFixedHeight(self.table.horizontalHeader().minimumHeight() + 8 + 30 * max(rows, 1))

    def add(self) -> None:
        number = self.table.rowCount()
        years = USUAL_YEARS[number] if number < len(USUAL_YEARS) else ""
        name = tr("{} years").format(years) if years else tr("Scenario {}").format(number + 1)
        self._append({"name": name, "size": "", "years": years, "per_year": ""})
        self.changed.emit()

    def _append(self, row: dict[str, str]) -> None:
        number = self.table.rowCount()
        self.table.blockSignals(True)
        self.table.insertRow(number)
        for column, (key, _, tip) in enumerate(COLUMNS):
            item = QtWidgets.QTableWidgetItem(str(row.get(key) or ""))
            item.setToolTip(tr(tip))
            self.table.setItem(number, column, item)
        self._paint(number, row.get("colour") or COLOURS[number % len(COLOURS)])
        self.table.blockSignals(False)
        self._fit()

    def _paint(self, number: int, colour: str) -> None:
        sign = QtWidgets.QTableWidgetItem("■")
        sign.setForeground(QColor(colour))
        sign.setData(Qt.ItemDataRole.UserRole, colour)
        self.table.setVerticalHeaderItem(number, sign)

    def remove(self) -> None:
        self.table.removeRow(self.table.currentRow() if self.table.currentRow() >= 0 else self.table.rowCount() - 1)
        self._fit()
        self.changed.emit()

    def choose_colour(self, number: int | None = None) -> None:
        number = self.table.currentRow() if number is None else number
        if number >= 0:
            before = self.rows()[number]["colour"]
            colour = QtWidgets.QColorDialog.getColor(QColor(before), self, tr("Colour of the scenario"))
            if colour.isValid():
                self._paint(number, colour.name())
                self.changed.emit()

    def rows(self) -> list[dict[str, Any]]:
        def text(number: int, column: int) -> str:
            item = self.table.item(number, column)
            return item.text().strip() if item is not None else ""

        return [
            {
                **{key: text(number, column) for column, (key, _, _) in enumerate(COLUMNS)},
                "colour": self.table.verticalHeaderItem(number).data(Qt.ItemDataRole.UserRole),
            }
            for number in range(self.table.rowCount())
        ]

    def restore(self, rows: list[dict[str, Any]]) -> None:
        self.table.blockSignals(True)
        self.table.setRowCount(0)
        self.table.blockSignals(False)
        for row in rows:
            self._append(row)
        self._fit()
