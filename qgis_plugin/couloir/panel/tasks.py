"""Long work off the main thread, as QgsTasks: the check of a project and the run."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

from qgis.core import QgsTask
from qgis.PyQt.QtCore import pyqtSignal

from .. import engine
from ..i18n import tr


class _Feedback:
    """Lets the engine see whether a task was cancelled."""

    def __init__(self, task: QgsTask) -> None:
        self.task = task

    def isCanceled(self) -> bool:
        return self.task.isCanceled()

    def setProgress(self, progress: float) -> None:
        self.task.setProgress(progress)


class CheckTask(QgsTask):
    """`couloir check --json` on a project file; `done` carries the survey."""

    done = pyqtSignal(dict)

    def __init__(self, project: Path) -> None:
        super().__init__(tr("Couloir: checking"), QgsTask.Flag.CanCancel)
        self.project = project
        self.survey: dict[str, Any] = {}

    def run(self) -> bool:
        printed: list[str] = []
        try:
            found = engine.find()
            result = engine.run(found, ["check", str(self.project), "--json"], _Feedback(self), on_line=printed.append)
            self.survey = json.loads(result.stdout)
        except engine.Cancelled:
            return False
        except engine.EngineError as error:
            self.survey = {"status": "error", "sentences": [{"level": "error", "text": error.sentence}]}
        except ValueError:
            self.survey = {"status": "error", "sentences": [{"level": "error", "text": tr("The check gave no answer.")}]}
        return True

    def finished(self, result: bool) -> None:
        if result:
            self.done.emit(self.survey)


class RunTask(QgsTask):
    """A run into `folder/run`; what is half-made is removed when it is cancelled or fails."""

    message = pyqtSignal(dict)
    ended = pyqtSignal(str, str)

    def __init__(self, project: Path, folder: Path) -> None:
        super().__init__(tr("Couloir: rockfall simulation"), QgsTask.Flag.CanCancel)
        self.project = project
        self.folder = folder
        self.sentence = ""
        self.log = ""

    def run(self) -> bool:
        arguments = ["run", str(self.project), "--out", str(self.folder / "run"), "--progress", "json"]
        try:
            engine.run(engine.find(), arguments, _Feedback(self), self.message.emit)
        except engine.EngineError as error:
            self.sentence, self.log = error.sentence, error.log
            shutil.rmtree(self.folder, ignore_errors=True)
            return False
        return True

    def finished(self, result: bool) -> None:
        self.ended.emit("" if result else self.sentence or tr("Cancelled."), self.log)
