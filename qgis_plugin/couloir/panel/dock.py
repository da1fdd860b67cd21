"""The guided panel: Site → Rocks → Ground & forest → Run → Results, with checks that follow every change."""

from __future__ import annotations

import shutil
import tempfile
from datetime import datetime
from pathlib import Path
from typing import Any, Callable

from qgis.core import Qgis, QgsApplication, QgsProject, QgsSettings, QgsVectorLayer, QgsWkbTypes
from qgis.gui import QgisInterface
from qgis.PyQt.QtCore import QSize, Qt, QTimer
from qgis.PyQt.QtWidgets import QFileDialog, QLabel, QMainWindow, QScrollArea, QVBoxLayout, QWidget

from .. import dialogs, fields, project_form, results
from ..engine import Progress
from ..errors import Unusable, sentence_of
from ..i18n import tr
from ..run_folders import notes_of, unused
from ..starting_point import LAYER_NAMES, Start, start_from
from .draw import draw
from .live_map import LiveMap
from .messages import AmberBox, Checks, StartBar
from .pages import GroundPage, Page
from .results_page import ResultsPage
from .run_controls import RunControls
from .scenarios import ScenarioTable
from .settings import SettingsDock
from .tasks import Checker, EngineTask, Job, run_task
from .widgets import ButtonRows, StepTabs

#: Packed with the plugin; a developer's checkout has it where it is made.
PACKED = Path(__file__).parents[1] / "sample"
SAMPLE = PACKED if PACKED.is_dir() else Path(__file__).resolve().parents[3] / "sample_projects" / "valley"


class CouloirDock(SettingsDock):
    def __init__(self, iface: QgisInterface) -> None:
        super().__init__(tr("Couloir rockfall"))
        self.setObjectName("CouloirDock")
        self.iface = iface
        self.checker = Checker(Path(tempfile.mkdtemp(prefix="couloir-panel-")))
        #: Work under way, by what it is: check, run, compare, read.
        self.tasks: dict[str, EngineTask] = {}
        self.live = LiveMap(self.checker.folder)
        self.start_point: Start | None = None
        self.restoring = False
        layers: dict[str, Any] = {}
        self.site, self.rocks = Page("site", layers), Page("rocks", layers)
        self.ground, self.run_page = GroundPage("ground", layers), Page("run", layers)
        self.pages = (self.site, self.rocks, self.ground, self.run_page)
        self.fields = {name: box for page in self.pages for name, box in page.fields.items()}
        self.scenarios, self.results_page, self.run_controls = ScenarioTable(), ResultsPage(), RunControls()
        self.checks, self.amber, self.start_bar, self.tabs = Checks(), AmberBox(), StartBar(), StepTabs()
        self._build()
        # Wait until the user pauses before checking.
        self.timer = QTimer(self)
        self.timer.setSingleShot(True)
        self.timer.setInterval(700)
        self._connect()
        self.read_project()

    def _build(self) -> None:
        site = self.site
        new_area = (tr("Draw release area"), lambda: self.draw("release"))
        site.buttons("release", new_area, (tr("Find steep areas…"), self.find_release))
        site.buttons("barriers", (tr("Draw barrier"), lambda: self.draw("barriers")))
        site.buttons(
            "objects", (tr("Prepare project area…"), self.prepare), (tr("Open project file…"), self.choose_project),
            (tr("Open sample"), self.choose_sample_place), (tr("Help"), dialogs.open_page),
        )  # fmt: skip
        self.rocks.after("frequency_attribute", self.scenarios)
        self.run_page.outer.insertWidget(self.run_page.outer.count() - 1, self.run_controls)
        titles = (tr("Site"), tr("Rocks"), tr("Ground & forest"), tr("Run"), tr("Results"))
        for title, page in zip(titles, (*self.pages, self.results_page)):
            self.tabs.add(_scrolling(page), title)

        def turn(by: int) -> None:
            self.tabs.setCurrentIndex(self.tabs.currentIndex() + by)

        steps = ButtonRows((tr("◂ Back"), lambda: turn(-1)), (tr("Next ▸"), lambda: turn(1)))
        body = _Body()
        layout = QVBoxLayout(body)
        layout.setContentsMargins(4, 4, 4, 4)
        layout.addWidget(self.start_bar)
        layout.addWidget(self.tabs, 1)
        for widget in (self.amber, steps, QLabel(f"<b>{tr('Checks')}</b>"), self.checks):
            layout.addWidget(widget)
        self.setWidget(body)

    def _connect(self) -> None:
        project = QgsProject.instance()
        #: Signals of others, to be let go when the plugin is unloaded.
        self.foreign = ((project.readProject, self.read_project), (project.cleared, self.reset))
        for signal, slot in (
            *self.foreign,
            *((page.changed, self.changed) for page in (*self.pages, self.scenarios)),
            (self.timer.timeout, self.settled),
            (self.checks.prepare, self.prepare),
            (self.start_bar.forget, lambda: self.reset(keep=True)),
            (self.run_controls.start, self.start),
            (self.run_controls.cancel, self.cancel),
            (self.results_page.rerun, self.repeat),
            (self.results_page.mapped, self.map_made),
            (self.results_page.failed, lambda text: self.say(text, Qgis.MessageLevel.Warning)),
            (self.tabs.currentChanged, lambda index: self.list_runs() if index == len(self.pages) else None),
            (self.visibilityChanged, self._shown),
        ):
            signal.connect(slot)

    def _shown(self, visible: bool) -> None:
        if not visible:
            return
        self.timer.start()
        # QGIS opens a new dock at its smallest width; from then on it keeps what the user makes of it.
        settings, window = QgsSettings(), self.parent()
        if isinstance(window, QMainWindow) and not settings.value("couloir/panel_opened", False, type=bool):
            settings.setValue("couloir/panel_opened", True)
            window.resizeDocks([self], [self.widget().sizeHint().width()], Qt.Orientation.Horizontal)

    def changed(self) -> None:
        """Settings are kept and checked when the user pauses; what was checked before no longer counts."""
        if self.restoring:
            return
        release = self.fields["release"].currentLayer()
        points = isinstance(release, QgsVectorLayer) and release.geometryType() == QgsWkbTypes.GeometryType.PointGeometry
        off = fields.ignored(self.values(), points)
        for page in self.pages:
            page.grey(off)
        self.unsaved = True
        self.checks.busy()
        self.run_controls.estimate.setText("")
        self.timer.start()

    def settled(self) -> None:
        self.keep()
        self.check()

    def choose_project(self) -> None:
        words = tr("Couloir project (*.yaml *.yml)")
        file, _ = QFileDialog.getOpenFileName(self, tr("Open project file…"), QgsProject.instance().homePath(), words)
        if file:
            self.repeat(Path(file))

    def choose_sample_place(self) -> None:
        place = QFileDialog.getExistingDirectory(self, tr("Folder for a copy of the sample"), str(Path.home()))
        if place:
            self.open_sample(Path(place))

    def open_sample(self, place: Path) -> None:
        """A copy of the valley that comes with the plugin, in a folder of its own."""
        copy = unused(place / "couloir_valley")
        try:
            shutil.copytree(SAMPLE, copy)
        except OSError as error:
            self.say(sentence_of(error), Qgis.MessageLevel.Warning)
            return
        self.repeat(copy / "project.yaml")

    def repeat(self, source: results.Run | Path) -> None:
        """Puts a run or a project file into the panel, to be changed and run into a new folder."""
        settings = notes_of(source.folder).get("panel") if isinstance(source, results.Run) else None
        if isinstance(settings, dict):
            layers = [settings.get(name) for name in LAYER_NAMES if settings.get(name)]
            if all(QgsProject.instance().mapLayer(layer) is not None for layer in layers):
                self.begin_from(None, settings, keep=True)
                self.tabs.setCurrentIndex(0)
                return
        place = source.folder if isinstance(source, results.Run) else source
        task = EngineTask(tr("Couloir: reading a project"), lambda _task, _feedback: project_form.read(place))
        self.work("read", task, lambda form, sentence: self._read(place, form, sentence))

    def _read(self, place: Path, form: dict[str, Any] | None, sentence: str) -> None:
        if form is None:
            self.say(sentence, Qgis.MessageLevel.Warning)
            return
        start, values = start_from(place, form)
        self.begin_from(start, {"runs": self.fields["runs"].filePath(), **values}, keep=True)
        self.tabs.setCurrentIndex(0)

    # Work

    def work(self, kind: str, task: EngineTask, done: Callable[..., Any]) -> None:
        """Starts a task; one of a kind at a time."""
        self.tasks[kind] = task

        def ended(answer: Any, sentence: str, log: str) -> None:
            self.tasks.pop(kind, None)
            done(answer, sentence, log) if kind == "run" else done(answer, sentence)

        task.ended.connect(ended)
        QgsApplication.taskManager().addTask(task)

    def check(self) -> None:
        if not self.isVisible() or "run" in self.tasks:
            return
        if "check" in self.tasks:
            # One check at a time: the newest settings count.
            self.tasks["check"].cancel()
            self.timer.start()
            return
        job: Job | Unusable
        try:
            job = Job.take(self.values(), self.start_point)
        except Unusable as error:
            job = error
        self.work("check", self.checker.task(job), self.show_survey)

    def show_survey(self, survey: dict[str, Any] | None, _sentence: str) -> None:
        if survey is None or self.timer.isActive():
            return
        if survey.get("presets") and self.ground.adopt(survey["presets"]):
            QgsApplication.processingRegistry().providerById("couloir").refreshAlgorithms()
        self.checks.show_survey(survey)
        self.run_controls.show_survey(survey, running="run" in self.tasks)

    def start(self, options: list[str]) -> None:
        place = self.runs_folder()
        if place is None:
            self.say(tr("Choose a folder for the runs, or save the QGIS project first."), Qgis.MessageLevel.Warning)
            return
        try:
            job = Job.take(self.values(), self.start_point)
        except Unusable as error:
            self.say(str(error), Qgis.MessageLevel.Critical)
            return
        folder = unused(place / datetime.now().strftime("%Y-%m-%d_%H-%M-%S"))
        task = run_task(job, folder, [*options, *self.live.begin()])
        task.progress.connect(self.show_progress)
        self.amber.show_warnings([])
        self.run_controls.begin()
        self.work("run", task, self.run_ended)

    def show_progress(self, now: Progress) -> None:
        self.run_controls.show_progress(now)
        self.live.refresh()

    def cancel(self) -> None:
        if "run" in self.tasks:
            self.run_controls.state.setText(tr("Cancelling…"))
            self.tasks["run"].cancel()

    def run_ended(self, folder: Path | None, sentence: str, log: str) -> None:
        self.live.end()
        try:
            run = results.read(folder) if folder is not None and not sentence else None
        except Unusable as error:
            run, sentence = None, str(error)
        if run is None:
            self.run_controls.end(sentence)
            self.say(sentence, Qgis.MessageLevel.Warning, log)
            return
        self.run_controls.state.setText(tr("Loading the results…"))
        results.load_gently(run, QgsProject.instance(), lambda _group: self._loaded(run))

    def _loaded(self, run: results.Run) -> None:
        self.run_controls.end(tr("Finished, with warnings.") if run.warnings else tr("Finished."), 100)
        self.amber.show_warnings(run.warnings)
        self.tabs.setCurrentIndex(len(self.pages))
        self.list_runs()

    def list_runs(self) -> None:
        """Runs of the panel, and others in the folder of the QGIS project."""
        home = QgsProject.instance().homePath()
        self.results_page.refresh([place for place in (self.runs_folder(), Path(home) if home else None) if place is not None])

    # Tools

    def draw(self, kind: str) -> None:
        layer = draw(kind, self.iface)
        layer.editingStopped.connect(self.changed)
        layer.layerModified.connect(self.changed)
        self.fields[kind].setLayer(layer)
        self.say(tr("Left click adds a corner, right click ends, Esc gives up."), Qgis.MessageLevel.Info)

    def find_release(self) -> None:
        def found(made: dict[str, Any]) -> None:
            layer = QgsProject.instance().mapLayer(str(made.get("OUTPUT", "")))
            if layer is None:
                named = [one for one in QgsProject.instance().mapLayers().values() if one.source() == made.get("OUTPUT")]
                layer = named[0] if named else None
            self.fields["release"].setLayer(layer)

        dem = self.fields["dem"].currentLayer()
        dialogs.open_tool("release", {"DEM": dem} if dem is not None else {}, found)

    def prepare(self) -> None:
        dem = self.fields["dem"].currentLayer()
        given = {"DEM": [dem.id()]} if dem is not None else {}
        dialogs.open_tool("prepare", given, lambda made: self.repeat(Path(made["PROJECT"])))

    def map_made(self, made: dict[str, Any]) -> None:
        """The sheet is one click away, as PDF and as layout."""
        words = tr("The map is made: {}").format(made.get("PDF") or made["LAYOUT"])
        layout = QgsProject.instance().layoutManager().layoutByName(made["LAYOUT"])
        actions = [(tr("Open layout"), lambda: self.iface.openLayoutDesigner(layout))]
        if made.get("PDF"):
            actions.insert(0, (tr("Open PDF"), lambda: dialogs.open_file(made["PDF"])))
        dialogs.push(self.iface.messageBar(), words, actions, Qgis.MessageLevel.Success)

    def say(self, text: str, level: Any, log: str = "") -> None:
        self.iface.messageBar().pushMessage("Couloir", text, *((log,) if log else ()), level)

    def close_down(self) -> None:
        """Before the plugin is unloaded: nothing may go on, nothing may stay."""
        self.timer.stop()
        for task in list(self.tasks.values()):
            task.cancel()
            task.waitForFinished(10000)
        self.live.end()
        for signal, slot in self.foreign:
            signal.disconnect(slot)
        self.checker.remove()


class _Body(QWidget):
    """Wide enough at first to show labels beside their fields; may be made narrow."""

    def sizeHint(self) -> QSize:
        return QSize(450, 640)

    def minimumSizeHint(self) -> QSize:
        return QSize(240, 300)


def _scrolling(page: QWidget) -> QScrollArea:
    area = QScrollArea()
    area.setWidgetResizable(True)
    area.setFrameShape(QScrollArea.Shape.NoFrame)
    area.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
    area.setWidget(page)
    return area
