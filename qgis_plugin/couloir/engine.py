"""The engine: where it is, whether it fits this plugin, and how it is run.

The plugin shells out to the `couloir` executable with an argument list (never a shell line), reads its JSON-lines
progress, and never guesses success from text: the exit code decides.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from collections import deque
from dataclasses import dataclass, field
from functools import lru_cache
from pathlib import Path
from typing import Any, Callable, Protocol

from qgis.core import QgsApplication, QgsSettings
from qgis.PyQt.QtCore import QProcess, QProcessEnvironment

from .i18n import tr

SETTING = "couloir/engine"
#: Oldest and first no longer supported engine version.
MIN_VERSION = (0, 2, 0)
NEXT_INCOMPATIBLE = (0, 3, 0)

EXECUTABLE = "couloir.exe" if sys.platform == "win32" else "couloir"


class EngineError(Exception):
    """One sentence for the user; `log` holds the last lines the engine wrote."""

    def __init__(self, sentence: str, log: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.log = log


class EngineMissing(EngineError):
    """No usable engine was found."""


class Cancelled(EngineError):
    """The user cancelled."""


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
        return ".".join(str(part) for part in self.version)


@dataclass
class Result:
    stdout: str
    messages: list[dict[str, Any]] = field(default_factory=list)
    warnings: list[str] = field(default_factory=list)


def data_folder() -> Path:
    """Where an engine installed through the plugin lives: in the QGIS profile, outside the plugin's own folder."""
    return Path(QgsApplication.qgisSettingsDirPath()) / "couloir"


def configured() -> str:
    return str(QgsSettings().value(SETTING, "") or "").strip()


def configure(path: str) -> None:
    QgsSettings().setValue(SETTING, path.strip())


def _executable_in(place: Path) -> Path | None:
    """The setting may name the executable or its folder."""
    if place.is_dir():
        for candidate in (place / EXECUTABLE, place / "bin" / EXECUTABLE):
            if candidate.is_file():
                return candidate
        return None
    return place if place.is_file() else None


def how_to_get_it() -> str:
    return tr(
        "Couloir's simulation engine is a separate program. Install it from a file you were given with Plugins ▸ Couloir ▸ "
        "Install engine from file…, or build it (git clone, then `make build`) and name the executable, or its folder, with "
        "Plugins ▸ Couloir ▸ Engine location…"
    )


def find() -> Engine:
    """The engine: setting, then the plugin's data folder, then PATH.

    Raises EngineMissing with a sentence that says where we looked and what to do.
    """
    setting = configured()
    if setting:
        found = _executable_in(Path(setting))
        if found is None:
            raise EngineMissing(
                tr("The engine set in the options, “{}”, does not exist or holds no “{}”.").format(setting, EXECUTABLE)
                + " "
                + how_to_get_it()
            )
        return handshake(found, tr("options"))
    found = _executable_in(data_folder())
    if found is not None:
        return handshake(found, tr("QGIS profile"))
    on_path = shutil.which(EXECUTABLE)
    if on_path:
        return handshake(Path(on_path), "PATH")
    raise EngineMissing(tr("No Couloir engine was found.") + " " + how_to_get_it())


def handshake(path: Path, origin: str) -> Engine:
    """Asks the executable for its version and refuses what this plugin does not speak with."""
    process = QProcess()
    process.setProcessEnvironment(_environment())
    process.start(str(path), ["--version"])
    if not process.waitForStarted(60000):
        raise EngineMissing(tr("“{}” cannot be started: {}. Is it built for this system?").format(path, process.errorString()))
    if not process.waitForFinished(60000):
        process.kill()
        process.waitForFinished(2000)
        raise EngineMissing(tr("“{}” does not answer: it is not the Couloir engine.").format(path))
    answer = bytes(process.readAllStandardOutput()).decode("utf-8", "replace").strip()
    match = re.fullmatch(r"couloir (\d+)\.(\d+)\.(\d+)\S*", answer.splitlines()[0] if answer else "")
    if match is None:
        raise EngineMissing(tr("“{}” is not the Couloir engine: asked for its version it said “{}”.").format(path, answer[:80]))
    version = tuple(int(part) for part in match.groups())
    wanted = ".".join(str(part) for part in MIN_VERSION)
    if version < MIN_VERSION:
        raise EngineMissing(
            tr("The engine “{}” is version {}; this plugin needs {} or newer. Update the engine.").format(
                path, ".".join(map(str, version)), wanted
            )
        )
    if version >= NEXT_INCOMPATIBLE:
        raise EngineMissing(
            tr("The engine “{}” is version {}, newer than this plugin understands. Update the plugin.").format(
                path, ".".join(map(str, version))
            )
        )
    return Engine(path=path, version=version, origin=origin)


def install_from_file(source: Path) -> Engine:
    """Copies an executable into the QGIS profile after checking that it is the engine."""
    found = _executable_in(source)
    if found is None:
        raise EngineMissing(tr("“{}” is not an executable file.").format(source))
    handshake(found, tr("file"))
    target = data_folder() / EXECUTABLE
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_suffix(".part")
    shutil.copyfile(found, partial)
    partial.chmod(0o755)
    os.replace(partial, target)
    return handshake(target, tr("QGIS profile"))


def _environment() -> QProcessEnvironment:
    environment = QProcessEnvironment.systemEnvironment()
    # QGIS sets these for its own Python and GDAL plugins; the engine must find its own.
    for name in ("PYTHONHOME", "PYTHONPATH", "GDAL_DRIVER_PATH"):
        environment.remove(name)
    environment.insert("RUST_BACKTRACE", "0")
    return environment


def run(
    engine: Engine,
    arguments: list[str],
    feedback: Feedback | None = None,
    on_message: Callable[[dict[str, Any]], None] | None = None,
    on_line: Callable[[str], None] | None = None,
) -> Result:
    """Runs the engine to its end and returns what it printed.

    Lines that are JSON objects are progress messages: they reach `on_message` and move the progress bar.
    Raises Cancelled or EngineError (with the engine's own sentence); never leaves a process behind.
    """
    process = QProcess()
    process.setProcessEnvironment(_environment())
    process.start(str(engine.path), arguments)
    if not process.waitForStarted(10000):
        raise EngineError(tr("The engine could not be started: {}.").format(process.errorString()))
    process.closeWriteChannel()

    result = Result(stdout="")
    plain: list[str] = []
    errors: deque[str] = deque(maxlen=40)
    pending = {"out": b"", "err": b""}

    def lines(kind: str, chunk: bytes, last: bool = False) -> list[str]:
        data = pending[kind] + chunk
        *whole, rest = data.split(b"\n")
        if last and rest:
            whole, rest = [*whole, rest], b""
        pending[kind] = rest
        return [line.decode("utf-8", "replace").rstrip("\r") for line in whole]

    def note(message: dict[str, Any]) -> None:
        result.messages.append(message)
        _progress(message, feedback)
        if on_message:
            on_message(message)

    def take(last: bool = False) -> None:
        for line in lines("out", bytes(process.readAllStandardOutput()), last):
            message = _message(line)
            if message is None:
                plain.append(line)
                if on_line and line.strip():
                    on_line(line)
                continue
            note(message)
        for line in lines("err", bytes(process.readAllStandardError()), last):
            message = _message(line)
            if message is not None:
                note(message)
            elif line.strip():
                errors.append(line)
                if line.startswith("warning: "):
                    result.warnings.append(line[len("warning: ") :])
                if on_line:
                    on_line(line)

    try:
        while process.state() != QProcess.ProcessState.NotRunning:
            process.waitForReadyRead(200)
            take()
            if feedback is not None and feedback.isCanceled():
                raise Cancelled(tr("Cancelled."))
        take(last=True)
    finally:
        _end(process)

    result.stdout = "\n".join(plain)
    if process.exitStatus() != QProcess.ExitStatus.NormalExit:
        raise EngineError(tr("The engine stopped unexpectedly (it crashed or was killed)."), "\n".join(errors))
    if process.exitCode() != 0:
        raise EngineError(_sentence(errors, process.exitCode()), "\n".join(errors))
    return result


@lru_cache(maxsize=4)
def _presets(path: Path, _modified: float) -> str:
    return run(Engine(path, MIN_VERSION, ""), ["schema", "--presets"]).stdout


def presets(engine: Engine) -> dict[str, Any]:
    """The engine's own ground and forest classes, shapes and schemes; empty if it does not tell."""
    try:
        return json.loads(_presets(engine.path, engine.path.stat().st_mtime))
    except (EngineError, OSError, ValueError):
        return {}


def _message(line: str) -> dict[str, Any] | None:
    if not line.startswith("{"):
        return None
    try:
        message = json.loads(line)
    except ValueError:
        return None
    return message if isinstance(message, dict) and "stage" in message else None


def _progress(message: dict[str, Any], feedback: Feedback | None) -> None:
    done, total = message.get("done"), message.get("total")
    if feedback is not None and isinstance(done, (int, float)) and isinstance(total, (int, float)) and total > 0:
        feedback.setProgress(100.0 * done / total)


def _sentence(errors: deque[str], code: int) -> str:
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
