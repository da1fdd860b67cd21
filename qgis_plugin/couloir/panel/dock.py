"""The guided panel: Site → Rocks → Ground & forest → Run → Results, with checks that follow every change."""

from __future__ import annotations

import html
import json
import shutil
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from qgis import processing
from qgis.core import Qgis, QgsApplication, QgsProject, QgsSettings
from qgis.gui import QgisInterface, QgsDockWidget
from qgis.PyQt.QtCore import QSize, Qt, QTimer
from qgis.PyQt.QtWidgets import (
    QHBoxLayout,
    QLabel,
    QMainWindow,
    QProgressBar,
    QPushButton,
    QScrollArea,
    QTextBrowser,
    QVBoxLayout,
    QWidget,
)

from .. import engine, results
from ..algorithms.base import duration
from ..export import Unusable
from ..i18n import tr
from .buttons import ButtonRows, StepTabs
from .choices import write_project
from .draw import DrawTool
from .pages import GroundPage, Page, RocksPage, RunPage, SitePage
from .runs import ResultsPage
from .tasks import CheckTask, RunTask

SCOPE = "couloir"
COLOURS = {"ok": "#1a7f37", "warning": "#9a6700", "error": "#b3261e"}


class CouloirDock(QgsDockWidget):
    def __init__(self, iface: QgisInterface) -> None:
        super().__init__(tr("Couloir rockfall"))
        self.setObjectName("CouloirDock")
        self.iface = iface
        self.scratch = Path(tempfile.mkdtemp(prefix="couloir-panel-"))
        self.check_task: CheckTask | None = None
        self.run_task: RunTask | None = None
        self.draw_tool: DrawTool | None = None
        self.restoring = False
        self.site, self.rocks, self.ground, self.run_page = SitePage(), RocksPage(), GroundPage(), RunPage()
        self.results_page = ResultsPage()
        self.tabs = StepTabs()
        titles = (tr("Site"), tr("Rocks"), tr("Ground & forest"), tr("Run"), tr("Results"))
        for title, page in zip(titles, (*self.pages(), self.results_page)):
            self.tabs.add(_scrolling(page), title)
        self.checks = QTextBrowser()
        self.checks.setObjectName("checks")
        self.checks.setMaximumHeight(150)
        self.checks.setOpenLinks(False)
        self.checks.anchorClicked.connect(lambda _url: self.open_tool("prepare", {}))
        self._build_run_controls()
        body = _Body()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.tabs, 1)
        layout.addWidget(self._steps())
        layout.addWidget(QLabel(f"<b>{tr('Checks')}</b>"))
        layout.addWidget(self.checks)
        self.setWidget(body)
        # Wait until the user pauses before checking.
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(700)
        self.timer.timeout.connect(self.settled)
        for page in self.pages():
            page.changed.connect(self.changed)
        self.site.draw.connect(self.draw)
        self.site.prepare.connect(lambda: self.open_tool("prepare", {}))
        self.site.find_release.connect(self._find_release)
        self.results_page.rerun.connect(self.restore)
        self.results_page.tool.connect(self.open_tool)
        self.results_page.failed.connect(lambda text: self.say(text, Qgis.MessageLevel.Warning))
        self.tabs.currentChanged.connect(lambda _index: self.results_page.refresh(self.runs_folder()))
        QgsProject.instance().readProject.connect(self.read_project)
        QgsProject.instance().cleared.connect(self.changed)
        self.visibilityChanged.connect(self._shown)
        self.read_project()

    def _shown(self, visible: bool) -> None:
        if not visible:
            return
        self.timer.start()
        # QGIS opens a new dock at its smallest width; from then on it keeps what the user makes of it.
        settings, window = QgsSettings(), self.parent()
        if isinstance(window, QMainWindow) and not settings.value("couloir/panel_opened", False, type=bool):
            settings.setValue("couloir/panel_opened", True)
            window.resizeDocks([self], [self.widget().sizeHint().width()], Qt.Orientation.Horizontal)

    def _build_run_controls(self) -> None:
        self.run_button, self.cancel_button = QPushButton(tr("Start run")), QPushButton(tr("Cancel"))
        self.run_button.setObjectName("run")
        self.cancel_button.setEnabled(False)
        self.run_button.clicked.connect(self.start)
        self.cancel_button.clicked.connect(self.cancel)
        self.progress, self.state = QProgressBar(), QLabel()
        self.state.setWordWrap(True)
        self.estimate = QLabel()
        self.estimate.setWordWrap(True)
        row = QHBoxLayout()
        row.addWidget(self.run_button)
        row.addWidget(self.cancel_button)
        position = self.run_page.outer.count() - 1
        for widget in (self.estimate, _holding(row), self.progress, self.state):
            self.run_page.outer.insertWidget(position, widget)
            position += 1

    def _steps(self) -> QWidget:
        def turn(by: int) -> None:
            self.tabs.setCurrentIndex(self.tabs.currentIndex() + by)

        return ButtonRows((tr("◂ Back"), lambda: turn(-1)), (tr("Next ▸"), lambda: turn(1)))

    # Settings

    def pages(self) -> tuple[Page, ...]:
        return self.site, self.rocks, self.ground, self.run_page

    def values(self) -> dict[str, Any]:
        return {name: value for page in self.pages() for name, value in page.values().items()}

    def changed(self) -> None:
        """Settings are kept and checked when the user pauses."""
        if not self.restoring:
            self.timer.start()

    def settled(self) -> None:
        # Not earlier: while a project is being opened, its own settings must not be overwritten.
        self.keep()
        self.check()

    def keep(self) -> None:
        """The settings belong to the QGIS project, so that it can be passed to a colleague."""
        values = self.values()
        text = json.dumps(values, ensure_ascii=False)
        if values["dem"] and QgsProject.instance().readEntry(SCOPE, "panel", "")[0] != text:
            QgsProject.instance().writeEntry(SCOPE, "panel", text)

    def read_project(self) -> None:
        try:
            values = json.loads(QgsProject.instance().readEntry(SCOPE, "panel", "")[0] or "{}")
        except ValueError:
            values = {}
        if values:
            self.restore(values)
        else:
            self.timer.start()

    def restore(self, values: dict[str, Any]) -> None:
        self.restoring = True
        try:
            for page in self.pages():
                page.restore(values)
        finally:
            self.restoring = False
        self.changed()

    def runs_folder(self) -> Path | None:
        chosen = self.run_page.values()["runs"]
        if chosen:
            return Path(chosen)
        home = QgsProject.instance().homePath()
        return Path(home) / "couloir_runs" if home else None

    # Checks

    def check(self) -> None:
        if not self.isVisible() or self.run_task is not None:
            return
        if self.check_task is not None:
            # One check at a time; the newest settings are checked next.
            self.timer.start()
            return
        folder = self.scratch / "check"
        shutil.rmtree(folder, ignore_errors=True)
        try:
            engine.find()
            project = write_project(self.values(), self.ground, folder)
        except (Unusable, engine.EngineError, OSError) as error:
            self.show_survey({"status": "error", "sentences": [{"level": "error", "text": str(error)}]})
            return
        task = CheckTask(project)
        self.check_task = task
        task.done.connect(self.show_survey)
        for ended in (task.taskCompleted, task.taskTerminated):
            ended.connect(self._check_ended)
        QgsApplication.taskManager().addTask(task)

    def _check_ended(self) -> None:
        self.check_task = None

    def show_survey(self, survey: dict[str, Any]) -> None:
        lines = []
        for sentence in survey.get("sentences", []):
            text = html.escape(str(sentence.get("text", "")))
            if "Prepare" in text or tr("Prepare project area") in text:
                text += f' <a href="prepare">{html.escape(tr("Prepare project area…"))}</a>'
            lines.append(_sentence(str(sentence.get("level", "warning")), text))
        if survey.get("status") != "error":
            counts = tr("{} release positions, {} rocks.").format(survey.get("releases", 0), survey.get("trajectories", 0))
            lines.insert(0, _sentence("ok", html.escape(tr("Ready to run:") + " " + counts)))
        self.checks.setHtml("".join(lines))
        self.status = str(survey.get("status", "error"))
        self.run_button.setEnabled(self.status != "error" and self.run_task is None)
        estimate = survey.get("estimate")
        if estimate:
            text = tr("Estimated time {}, memory {:.0f} MB ({}).")
            self.estimate.setText(
                text.format(duration(estimate["time_s"]), estimate["memory_bytes"] / 1e6, estimate.get("basis", ""))
            )
        else:
            self.estimate.setText("")

    # The run

    def start(self) -> None:
        place = self.runs_folder()
        if place is None:
            self.say(tr("Choose a folder for the runs, or save the QGIS project first."), Qgis.MessageLevel.Warning)
            return
        folder = place / datetime.now().strftime("%Y-%m-%d_%H-%M-%S")
        try:
            project = write_project(self.values(), self.ground, folder / "inputs", keep=True)
        except (Unusable, OSError) as error:
            shutil.rmtree(folder, ignore_errors=True)
            self.say(str(error), Qgis.MessageLevel.Critical)
            return
        task = RunTask(project, folder)
        self.run_task = task
        task.message.connect(self.show_progress)
        task.ended.connect(self.run_ended)
        self.run_button.setEnabled(False)
        self.cancel_button.setEnabled(True)
        self.progress.setValue(0)
        self.state.setText(tr("Starting…"))
        QgsApplication.taskManager().addTask(task)

    def cancel(self) -> None:
        if self.run_task is not None:
            self.state.setText(tr("Cancelling…"))
            self.run_task.cancel()

    def show_progress(self, message: dict[str, Any]) -> None:
        done, total = message.get("done") or 0, message.get("total") or 0
        if total:
            self.progress.setValue(int(100 * done / total))
        text = f"{message.get('stage', '')}: {done} / {total}"
        if message.get("rate"):
            text += tr(", {:.1f} rocks/s").format(message["rate"])
        if message.get("eta_s") is not None:
            text += tr(", {} left").format(duration(message["eta_s"]))
        self.state.setText(text)

    def run_ended(self, sentence: str, log: str) -> None:
        task, self.run_task = self.run_task, None
        self.run_button.setEnabled(True)
        self.cancel_button.setEnabled(False)
        self.progress.setValue(0 if sentence else 100)
        self.state.setText(sentence or tr("Finished."))
        if sentence:
            self.say(sentence, Qgis.MessageLevel.Warning, log)
            return
        try:
            results.load(results.read(task.folder / "run"), QgsProject.instance())
        except Unusable as error:
            self.say(str(error), Qgis.MessageLevel.Critical)
        self.tabs.setCurrentIndex(4)
        self.results_page.refresh(self.runs_folder())

    # Tools

    def draw(self, kind: str) -> None:
        canvas = self.iface.mapCanvas()

        def drawn(layer: Any) -> None:
            self.site.fields[kind].setLayer(layer)  # type: ignore[attr-defined]
            self.changed()

        self.draw_tool = DrawTool(canvas, kind, drawn)
        canvas.setMapTool(self.draw_tool)
        self.say(tr("Left click adds a corner, right click ends, Esc gives up."), Qgis.MessageLevel.Info)

    def _find_release(self) -> None:
        dem = self.site.layer_named("dem")
        self.open_tool("release", {"DEM": dem} if dem is not None else {})

    def open_tool(self, name: str, parameters: dict[str, Any]) -> None:
        dialog = processing.createAlgorithmDialog(f"couloir:{name}", parameters)
        if dialog is not None:
            dialog.show()

    def say(self, text: str, level: Any, log: str = "") -> None:
        self.iface.messageBar().pushMessage("Couloir", text, log, level) if log else self.iface.messageBar().pushMessage(
            "Couloir", text, level
        )

    def engine_changed(self) -> None:
        self.timer.start()

    def close_down(self) -> None:
        """Before the plugin is unloaded: nothing may go on, nothing may stay."""
        self.timer.stop()
        for task in (self.check_task, self.run_task):
            if task is not None:
                task.cancel()
                task.waitForFinished(10000)
        if self.draw_tool is not None:
            self.iface.mapCanvas().unsetMapTool(self.draw_tool)
        for signal, slot in (
            (QgsProject.instance().readProject, self.read_project),
            (QgsProject.instance().cleared, self.changed),
        ):
            signal.disconnect(slot)
        shutil.rmtree(self.scratch, ignore_errors=True)


class _Body(QWidget):
    """Wide enough at first to show labels beside their fields; may be made narrow."""

    def sizeHint(self) -> QSize:
        return QSize(430, 640)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 300)


def _sentence(level: str, text: str) -> str:
    return f'<p style="margin:2px 0"><span style="color:{COLOURS.get(level, COLOURS["warning"])}">●</span> {text}</p>'


def _scrolling(page: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(page)
    return area


def _holding(layout: QHBoxLayout) -> QWidget:
    layout.setContentsMargins(0, 0, 0, 0)
    widget = QWidget()
    widget.setLayout(layout)
    return widget
