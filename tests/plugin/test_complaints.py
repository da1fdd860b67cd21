"""What users of such plugins complain about elsewhere, tried one by one with stand-ins for a misbehaving engine."""

from __future__ import annotations

import ast
import os
import shutil
import signal
import subprocess
import tempfile
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, VALLEY, Log
from couloir import engine
from qgis.core import QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import QTimer
from test_engine import engines_running, script
from test_panel import dock, fill, wait_for  # noqa: F401 (a fixture)
from test_window import profile  # noqa: F401 (a fixture)

PANIC = """case "$1" in
--version) echo "couloir 0.2.0";;
*) echo '{"stage":"simulate","done":1,"total":9}'
   echo "thread 'main' panicked at src/dynamics/step.rs:41:9:" >&2
   echo "index out of bounds: the len is 3 but the index is 3" >&2
   echo "note: run with RUST_BACKTRACE=1 environment variable to display a backtrace" >&2
   exit 101;;
esac"""
HANGS = """case "$1" in
--version) echo "couloir 0.2.0";;
*) for last; do :; done
   [ "$1" = prepare ] && mkdir -p "$last" && echo half > "$last/dem.tif"
   exec sleep 600;;
esac"""


def test_a_panic_reaches_nobody(run_tool: Any, tmp_path: Path) -> None:
    engine.configure(str(script(tmp_path / "couloir", PANIC)))
    log = Log()
    with pytest.raises(Exception, match="internal error. Please report it") as caught:
        run_tool("run", {"PROJECT": str(VALLEY / "project.yaml"), "OUTPUT": str(tmp_path / "out")}, log)
    assert "panicked" not in str(caught.value) and "Traceback" not in str(caught.value)
    assert any("panicked" in line for line in log.lines), "the log has it, for the report"
    assert not (tmp_path / "out").exists()


def test_a_panic_in_the_panel_is_one_sentence(dock: Any, tmp_path: Path) -> None:  # noqa: F811
    fill(dock, tmp_path / "runs", rocks=1)
    engine.configure(str(script(tmp_path / "couloir", PANIC)))
    dock.changed()
    wait_for(lambda: "internal error" in dock.checks.toPlainText())
    assert "panicked" not in dock.checks.toPlainText() and not dock.run_controls.run_button.isEnabled()
    dock.start([])
    wait_for(lambda: "run" not in dock.tasks)
    assert "internal error" in dock.run_controls.state.text() and "panicked" not in dock.run_controls.state.text()
    assert not list((tmp_path / "runs").glob("*"))


def test_the_window_stays_alive_while_the_engine_hangs(dock: Any, tmp_path: Path) -> None:  # noqa: F811
    fill(dock, tmp_path / "runs", rocks=1)
    own = script(tmp_path / "couloir", HANGS)
    engine.configure(str(own))
    gaps: list[float] = []
    last = [time.monotonic()]

    def tick() -> None:
        gaps.append(time.monotonic() - last[0])
        last[0] = time.monotonic()

    timer = QTimer()
    timer.timeout.connect(tick)
    timer.start(20)
    dock.start([])
    wait_for(lambda: len(gaps) > 100)
    assert "run" in dock.tasks, "the engine still hangs"
    assert max(gaps) < 1.0, "the window answered all the time"
    dock.cancel()
    wait_for(lambda: "run" not in dock.tasks)
    timer.stop()
    assert max(gaps) < 1.0, "also while cancelling"
    assert not list((tmp_path / "runs").glob("*"))


def test_an_engine_that_says_its_version_and_hangs_is_given_up(tmp_path: Path) -> None:
    """Asked for its tables when QGIS starts, it would keep the window from ever opening."""
    engine.configure(str(script(tmp_path / "couloir", HANGS)))
    with pytest.raises(engine.EngineError, match="gave no answer"):
        engine.ask("schema", "--presets", most_s=1.0)


def test_a_missing_engine_is_said_before_anything_else(dock: Any, tmp_path: Path) -> None:  # noqa: F811
    engine.configure(str(tmp_path / "nowhere"))
    dock.changed()
    wait_for(lambda: "does not exist" in dock.checks.toPlainText())
    assert "Install engine…" in dock.checks.toPlainText()


def test_temporary_files_are_gone_after_cancel_and_refusal(run_tool: Any, tmp_path: Path, engine_setting: Path) -> None:
    def left() -> set[str]:
        return {path.name for path in Path(tempfile.gettempdir()).glob("couloir-*") if "samples" not in path.name}

    before = left()
    layer = QgsRasterLayer(str(VALLEY / "dem.tif"), "DEM")
    QgsProject.instance().addMapLayer(layer)
    engine.configure(str(script(tmp_path / "couloir", HANGS)))
    log = Log()
    QTimer.singleShot(0, log.cancel)
    log.cancel()
    run_tool("prepare", {"DEM": [layer], "EXTENT": layer.extent(), "OUTPUT": str(tmp_path / "out")}, log)
    engine.configure(str(engine_setting))
    with pytest.raises(Exception, match="steep"):
        run_tool("release", {"DEM": layer, "SLOPE": 89, "OUTPUT": "TEMPORARY_OUTPUT"})
    assert left() == before
    assert not (tmp_path / "out").exists(), "nothing half-made"


def test_killing_qgis_does_not_leave_the_engine_behind(
    profile: dict[str, str],  # noqa: F811
    tmp_path: Path,
    engine_setting: Path,
) -> None:
    own = tmp_path / "bin" / "couloir"
    own.parent.mkdir()
    shutil.copy(engine_setting, own)
    environment = {**profile, "QT_QPA_PLATFORM": "offscreen", "PATH": f"{own.parent}:{os.environ['PATH']}"}
    project = VALLEY / "project.yaml"
    started = subprocess.Popen(
        ["qgis_process.bin", "run", "couloir:run", "--", f"PROJECT={project}", f"OUTPUT={tmp_path / 'out'}"],
        env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
    )  # fmt: skip
    try:
        end = time.monotonic() + 90
        while not engines_running(own) and time.monotonic() < end:
            time.sleep(0.1)
        assert engines_running(own), "the engine was started"
        time.sleep(1)
    finally:
        started.send_signal(signal.SIGKILL)
        started.wait(10)
    end = time.monotonic() + 60
    while engines_running(own) and time.monotonic() < end:
        time.sleep(0.2)
    assert engines_running(own) == [], "it ends when nobody listens any more"


def test_the_plugin_needs_no_packages_and_reads_files_as_utf8() -> None:
    for file in sorted((ROOT / "qgis_plugin" / "couloir").rglob("*.py")):
        text = file.read_text("utf-8")
        for line in text.splitlines():
            if "read_text(" in line or "write_text(" in line:
                assert "utf-8" in line or line.rstrip().endswith("("), f"{file.name}: {line.strip()}"
        assert "subprocess" not in text and "pip install" not in text, file.name


def test_the_plugin_stays_small() -> None:
    """What the engine can do it does: the plugin has fewer than 4,500 lines, and no class above 300."""
    files = sorted((ROOT / "qgis_plugin" / "couloir").rglob("*.py"))
    assert sum(len(file.read_text("utf-8").splitlines()) for file in files) < 4500
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.ClassDef):
                assert node.end_lineno - node.lineno < 300, f"{file.name}: {node.name}"
