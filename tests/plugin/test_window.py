"""The plugin as users load it: in qgis_process, and in a real QGIS window from an empty project to the PDF."""

from __future__ import annotations

import csv
import json
import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, VALLEY, engine_file
from osgeo import gdal
from qgis.core import QgsVectorLayer
from qgis.PyQt.QtGui import QImage

HERE = Path(__file__).parent


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A fresh user: home with the plugin linked in, the engine on PATH."""
    home = tmp_path_factory.mktemp("home")
    plugins = home / ".local/share/QGIS/QGIS3/profiles/default/python/plugins"
    plugins.mkdir(parents=True)
    (plugins / "couloir").symlink_to(ROOT / "qgis_plugin" / "couloir")
    runtime = home / "runtime"
    runtime.mkdir(mode=0o700)
    tools = home / "bin"
    tools.mkdir()
    shutil.copy(engine_file(), tools / "couloir")
    ini = plugins.parents[1] / "QGIS" / "QGIS3.ini"
    ini.parent.mkdir()
    ini.write_text("[PythonPlugins]\ncouloir=true\nprocessing=true\n\n[qgis]\nshowTips=false\ncheckVersion=false\n")
    # pytest-qgis has a profile of its own.
    inherited = {name: value for name, value in os.environ.items() if not name.startswith("QGIS_")}
    return {
        **inherited,
        "HOME": str(home),
        "XDG_RUNTIME_DIR": str(runtime),
        "PATH": f"{tools}:{os.environ['PATH']}",
        "LANG": "C.UTF-8",
    }


def test_qgis_process_runs_an_algorithm(profile: dict[str, str], tmp_path: Path) -> None:
    quiet = {**profile, "QT_QPA_PLATFORM": "offscreen"}
    out = tmp_path / "Lauf ü"
    done = subprocess.run(
        ["qgis_process.bin", "run", "couloir:run", "--", f"PROJECT={VALLEY / 'project.yaml'}", "LIMIT=20", f"OUTPUT={out}"],
        capture_output=True, text=True, env=quiet, timeout=FOR_EVER,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr
    run = out / "run"
    assert json.loads((run / "manifest.json").read_text("utf-8"))["rocks"] == 20
    assert (run / "layers" / "kinetic_energy_kj_p95.qml").is_file(), "styles lie beside the rasters"
    done = subprocess.run(
        ["qgis_process.bin", "run", "couloir:layout", "--", f"RUN={run}", f"PDF={tmp_path / 'karte.pdf'}", "DPI=72"],
        capture_output=True, text=True, env=quiet, timeout=FOR_EVER,
    )  # fmt: skip
    assert done.returncode == 0 and (tmp_path / "karte.pdf").is_file(), done.stdout + done.stderr


#: Only keeps a broken test from waiting for ever (s).
FOR_EVER = 3600


def in_a_window(script: str, profile: dict[str, str], tmp_path: Path, shots: Path, site: Path | None = None) -> Path:
    """Runs a script in QGIS with a real window; what it found is in tmp_path. Returns the site it had: a copy of the valley."""
    if site is None:
        site = Path(shutil.copytree(VALLEY, tmp_path / "valley"))
    environment = {k: v for k, v in profile.items() if k != "QT_QPA_PLATFORM"}
    environment |= {
        "COULOIR_WINDOW": str(HERE / "window"),
        "COULOIR_SITE": str(site),
        "COULOIR_SHOTS": str(shots),
        "COULOIR_OUT": str(tmp_path),
    }
    subprocess.run(
        ["xvfb-run", "-a", "-s", "-screen 0 1600x1000x24", "qgis.bin", "--nologo", "--noversioncheck", "--code",
         str(HERE / "window" / script)],
        env=environment, timeout=FOR_EVER, capture_output=True, check=False,
    )  # fmt: skip
    return site


def walked(place: Path, shots: Path, name: str) -> dict[str, Any]:
    """What the walk through the guide found."""
    answers = json.loads((place / "answers.json").read_text("utf-8"))
    assert "failed" not in answers, answers["failed"]
    for picture in ("1-site", "2-rocks", "3-ground", "4-run", "6-results", "7-layout-dialog", "8-map", "9-tip", "9-time"):
        assert (shots / f"{name}-{picture}.png").stat().st_size > 10_000, picture
    run = next((place / "runs").iterdir()) / "run"
    pictures = {picture.read_bytes() for picture in (run / "lines").glob("*.svg")}
    with (run / "lines" / "crossings.csv").open(encoding="utf-8", newline="") as table:
        lines = {row["line"] for row in csv.DictReader(table)}
    assert answers["lines"] == len(lines) > 1, "each line that rocks crossed has figures of its own"
    assert len(pictures) >= len(lines), "and pictures of its own, one for each scenario"
    manifest = json.loads((run / "manifest.json").read_text("utf-8"))
    periods = manifest["classifications"][0]["scenario_return_periods_years"]
    assert periods == {"30 years": 30.0, "100 years": 100.0, "300 years": 300.0}, "as the table says"
    zones = QgsVectorLayer(str(run / "classification" / "swiss" / "hazard.gpkg"), "zones", "ogr")
    assert zones.isValid() and zones.featureCount() > 0
    return answers


def test_a_new_users_path_in_a_real_window(profile: dict[str, str], tmp_path: Path, shots: Path) -> None:
    in_a_window("guide.py", profile, tmp_path, shots)
    answers = walked(tmp_path, shots, "guide")
    text = subprocess.run(["pdftotext", str(tmp_path / "map.pdf"), "-"], capture_output=True, text=True, check=True).stdout
    assert all(words in text for words in ("Valley", "Legend", "Houses", "DRAFT", "7-301"))
    assert "Ready to run" in answers["checks"] and answers["state"].startswith("Finished")
    assert QImage(str(shots / "guide-9-frame.png")) != QImage(str(shots / "guide-9-time.png")), "rocks move with the slider"
    assert answers["turns"] > 10, "the window lives while results are loaded"


def test_the_same_path_in_german_on_another_grid(profile: dict[str, str], tmp_path: Path, shots: Path) -> None:
    """The site in UTM zone 32 with cells of 3 m, QGIS in German."""
    site = tmp_path / "Gelände ü"
    site.mkdir()
    gdal.Warp(str(site / "dem.tif"), str(VALLEY / "dem.tif"), dstSRS="EPSG:25832", xRes=3, yRes=3, resampleAlg="bilinear")
    for name in ("ground", "forest", "houses", "lines", "release"):
        shutil.copyfile(VALLEY / f"{name}.gpkg", site / f"{name}.gpkg")
    ini = Path(profile["HOME"]) / ".local/share/QGIS/QGIS3/profiles/default/QGIS/QGIS3.ini"
    before = ini.read_text("utf-8")
    ini.write_text(before + "\n[locale]\noverrideFlag=true\nuserLocale=de\n", encoding="utf-8")
    try:
        in_a_window("guide.py", {**profile, "COULOIR_PICTURES": "deutsch"}, tmp_path, shots, site)
    finally:
        ini.write_text(before, encoding="utf-8")
    answers = walked(tmp_path, shots, "deutsch")
    assert "Bereit" in answers["checks"], answers["checks"]
    assert answers["state"].startswith("Fertig")
    text = subprocess.run(["pdftotext", str(tmp_path / "map.pdf"), "-"], capture_output=True, text=True, check=True).stdout
    assert all(words in text for words in ("Legende", "ENTWURF", "EPSG:25832", "erhebliche Gefährdung"))
    assert "Quantil beruht auf" in text and "rests on" not in text, "warnings on the map, too"


def test_toolbox_dialogs_refuse_with_a_button_and_run_in_batch(profile: dict[str, str], tmp_path: Path, shots: Path) -> None:
    site = in_a_window("dialogs.py", profile, tmp_path, shots)
    answers = json.loads((tmp_path / "answers.json").read_text("utf-8"))
    assert "failed" not in answers, answers["failed"]
    assert "in degrees" in answers["degrees box"] and answers["degrees buttons"] == ["Prepare project area…"]
    assert answers["opened"] == "couloir:prepare" and answers["given"] == [str(site / "dem.tif")], "filled in with that DEM"
    assert "no coordinate reference system" in answers["no-crs box"]
    assert answers["no-crs buttons"] == ["Prepare project area…"]
    assert "does not exist" in answers["no-engine box"]
    assert answers["no-engine buttons"] == ["Install engine…", "Engine location…", "Releases on the web…"]
    assert not answers["made"]
    seeds = [json.loads((tmp_path / f"Reihe {row}" / "run" / "manifest.json").read_text("utf-8"))["seed"] for row in (0, 1)]
    assert seeds == [10, 11]
