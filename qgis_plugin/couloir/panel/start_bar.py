"""Says what the panel starts from, with the way back."""

from __future__ import annotations

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QHBoxLayout, QLabel, QPushButton, QWidget

from ..i18n import tr
from ..starting_point import Start


class StartBar(QWidget):
    forget = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.text = QLabel()
        self.text.setWordWrap(True)
        button = QPushButton(tr("Start afresh"))
        button.clicked.connect(lambda _checked=False: self.forget.emit())
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.addWidget(self.text, 1)
        row.addWidget(button)
        self.hide()

    def show_start(self, start: Start | None) -> None:
        self.setVisible(start is not None)
        self.text.setText(start.sentence() if start is not None else "")
        self.text.setToolTip("\n".join(start.kept) if start is not None else "")
