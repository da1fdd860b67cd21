"""Long work off the main thread, as QgsTasks: what the panel shows as files, the check, the run, other engine calls."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from qgis.core import QgsProject, QgsRasterLayer, QgsTask, QgsVectorLayer
from qgis.PyQt.QtCore import pyqtSignal

from .. import engine, presets, results
from ..errors import Cancelled, EngineError, EngineMissing, Unusable, sentence_of
from ..export import Snapshot, check_dem, raster_file, vector_file
from ..i18n import tr
from ..project_form import readable, write
from ..run_folders import new_run
from ..starting_point import LAYER_NAMES, Start


@dataclass
class Job:
    """What the panel shows, taken on the main thread; the files are written on another one."""

    values: dict[str, Any]
    dem: QgsRasterLayer
    vectors: dict[str, Snapshot]
    start: Start | None
    touched: set[str]

    @classmethod
    def take(cls, values: dict[str, Any], start: Start | None = None) -> Job:
        """Raises Unusable with one sentence if something is missing."""
        project = QgsProject.instance()
        layers = {name: project.mapLayer(values[name]) for name in LAYER_NAMES if values.get(name)}
        dem = layers.pop("dem", None)
        if not isinstance(dem, QgsRasterLayer):
            raise Unusable(tr("Choose an elevation model on the page “Site”."))
        check_dem(dem)
        vectors = {name: Snapshot(layer) for name, layer in layers.items() if isinstance(layer, QgsVectorLayer)}
        if "release" not in vectors and (start is None or start.before.get("release")):
            raise Unusable(tr("Choose or draw release areas on the page “Site”."))
        for name in ("ground", "forest"):
            if name in vectors and not values.get(f"{name}_attribute"):
                raise Unusable(tr("Choose the attribute that holds the class of “{}”.").format(vectors[name].sourceName()))
        return cls(values, dem.clone(), vectors, start, start.touched() if start is not None else set())

    def write(self, folder: Path, feedback: Any, keep: bool = False, written: dict[str, Any] | None = None) -> Path:
        """Exports the layers and writes project.yaml; with `keep` the folder holds all inputs.

        `written` remembers layers that need not be written again.
        """
        folder.mkdir(parents=True, exist_ok=True)
        before = self.start.before if self.start is not None else {}
        changed = {name for name, value in self.values.items() if name not in before or value != before[name]}
        values = {name: self.values[name] for name in changed if name not in LAYER_NAMES and name != "runs"}
        if self.start is None:
            values["title"] = values.get("title") or self.dem.name()
        layers = {name: self._file(name, folder, written) for name in LAYER_NAMES if name in changed | self.touched}
        # The project of an earlier check.
        (folder / "project.yaml").unlink(missing_ok=True)
        base = Path(self.start.source) if self.start is not None else None
        return write(folder, {"values": values, "layers": layers}, feedback, base, keep)

    def _file(self, name: str, folder: Path, written: dict[str, Any] | None) -> str | None:
        """The file of a layer; None for a layer that is not chosen."""
        if name == "dem":
            return str(raster_file(self.dem, folder, name))
        if name not in self.vectors:
            return None
        state, file = self.vectors[name].state, folder / f"{name}.gpkg"
        if written is None or written.get(name) != state or not file.is_file():
            vector_file(self.vectors[name], folder, name)
            if written is not None:
                written[name] = state
        return str(file)

    def notes(self) -> dict[str, Any]:
        """What a run folder has no place for; without a start the panel's own values."""
        colours = {row["name"]: row["colour"] for row in self.values.get("scenarios", [])}
        return {"colours": colours, **({"panel": self.values} if self.start is None else {})}


class _Feedback:
    """Lets the engine see whether a task was cancelled."""

    def __init__(self, task: QgsTask) -> None:
        self.task = task

    def isCanceled(self) -> bool:
        return self.task.isCanceled()

    def setProgress(self, progress: float) -> None:
        self.task.setProgress(max(0.0, min(100.0, progress)))


class EngineTask(QgsTask):
    """Runs `work(feedback)` on another thread; `ended` carries what it returned, a sentence if it failed, and a log."""

    ended = pyqtSignal(object, str, str)
    progress = pyqtSignal(object)

    def __init__(self, title: str, work: Callable[[EngineTask, _Feedback], Any]) -> None:
        super().__init__(title, QgsTask.Flag.CanCancel)
        self.work = work
        self.answer: Any = None
        self.sentence, self.log = "", ""

    def run(self) -> bool:
        try:
            self.answer = self.work(self, _Feedback(self))
        except Exception as error:
            self.sentence, self.log = sentence_of(error), getattr(error, "log", "")
        return not self.sentence

    def finished(self, result: bool) -> None:
        # Cancelled before it began: `run` was never called.
        sentence = "" if result else self.sentence or tr("Cancelled.")
        self.ended.emit(self.answer, sentence, self.log)


def run_task(job: Job, folder: Path, options: list[str]) -> EngineTask:
    """Exports the inputs and runs into `folder/run`; what is half-made is removed when it is cancelled or fails."""

    def work(task: EngineTask, feedback: _Feedback) -> Path:
        with new_run(folder, **job.notes()) as (inputs, run):
            project = job.write(inputs, feedback, keep=True)
            found = engine.find()
            arguments = ["run", str(project), "--out", str(run), "--progress", "json", *options]
            try:
                engine.run(found, arguments, feedback, task.progress.emit)
            except EngineError as error:
                raise type(error)(readable(str(error), project), error.log) from None
            # An engine that ends well and leaves no run is no engine.
            results.read(run)
        return run

    return EngineTask(tr("Couloir: rockfall simulation"), work)


@dataclass
class Checker:
    """Where checks are made, and what of it can be used again."""

    folder: Path
    written: dict[str, Any] = field(default_factory=dict)

    def task(self, job: Job | Unusable) -> EngineTask:
        def work(_task: EngineTask, feedback: _Feedback) -> dict[str, Any]:
            survey: dict[str, Any] = {}
            try:
                found = engine.find()
                survey["presets"] = presets.renewed()
                # A missing engine is said before a missing layer.
                if isinstance(job, Unusable):
                    raise job
                project = job.write(self.folder, feedback, written=self.written)
                survey.update(_checked(found, project, feedback))
            except Cancelled:
                raise
            except Exception as error:
                remedy = "engine" if isinstance(error, EngineMissing) else ""
                text = readable(sentence_of(error), self.folder / "project.yaml")
                sentences = [{"level": "error", "text": text, "remedy": remedy}]
                survey.update(status="error", sentences=sentences)
            return survey

        return EngineTask(tr("Couloir: checking"), work)

    def remove(self) -> None:
        shutil.rmtree(self.folder, ignore_errors=True)


def _checked(found: engine.Engine, project: Path, feedback: _Feedback) -> dict[str, Any]:
    """`couloir check --json`, with what people need not read taken out; nonsense is one sentence."""
    try:
        survey = json.loads(engine.run(found, ["check", str(project), "--json"], feedback).stdout)
        sentences = [
            {"level": str(s["level"]), "text": readable(str(s["text"]), project), "remedy": str(s.get("remedy") or "")}
            for s in survey.get("sentences", [])
        ]
        estimate = survey.get("estimate") or {}
        numbers = {key: float(estimate[key]) for key in ("time_s", "memory_bytes") if key in estimate}
        counts = {key: int(survey.get(key) or 0) for key in ("releases", "trajectories")}
        return {"status": str(survey["status"]), "sentences": sentences, "estimate": numbers, **counts}
    except (ValueError, KeyError, TypeError, AttributeError):
        raise EngineError(tr("The check gave no answer.")) from None
