"""The guided panel: Site → Rocks → Ground & forest → Run → Results, with checks that follow every change."""

from __future__ import annotations

import html
import json
import shutil
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any

from qgis.core import Qgis, QgsApplication, QgsProject, QgsSettings
from qgis.gui import QgisInterface, QgsDockWidget
from qgis.PyQt.QtCore import QSize, Qt, QTimer, QUrl
from qgis.PyQt.QtWidgets import (
    QFileDialog,
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

from .. import comparison, engine, guidance, results
from ..algorithms.base import duration
from ..export import Unusable
from ..i18n import tr
from .buttons import ButtonRows, StepTabs
from .choices import Job, local, moved, panel_settings, portable
from .draw import DrawTool
from .origin import OriginBar, Start, start_from
from .pages import GroundPage, Page, RocksPage, RunPage, SitePage
from .runs import ResultsPage
from .tasks import CheckTask, CompareTask, RunTask

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
        self.compare_task: CompareTask | None = None
        self.draw_tool: DrawTool | None = None
        self.start_point: Start | None = None
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
        self.checks.anchorClicked.connect(self.follow)
        self._build_run_controls()
        self.origin_bar = OriginBar()
        self.origin_bar.forget.connect(lambda: self.begin_from(None))
        body = _Body()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.origin_bar)
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
        self.site.prepare.connect(self.prepare)
        self.site.open_project.connect(self.choose_project)
        self.site.find_release.connect(self._find_release)
        self.results_page.rerun.connect(self.repeat)
        self.results_page.compared.connect(self.compare)
        self.results_page.tool.connect(guidance.open_tool)
        self.results_page.failed.connect(lambda text: self.say(text, Qgis.MessageLevel.Warning))
        self.tabs.currentChanged.connect(lambda _index: self.list_runs())
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
        text = json.dumps(moved(values, portable), ensure_ascii=False)
        if values["dem"] and QgsProject.instance().readEntry(SCOPE, "panel", "")[0] != text:
            QgsProject.instance().writeEntry(SCOPE, "panel", text)
        start = self.start_point.to_text() if self.start_point is not None else ""
        if QgsProject.instance().readEntry(SCOPE, "start", "")[0] != start:
            QgsProject.instance().writeEntry(SCOPE, "start", start)

    def read_project(self) -> None:
        try:
            values = json.loads(QgsProject.instance().readEntry(SCOPE, "panel", "")[0] or "{}")
        except ValueError:
            values = {}
        self.begin_from(Start.from_text(QgsProject.instance().readEntry(SCOPE, "start", "")[0]))
        if values:
            self.restore(moved(values, local))
        else:
            self.timer.start()

    def begin_from(self, start: Start | None) -> None:
        self.start_point = start
        self.origin_bar.show_start(start)
        self.changed()

    def choose_project(self) -> None:
        home = QgsProject.instance().homePath()
        words = tr("Couloir project (*.yaml *.yml)")
        file, _ = QFileDialog.getOpenFileName(self, tr("Open project file…"), home, words)
        if file:
            self.repeat(Path(file))

    def repeat(self, source: results.Run | Path) -> None:
        """Puts a run or a project file into the panel, to be changed and run into a new folder."""
        try:
            settings = panel_settings(source.folder) if isinstance(source, results.Run) else None
            if settings is not None:
                self.begin_from(None)
                self.restore(settings)
            else:
                start, values = start_from(source)
                self.restore(values)
                start.before = self.values()
                self.begin_from(start)
        except (Unusable, engine.EngineError, OSError, ValueError) as error:
            self.say(str(error), Qgis.MessageLevel.Warning)
            return
        self.tabs.setCurrentIndex(0)

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
        job: Job | Unusable
        try:
            job = Job.take(self.values(), self.start_point)
        except Unusable as error:
            job = error
        task = CheckTask(job, self.scratch / "check")
        self.check_task = task
        task.done.connect(self.show_survey)
        task.presets.connect(self.adopt)
        for ended in (task.taskCompleted, task.taskTerminated):
            ended.connect(self._check_ended)
        QgsApplication.taskManager().addTask(task)

    def _check_ended(self) -> None:
        self.check_task = None

    def adopt(self, tables: dict[str, Any]) -> None:
        """The classes of the engine in use, if they are not those the plugin came with."""
        if self.ground.adopt(tables):
            QgsApplication.processingRegistry().providerById("couloir").refreshAlgorithms()

    def show_survey(self, survey: dict[str, Any]) -> None:
        lines = []
        for sentence in survey.get("sentences", []):
            text = html.escape(str(sentence.get("text", "")))
            if "Prepare" in text or tr("Prepare project area") in text:
                text += _link("prepare", tr("Prepare project area…"))
            if sentence.get("remedy") == "engine":
                text += "".join(_link(f"engine{n}", words) for n, (words, _) in enumerate(guidance.engine_actions()))
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
        try:
            job = Job.take(self.values(), self.start_point)
        except Unusable as error:
            self.say(str(error), Qgis.MessageLevel.Critical)
            return
        task = RunTask(job, place / datetime.now().strftime("%Y-%m-%d_%H-%M-%S"))
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
        self.cancel_button.setEnabled(False)
        self.progress.setValue(0 if sentence else 100)
        if sentence:
            self._idle(sentence)
            self.say(sentence, Qgis.MessageLevel.Warning, log)
            return
        self.state.setText(tr("Loading the results…"))
        try:
            run = results.read(self.run_task.folder / "run")
        except Unusable as error:
            self._idle(str(error))
            self.say(str(error), Qgis.MessageLevel.Critical)
            return
        results.load_gently(run, QgsProject.instance(), lambda _group: self._loaded())

    def _loaded(self) -> None:
        self._idle(tr("Finished."))
        self.tabs.setCurrentIndex(4)
        self.list_runs()

    def list_runs(self) -> None:
        """Runs of the panel, and others in the folder of the QGIS project."""
        home = QgsProject.instance().homePath()
        places = [self.runs_folder(), Path(home) if home else None]
        self.results_page.refresh([place for place in places if place is not None])

    def compare(self, runs: list[results.Run]) -> None:
        if self.compare_task is not None:
            self.say(tr("A comparison is being made; wait until it is done."), Qgis.MessageLevel.Info)
            return
        task = CompareTask(runs, self.runs_folder() or Path(tempfile.mkdtemp(prefix="couloir-comparison-")))
        self.compare_task = task
        task.ended.connect(self.compared)
        QgsApplication.taskManager().addTask(task)
        self.say(tr("Comparing {} runs…").format(len(runs)), Qgis.MessageLevel.Info)

    def compared(self, found: list[comparison.Comparison], sentence: str) -> None:
        self.compare_task = None
        for one in found:
            one.load(QgsProject.instance())
        if found:
            self.results_page.show_comparison([one.page.read_text("utf-8") for one in found])
        if sentence:
            self.say(sentence, Qgis.MessageLevel.Warning)

    def _idle(self, text: str) -> None:
        self.run_task = None
        self.run_button.setEnabled(True)
        self.state.setText(text)

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
        guidance.open_tool("release", {"DEM": dem} if dem is not None else {})

    def prepare(self) -> None:
        dem = self.site.layer_named("dem")
        guidance.open_tool("prepare", {"DEM": [dem.id()]} if dem is not None else {})

    def follow(self, link: QUrl) -> None:
        """The links beside the checks."""
        if link.toString() == "prepare":
            self.prepare()
        for number, (_, action) in enumerate(guidance.engine_actions()):
            if link.toString() == f"engine{number}":
                action()

    def say(self, text: str, level: Any, log: str = "") -> None:
        self.iface.messageBar().pushMessage("Couloir", text, log, level) if log else self.iface.messageBar().pushMessage(
            "Couloir", text, level
        )

    def engine_changed(self) -> None:
        self.timer.start()

    def close_down(self) -> None:
        """Before the plugin is unloaded: nothing may go on, nothing may stay."""
        self.timer.stop()
        for task in (self.check_task, self.run_task, self.compare_task):
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


def _link(target: str, text: str) -> str:
    return f' <a href="{target}">{html.escape(text)}</a>'


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
