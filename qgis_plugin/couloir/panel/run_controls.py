"""Start, quick look, cancel, and how far the run is."""

from __future__ import annotations

from typing import Any

from qgis.PyQt.QtCore import pyqtSignal
from qgis.PyQt.QtWidgets import QCheckBox, QLabel, QProgressBar, QVBoxLayout, QWidget

from ..engine import Progress, duration
from ..i18n import tr
from .widgets import ButtonRows

#: Rocks of a quick look.
FEW = 200


class RunControls(QWidget):
    #: With the engine's options.
    start = pyqtSignal(list)
    cancel = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.estimate, self.state, self.progress = QLabel(), QLabel(), QProgressBar()
        quick = ["--limit", str(FEW)]
        self.stable = QCheckBox(tr("Add rocks until the map has settled"))
        self.stable.setToolTip(
            tr("Batches of rocks are added until zones and quantiles no longer change; else each position once.")
        )
        self.stable.setChecked(True)
        buttons = ButtonRows(
            (tr("Start run"), lambda: self.start.emit(["--until-stable"] if self.stable.isChecked() else [])),
            (tr("Quick look"), lambda: self.start.emit(quick)),
            (tr("Cancel"), self.cancel.emit),
        )
        self.run_button, self.quick_button, self.cancel_button = buttons.buttons
        self.run_button.setObjectName("run")
        self.run_button.setToolTip(tr("Runs into a new folder."))
        self.quick_button.setToolTip(tr("Only {} rocks, to try parameters; not a result to hand in.").format(FEW))
        self.cancel_button.setToolTip(tr("Ends the run and removes what is half-made."))
        self.cancel_button.setEnabled(False)
        layout = QVBoxLayout(self)
        layout.setContentsMargins(0, 0, 0, 0)
        for widget in (self.estimate, self.stable, buttons, self.progress, self.state):
            layout.addWidget(widget)
        for label in (self.estimate, self.state):
            label.setWordWrap(True)

    def show_survey(self, survey: dict[str, Any], running: bool) -> None:
        ready = survey["status"] != "error" and not running
        self.run_button.setEnabled(ready)
        self.quick_button.setEnabled(ready)
        found = survey.get("estimate") or {}
        if "time_s" in found:
            rocks = max(int(survey.get("trajectories") or 1), 1)
            quick = duration(found["time_s"] * min(FEW / rocks, 1.0))
            words = tr("Estimated time {}, quick look {}; memory {:.0f} MB.")
            self.estimate.setText(words.format(duration(found["time_s"]), quick, found.get("memory_bytes", 0) / 1e6))

    def begin(self) -> None:
        for button in (self.run_button, self.quick_button):
            button.setEnabled(False)
        self.cancel_button.setEnabled(True)
        self.progress.setValue(0)
        self.state.setText(tr("Starting…"))

    def show_progress(self, now: Progress) -> None:
        if now.total > 0:
            self.progress.setValue(int(max(0.0, min(1.0, now.done / now.total)) * 100))
        self.state.setText(now.text())

    def end(self, text: str, percent: int = 0) -> None:
        for button in (self.run_button, self.quick_button):
            button.setEnabled(True)
        self.cancel_button.setEnabled(False)
        self.progress.setValue(percent)
        self.state.setText(text)
