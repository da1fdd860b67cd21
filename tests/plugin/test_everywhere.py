"""Every algorithm in qgis_process and in the modeler, on a site in another coordinate system with other cells."""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

from conftest import VALLEY, engine_file
from osgeo import gdal
from qgis.core import QgsProcessingModelAlgorithm, QgsVectorLayer
from test_models import child
from test_window import profile  # noqa: F401 (a fixture)

NAMES = ("prepare", "release", "run", "classify", "barrier", "merge", "compare", "score", "profile", "layout")


def test_every_algorithm_in_qgis_process(profile: dict[str, str], tmp_path: Path) -> None:  # noqa: F811
    quiet = {**profile, "QT_QPA_PLATFORM": "offscreen"}
    gdal.Warp(str(tmp_path / "Höhen.tif"), str(VALLEY / "dem.tif"), dstSRS="EPSG:25832", xRes=3, yRes=3, resampleAlg="bilinear")
    for name in ("release", "lines"):
        shutil.copyfile(VALLEY / f"{name}.gpkg", tmp_path / f"{name}.gpkg")

    def call(name: str, **given: Any) -> None:
        """All paths are relative to where the user is."""
        words = [f"{key}={value}" for key, value in given.items()]
        done = subprocess.run(
            ["qgis_process.bin", "run", f"couloir:{name}", "--", *words], capture_output=True, env=quiet, cwd=tmp_path
        )
        text = (done.stdout + done.stderr).decode("utf-8", "replace")
        assert done.returncode == 0 and "Traceback" not in text, text

    call("prepare", DEM="Höhen.tif", RELEASE="release.gpkg", CELL=4, OUTPUT="Projekt")
    assert (tmp_path / "Projekt" / "project.yaml").is_file()
    call("release", DEM="Höhen.tif", SLOPE=50, OUTPUT="steil.gpkg")
    assert QgsVectorLayer(str(tmp_path / "steil.gpkg"), "steep", "ogr").featureCount() > 0
    layers = {"DEM": "Höhen.tif", "RELEASE": "release.gpkg", "LINES": "lines.gpkg", "SIZE_FIELD": "volume_100y_m3"}
    layers["OBJECTS"] = "lines.gpkg"
    few = {"FREQUENCY_FIELD": "frequency_100y", "POINTS_EVERY": 0.5, "LIMIT": 20, "SPACING": 20, "MIN_SLOPE": 30}
    for seed in (1, 2):
        call("run", **layers, **few, SEED=seed, OUTPUT=f"Lauf {seed}")
    manifest = json.loads((tmp_path / "Lauf 1" / "run" / "manifest.json").read_text("utf-8"))
    assert manifest["crs"].startswith("EPSG:25832") and manifest["grid"]["cell_x_m"] == 3.0
    release = manifest["project"]["document"]["release"][0]
    assert release["placement"] == {"grid_m": 20.0} and release["min_slope_deg"] == 30.0, "both hold"
    call("classify", RUN="Lauf 1/run", SCHEME=0, RETURN_PERIOD=1, SCENARIO_YEARS="all=100", LEAST_REACH=0.01)
    assert (tmp_path / "Lauf 1" / "run" / "classification" / "swiss" / "scheme.json").is_file()
    call("barrier", RUN="Lauf 1/run", OUTPUT="blatt.html")
    call("compare", FIRST="Lauf 1/run", SECOND="Lauf 2/run", OUTPUT="Vergleich")
    assert (tmp_path / "Vergleich" / "difference.html").is_file()
    assert (tmp_path / "Lauf 1" / "run" / "objects" / "object_lines.gpkg").is_file()
    call("score", RUN="Lauf 1/run", OBSERVED="Lauf 2/run/trajectories/deposits.gpkg", OUTPUT="Güte")
    assert "<svg" in (tmp_path / "Güte" / "score.html").read_text("utf-8")
    points = "Lauf 1/run/trajectories/trajectory_points.gpkg"
    call("profile", POINTS=points, PLOT="profil.html", TABLE="profil.csv")
    assert "<svg" in (tmp_path / "profil.html").read_text("utf-8")
    call("layout", RUN="Lauf 1/run", STATUS=2, PDF="karte.pdf", DPI=72)
    assert (tmp_path / "karte.pdf").stat().st_size > 10_000
    for part in (1, 2):
        words = ["run", "Lauf 1/inputs/project.yaml", "--limit", "4", "--shard", f"{part}/2", "--out", f"Teil {part}"]
        subprocess.run([str(engine_file()), *words], check=True, cwd=tmp_path, capture_output=True)
    call("merge", PARTS=f"{tmp_path / 'Teil 1'};{tmp_path / 'Teil 2'}", OUTPUT="Ganzes")
    assert (tmp_path / "Ganzes" / "run" / "manifest.json").is_file()


def test_every_algorithm_fits_into_a_model(provider: Any) -> None:
    known = {algorithm.name(): algorithm for algorithm in provider.algorithms()}
    assert set(known) == set(NAMES)
    model = QgsProcessingModelAlgorithm("All", "Couloir")
    for name, algorithm in known.items():
        model.addChildAlgorithm(child(name))
        assert algorithm.helpUrl() and algorithm.shortHelpString()
        assert all(parameter.description() for parameter in algorithm.parameterDefinitions())
    assert set(model.childAlgorithms()) == set(NAMES)
