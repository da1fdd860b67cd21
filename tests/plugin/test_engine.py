"""The engine missing, wrong, too old, refusing, cancelled: one sentence each, nothing left behind."""

from __future__ import annotations

import shutil
import subprocess
import threading
import time
from pathlib import Path
from typing import Any

import pytest
from conftest import VALLEY, Log
from couloir import engine
from qgis.core import QgsCoordinateReferenceSystem, QgsRasterLayer


def script(file: Path, text: str) -> Path:
    file.write_text(f"#!/bin/sh\n{text}\n")
    file.chmod(0o755)
    return file


def test_a_folder_is_as_good_as_the_executable(engine_setting: Path, tmp_path: Path) -> None:
    folder = tmp_path / "Programme (neu) ä"
    (folder / "bin").mkdir(parents=True)
    shutil.copy(engine_setting, folder / "bin" / "couloir")
    engine.configure(str(folder))
    assert engine.find().path == folder / "bin" / "couloir"


def test_missing_engine_says_how_to_get_it_and_provider_stays(run_tool: Any, provider: Any, tmp_path: Path) -> None:
    engine.configure(str(tmp_path / "nowhere"))
    with pytest.raises(Exception, match="does not exist.*Download it from the page of releases"):
        run_tool("run", {"PROJECT": str(VALLEY / "project.yaml"), "OUTPUT": str(tmp_path / "out")})
    assert len(provider.algorithms()) == 10
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize(
    ("answer", "sentence"),
    [
        ("echo hello", "is not the Couloir engine"),
        ("echo couloir 0.0.9", "needs 0.2.0 or newer"),
        ("echo couloir 9.0.0", "newer than this plugin understands"),
        ("echo 'error while loading shared libraries: libgdal.so.32' >&2; exit 127", "does not run.*libgdal.so.32"),
    ],
)
def test_wrong_and_old_engines_are_refused(tmp_path: Path, answer: str, sentence: str) -> None:
    engine.configure(str(script(tmp_path / "couloir", answer)))
    with pytest.raises(engine.EngineMissing, match=sentence):
        engine.find()


def test_a_file_that_is_no_program_is_refused(tmp_path: Path) -> None:
    (tmp_path / "couloir").write_text("text")
    engine.configure(str(tmp_path / "couloir"))
    with pytest.raises(engine.EngineMissing, match="cannot be started"):
        engine.find()


def test_a_panic_is_never_shown_as_such(tmp_path: Path) -> None:
    fake = script(tmp_path / "couloir", "echo \"thread 'main' panicked at src/x.rs:1\" >&2; exit 101")
    with pytest.raises(engine.EngineError) as caught:
        engine.run(engine.Engine(fake, (0, 1, 0), "test"), ["run"])
    assert "panicked" not in caught.value.sentence and "panicked" in caught.value.log


def test_the_engines_sentence_is_the_message(run_tool: Any, tmp_path: Path) -> None:
    broken = tmp_path / "project.yaml"
    broken.write_text("couloir: 1\nterrain: { dem: nicht da.tif }\nrocks: [{name: a, shape: cube, mass_kg: 1}]\nrelease: []\n")
    log = Log()
    with pytest.raises(Exception) as caught:
        run_tool("run", {"PROJECT": str(broken), "OUTPUT": str(tmp_path / "out")}, log)
    assert "Traceback" not in str(caught.value) and str(broken.name) in str(caught.value)
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("wrong", [{"SIZE_FIELD": "name"}, {"FREQUENCY_FIELD": "name"}, {"MIN_SLOPE": 89}])
def test_the_sentence_names_no_file_that_the_plugin_wrote(run_tool: Any, tmp_path: Path, wrong: dict[str, Any]) -> None:
    layers = {"DEM": str(VALLEY / "dem.tif"), "RELEASE": str(VALLEY / "release.gpkg"), "LIMIT": 3, "LOAD": False}
    with pytest.raises(Exception) as caught:
        run_tool("run", {**layers, **wrong, "OUTPUT": str(tmp_path / "out")})
    assert "yaml:" not in str(caught.value) and "couloir-" not in str(caught.value) and len(str(caught.value)) > 20
    assert not (tmp_path / "out").exists()


def engines_running(file: Path) -> list[str]:
    found = subprocess.run(["ps", "-ww", "-eo", "pid,args"], capture_output=True, text=True, check=True).stdout
    return [line for line in found.splitlines() if str(file) in line and " run " in line]


def test_cancel_leaves_no_process_and_no_file(run_tool: Any, small_project: Path, tmp_path: Path, engine_setting: Path) -> None:
    own = tmp_path / "engine" / "couloir"
    own.parent.mkdir()
    shutil.copy(engine_setting, own)
    engine.configure(str(own))
    log = Log()
    out = tmp_path / "abgebrochen"

    def cancel_when_running() -> None:
        while not any("simulate" in line for line in log.lines):
            time.sleep(0.05)
        seen.extend(engines_running(own))
        log.cancel()

    seen: list[str] = []
    watcher = threading.Thread(target=cancel_when_running, daemon=True)
    watcher.start()
    started = time.monotonic()
    run_tool("run", {"PROJECT": str(small_project), "OUTPUT": str(out)}, log)
    watcher.join(5)
    assert time.monotonic() - started < 120, "cancelled long before the run could end"
    assert seen, "it was running"
    assert engines_running(own) == []
    assert not out.exists()


def test_a_dem_without_crs_or_in_degrees_is_refused_with_the_way_out(run_tool: Any, tmp_path: Path) -> None:
    for crs, words in (("", "no coordinate reference system"), ("EPSG:4326", "in degrees.*Prepare project area")):
        layer = QgsRasterLayer(str(VALLEY / "dem.tif"), "Höhen")
        layer.setCrs(QgsCoordinateReferenceSystem(crs))
        from qgis.core import QgsProject

        QgsProject.instance().addMapLayer(layer)
        with pytest.raises(Exception, match=words):
            run_tool("run", {"DEM": layer, "RELEASE": str(VALLEY / "release.gpkg"), "OUTPUT": str(tmp_path / "o")})
