"""The engine: where it is, whether it fits this plugin, and how it is run.

The plugin shells out to the `couloir` executable with an argument list (never a shell line), reads its JSON-lines
progress, and never guesses success from text: the exit code decides.
"""

from __future__ import annotations

import json
import math
import re
import shutil
import sys
import time
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Protocol

from qgis.core import QgsApplication, QgsSettings
from qgis.PyQt.QtCore import QProcess, QProcessEnvironment

from .errors import Cancelled, EngineError, EngineMissing
from .i18n import tr

SETTING = "couloir/engine"
#: Oldest and first no longer supported engine version.
MIN_VERSION = (0, 2, 0)
NEXT_INCOMPATIBLE = (0, 4, 0)
EXECUTABLE = "couloir.exe" if sys.platform == "win32" else "couloir"
#: How long (ms) an engine may take to say its version or to answer a question.
PATIENCE = 20000


class Feedback(Protocol):
    """What we need of QgsFeedback / QgsProcessingFeedback."""

    def isCanceled(self) -> bool: ...
    def setProgress(self, progress: float) -> None: ...


@dataclass(frozen=True)
class Engine:
    path: Path
    version: tuple[int, ...]
    origin: str

    @property
    def version_text(self) -> str:
        return ".".join(map(str, self.version))


@dataclass
class Progress:
    """One line of the engine, whatever it wrote: what is no number is not known."""

    stage: str
    done: float = 0.0
    total: float = 0.0
    rate: float | None = None
    eta_s: float | None = None
    warnings: list[str] = field(default_factory=list)

    @classmethod
    def read(cls, line: str) -> Progress | None:
        try:
            said = json.loads(line) if line.startswith("{") else None
        except ValueError:
            return None
        if not isinstance(said, dict) or "stage" not in said:
            return None
        numbers = {k: v for k, v in said.items() if isinstance(v, (int, float)) and not isinstance(v, bool) and v == v}
        warnings = said.get("warnings")
        return cls(
            str(said["stage"]), numbers.get("done", 0), numbers.get("total", 0), numbers.get("rate"), numbers.get("eta_s"),
            [str(warning) for warning in warnings] if isinstance(warnings, list) else [],
        )  # fmt: skip

    def text(self) -> str:
        """Stage, rate and time left."""
        text = f"{self.stage}: {self.done:g} / {self.total:g}" if self.total > 0 else self.stage
        if self.rate is not None and self.rate > 0:
            text += tr(", {:.1f} rocks/s").format(self.rate)
        return text + tr(", {} left").format(duration(self.eta_s)) if self.eta_s is not None else text


@dataclass
class Result:
    stdout: str = ""
    warnings: list[str] = field(default_factory=list)


def duration(seconds: float) -> str:
    if seconds < 1:
        return "< 1 s"
    minutes, rest = divmod(int(round(min(seconds, 1e9))), 60)
    if minutes < 100:
        return f"{minutes} min {rest} s" if minutes else f"{rest} s"
    return f"{minutes / 60:.1f} h"


def data_folder() -> Path:
    """Where an engine installed through the plugin lives: in the QGIS profile, outside the plugin's own folder."""
    return Path(QgsApplication.qgisSettingsDirPath()) / "couloir"


def configured() -> str:
    return str(QgsSettings().value(SETTING, "") or "").strip()


def configure(path: str) -> None:
    QgsSettings().setValue(SETTING, path.strip().strip('"'))


def executable_in(place: Path) -> Path | None:
    """The setting may name the executable or its folder."""
    if not place.is_dir():
        return place if place.is_file() else None
    return next((file for file in (place / EXECUTABLE, place / "bin" / EXECUTABLE) if file.is_file()), None)


def how_to_get_it() -> str:
    return tr(
        "Couloir's simulation engine is a separate program. Download it from the page of releases, then choose the file with "
        "Plugins ▸ Couloir ▸ Install engine…; or name an executable, or its folder, with Plugins ▸ Couloir ▸ Engine location…"
    )


def locate() -> tuple[Path, str]:
    """The executable and where it was found: setting, then the plugin's data folder, then PATH. Nothing is started."""
    setting = configured()
    if setting:
        found = executable_in(Path(setting))
        if found is None:
            words = tr("The engine set in the options, “{}”, does not exist or holds no “{}”.")
            raise EngineMissing(f"{words.format(setting, EXECUTABLE)} {how_to_get_it()}")
        return found, tr("options")
    found = executable_in(data_folder())
    if found is not None:
        return found, tr("QGIS profile")
    on_path = shutil.which(EXECUTABLE)
    if on_path:
        return Path(on_path), "PATH"
    raise EngineMissing(tr("No Couloir engine was found.") + " " + how_to_get_it())


def find() -> Engine:
    """The engine, asked for its version; EngineMissing says where we looked and what to do."""
    return handshake(*locate())


def handshake(path: Path, origin: str) -> Engine:
    """Asks the executable for its version and refuses what this plugin does not speak with."""
    status = path.stat()
    return Engine(path, _version(path, status.st_mtime_ns, status.st_size), origin)


@lru_cache(maxsize=8)
def _version(path: Path, _modified: int, _size: int) -> tuple[int, ...]:
    process = QProcess()
    process.setProcessEnvironment(_environment())
    process.start(str(path), ["--version"])
    if not process.waitForStarted(PATIENCE):
        raise EngineMissing(tr("“{}” cannot be started: {}. Is it built for this system?").format(path, process.errorString()))
    if not process.waitForFinished(PATIENCE):
        process.kill()
        process.waitForFinished(2000)
        raise EngineMissing(tr("“{}” does not answer: it is not the Couloir engine.").format(path))
    answer = bytes(process.readAllStandardOutput()).decode("utf-8", "replace").strip()
    match = re.fullmatch(r"couloir (\d+)\.(\d+)\.(\d+)\S*", answer.splitlines()[0] if answer else "")
    missing = bytes(process.readAllStandardError()).decode("utf-8", "replace").strip().splitlines()
    # Windows says by this code alone that a DLL is missing.
    if match is None and (missing or process.exitCode() & 0xFFFFFFFF == 0xC0000135):
        why = missing[-1][:200] if missing else tr("a library (DLL) is missing")
        raise EngineMissing(tr("“{}” does not run on this system: {}.").format(path, why.rstrip(".")))
    if match is None:
        raise EngineMissing(tr("“{}” is not the Couloir engine: asked for its version it said “{}”.").format(path, answer[:80]))
    version = tuple(int(part) for part in match.groups())
    if version < MIN_VERSION:
        words = tr("The engine “{}” is version {}; this plugin needs {} or newer. Update the engine.")
        raise EngineMissing(words.format(path, ".".join(map(str, version)), ".".join(map(str, MIN_VERSION))))
    if version >= NEXT_INCOMPATIBLE:
        words = tr("The engine “{}” is version {}, newer than this plugin understands. Update the plugin.")
        raise EngineMissing(words.format(path, ".".join(map(str, version))))
    return version


def _environment() -> QProcessEnvironment:
    environment = QProcessEnvironment.systemEnvironment()
    # QGIS sets these for its own Python, GDAL and PROJ; the engine must find its own.
    for name in list(environment.keys()):  # noqa: SIM118 (a Qt class)
        if name.upper().startswith(("PYTHON", "GDAL_", "OGR_", "OSR_", "CPL_", "PROJ_")):
            environment.remove(name)
    environment.insert("RUST_BACKTRACE", "0")
    return environment


def _language() -> list[str]:
    """Reports, legends and styles in the language of QGIS."""
    language = QgsApplication.instance().locale()[:2] if QgsApplication.instance() is not None else "en"
    return ["--language", language] if language in ("de", "fr", "it") else []


class _Lines:
    """Whole lines of what a process writes piece by piece."""

    def __init__(self, read: Callable[[], Any]) -> None:
        self.read, self.rest = read, b""

    def take(self, last: bool = False) -> list[str]:
        *whole, self.rest = (self.rest + bytes(self.read())).split(b"\n")
        if last and self.rest:
            whole, self.rest = [*whole, self.rest], b""
        return [line.decode("utf-8", "replace").rstrip("\r") for line in whole]


def run(
    engine: Engine,
    arguments: list[str],
    feedback: Feedback | None = None,
    on_progress: Callable[[Progress], None] | None = None,
    on_line: Callable[[str], None] | None = None,
    most_s: float = math.inf,
) -> Result:
    """Runs the engine to its end, or for at most so many seconds, and returns what it printed.

    Lines that are JSON objects are progress: they reach `on_progress` and move the progress bar.
    Raises Cancelled or EngineError (with the engine's own sentence); never leaves a process behind.
    """
    process = QProcess()
    process.setProcessEnvironment(_environment())
    process.start(str(engine.path), [*_language(), *arguments])
    if not process.waitForStarted(PATIENCE):
        raise EngineError(tr("The engine could not be started: {}.").format(process.errorString()))
    process.closeWriteChannel()
    result, plain, errors = Result(), [], deque(maxlen=40)  # type: ignore[var-annotated]
    out, err = _Lines(process.readAllStandardOutput), _Lines(process.readAllStandardError)

    def warn(sentence: str) -> None:
        if sentence not in result.warnings:
            result.warnings.append(sentence)

    def take(last: bool = False) -> None:
        for lines, kept in ((out.take(last), plain), (err.take(last), errors)):
            for line in lines:
                progress = Progress.read(line)
                if progress is not None:
                    for sentence in progress.warnings:
                        warn(sentence)
                    if feedback is not None and progress.total > 0:
                        feedback.setProgress(100.0 * progress.done / progress.total)
                    if on_progress:
                        on_progress(progress)
                elif kept is plain or line.strip():
                    kept.append(line)
                    if kept is errors and line.startswith("warning: "):
                        warn(line[len("warning: ") :])
                    if on_line and line.strip():
                        on_line(line)

    end = time.monotonic() + most_s
    try:
        while process.state() != QProcess.ProcessState.NotRunning:
            process.waitForReadyRead(200)
            take()
            if time.monotonic() > end:
                raise EngineError(tr("The engine gave no answer that can be read."))
            if feedback is not None and feedback.isCanceled():
                raise Cancelled(tr("Cancelled."))
        take(last=True)
    finally:
        _end(process)
    result.stdout = "\n".join(plain)
    if process.exitStatus() != QProcess.ExitStatus.NormalExit:
        raise EngineError(tr("The engine stopped unexpectedly (it crashed or was killed)."), "\n".join(errors))
    if process.exitCode() != 0:
        raise EngineError(_sentence(list(errors), process.exitCode()), "\n".join(errors))
    return result


def ask(*arguments: str, most_s: float = PATIENCE / 1000) -> Any:
    """What the engine answers in JSON."""
    try:
        return json.loads(run(find(), list(arguments), most_s=most_s).stdout)
    except ValueError:
        raise EngineError(tr("The engine gave no answer that can be read.")) from None


def _sentence(errors: list[str], code: int) -> str:
    """The engine's one sentence; a panic is never shown as such."""
    for line in reversed(errors):
        if line.startswith("error: "):
            return line[len("error: ") :]
    if any("panicked at" in line for line in errors):
        return tr("The engine met an internal error. Please report it with the log below.")
    return tr("The engine ended with code {} and no message.").format(code)


def _end(process: QProcess) -> None:
    """Terminate, wait, kill: no orphan stays behind."""
    if process.state() == QProcess.ProcessState.NotRunning:
        return
    process.terminate()
    if not process.waitForFinished(3000):
        process.kill()
        process.waitForFinished(3000)
