"""Long work off the main thread, as QgsTasks: the check of a project and the run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from qgis.core import QgsTask
from qgis.PyQt.QtCore import pyqtSignal

from .. import engine, results
from ..comparison import Comparison
from ..export import Unusable
from ..i18n import tr
from .choices import Job


class _Feedback:
    """Lets the engine see whether a task was cancelled."""

    def __init__(self, task: QgsTask) -> None:
        self.task = task

    def isCanceled(self) -> bool:
        return self.task.isCanceled()

    def setProgress(self, progress: float) -> None:
        self.task.setProgress(progress)


def _refusal(error: Exception) -> dict[str, Any]:
    """A survey that says why there is none."""
    remedy = "engine" if isinstance(error, engine.EngineMissing) else ""
    return {"status": "error", "sentences": [{"level": "error", "text": str(error), "remedy": remedy}]}


class CheckTask(QgsTask):
    """Exports what the panel shows and asks `couloir check --json`; `done` carries the survey."""

    done = pyqtSignal(dict)
    presets = pyqtSignal(dict)

    def __init__(self, job: Job | Unusable, folder: Path) -> None:
        super().__init__(tr("Couloir: checking"), QgsTask.Flag.CanCancel)
        self.job = job
        self.folder = folder
        self.survey: dict[str, Any] = {}
        self.tables: dict[str, Any] = {}

    def run(self) -> bool:
        printed: list[str] = []
        try:
            found = engine.find()
            self.tables = engine.presets(found)
            # A missing engine is said before a missing layer.
            if isinstance(self.job, Unusable):
                raise self.job
            shutil.rmtree(self.folder, ignore_errors=True)
            project = self.job.write(self.folder)
            result = engine.run(found, ["check", str(project), "--json"], _Feedback(self), on_line=printed.append)
            self.survey = json.loads(result.stdout)
        except engine.Cancelled:
            return False
        except (engine.EngineError, Unusable, OSError) as error:
            self.survey = _refusal(error)
        except ValueError:
            self.survey = _refusal(Unusable(tr("The check gave no answer.")))
        return True

    def finished(self, result: bool) -> None:
        if self.tables:
            self.presets.emit(self.tables)
        if result:
            self.done.emit(self.survey)


class RunTask(QgsTask):
    """Exports the inputs and runs into `folder/run`; what is half-made is removed when it is cancelled or fails."""

    message = pyqtSignal(dict)
    ended = pyqtSignal(str, str)

    def __init__(self, job: Job, folder: Path) -> None:
        super().__init__(tr("Couloir: rockfall simulation"), QgsTask.Flag.CanCancel)
        self.job = job
        self.folder = folder
        self.sentence = ""
        self.log = ""

    def run(self) -> bool:
        try:
            project = self.job.write(self.folder / "inputs", keep=True)
            arguments = ["run", str(project), "--out", str(self.folder / "run"), "--progress", "json"]
            engine.run(engine.find(), arguments, _Feedback(self), self.message.emit)
        except (engine.EngineError, Unusable, OSError) as error:
            self.sentence, self.log = str(error), getattr(error, "log", "")
            shutil.rmtree(self.folder, ignore_errors=True)
            return False
        return True

    def finished(self, result: bool) -> None:
        self.ended.emit("" if result else self.sentence or tr("Cancelled."), self.log)


class CompareTask(QgsTask):
    """Compares every run with the first; `ended` carries what was made, and a sentence if something went wrong."""

    ended = pyqtSignal(list, str)

    def __init__(self, runs: list[results.Run], place: Path) -> None:
        super().__init__(tr("Couloir: comparing runs"), QgsTask.Flag.CanCancel)
        self.runs = runs
        self.place = place
        self.found: list[Comparison] = []
        self.sentence = ""

    def run(self) -> bool:
        first, *others = self.runs
        for other in others:
            made = Comparison(first, other, _free(self.place / "comparisons" / f"{first.name} - {other.name}"))
            try:
                made.make(_Feedback(self))
                self.found.append(made)
            except (engine.EngineError, OSError) as error:
                self.sentence = str(error)
                shutil.rmtree(made.folder, ignore_errors=True)
                return False
        return True

    def finished(self, result: bool) -> None:
        self.ended.emit(self.found, self.sentence)


def _free(folder: Path) -> Path:
    """A folder that does not exist yet: nothing is replaced."""
    free, number = folder, 2
    while free.exists():
        free, number = folder.with_name(f"{folder.name} ({number})"), number + 1
    return free
