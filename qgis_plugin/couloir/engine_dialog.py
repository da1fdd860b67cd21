"""Asks where the engine is: its executable or its folder, typed or chosen."""

from __future__ import annotations

from qgis.gui import QgsFileWidget
from qgis.PyQt.QtWidgets import QDialog, QDialogButtonBox, QLabel, QVBoxLayout, QWidget

from .i18n import tr


class EngineDialog(QDialog):
    def __init__(self, parent: QWidget | None, current: str) -> None:
        super().__init__(parent)
        self.setWindowTitle(tr("Couloir engine"))
        self.resize(560, 0)
        question = QLabel(tr("Executable of the engine, or its folder (empty: found in the QGIS profile or on PATH)"))
        question.setWordWrap(True)
        self.place = QgsFileWidget()
        self.place.setStorageMode(QgsFileWidget.StorageMode.GetFile)
        self.place.setFilePath(current)
        buttons = QDialogButtonBox(QDialogButtonBox.StandardButton.Ok | QDialogButtonBox.StandardButton.Cancel)
        buttons.accepted.connect(self.accept)
        buttons.rejected.connect(self.reject)
        layout = QVBoxLayout(self)
        for widget in (question, self.place, buttons):
            layout.addWidget(widget)

    def answer(self) -> str:
        return str(self.place.filePath() or "").strip().strip('"')
