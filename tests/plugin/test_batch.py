"""Every algorithm as a batch and as a step of a model that runs, on a site in another coordinate system with other cells.

Its folder has umlauts, an apostrophe and spaces in its name.
"""

from __future__ import annotations

import json
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import VALLEY, Log, engine_file
from osgeo import gdal
from qgis.core import (
    Qgis,
    QgsApplication,
    QgsProcessingContext,
    QgsProcessingModelAlgorithm,
    QgsProcessingModelOutput,
    QgsProject,
    QgsVectorLayer,
)
from test_everywhere import NAMES
from test_models import Source, child

Rows = list[dict[str, Any]]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("Fälle d'Éboulis (Süd)")
    gdal.Warp(str(folder / "Höhen.tif"), str(VALLEY / "dem.tif"), dstSRS="EPSG:25832", xRes=3, yRes=3, resampleAlg="bilinear")
    for name in ("release", "lines"):
        shutil.copyfile(VALLEY / f"{name}.gpkg", folder / f"l'{name}.gpkg")
    return folder


@pytest.fixture(scope="module")
def runs(site: Path, provider: Any) -> list[Path]:
    """Two finished runs, and one in two parts, as the toolbox makes them of layers."""
    from couloir import engine

    engine.configure(str(engine_file()))
    for seed in (1, 2):
        run = QgsApplication.processingRegistry().createAlgorithmById("couloir:run")
        given = {**of_layers(site), "SEED": seed, "OUTPUT": str(site / f"Lauf '{seed}'")}
        log = Log()
        assert run.run(given, QgsProcessingContext(), log)[1], log.lines
    project = site / "Lauf '1'" / "inputs" / "project.yaml"
    for part in (1, 2):
        words = ["run", str(project), "--limit", "4", "--shard", f"{part}/2", "--out", str(site / f"Teil {part}")]
        subprocess.run([str(engine_file()), *words], check=True, capture_output=True)
    return [site / f"Lauf '{seed}'" / "run" for seed in (1, 2)]


def of_layers(site: Path) -> dict[str, Any]:
    return {
        "DEM": str(site / "Höhen.tif"), "RELEASE": str(site / "l'release.gpkg"), "LINES": str(site / "l'lines.gpkg"),
        "SIZE_FIELD": "volume_100y_m3", "FREQUENCY_FIELD": "frequency_100y", "POINTS_EVERY": 0.5, "LIMIT": 8, "SPACING": 20,
        "MIN_SLOPE": 30, "LOAD": False,
    }  # fmt: skip


def rows_of(name: str, site: Path, runs: list[Path], place: Path) -> tuple[Rows, str]:
    """Two rows for an algorithm, and the file that each makes."""
    place.mkdir(parents=True, exist_ok=True)
    points = str(runs[0] / "trajectories" / "trajectory_points.gpkg")
    deposits = str(runs[1] / "trajectories" / "deposits.gpkg")
    parts = ";".join(str(site / f"Teil {part}" / "shard") for part in (1, 2))
    numbers = (0, 1)
    out = [str(place / f"Ort d'{number}") for number in numbers]
    file = {n: str(place / f"d'{n}") for n in numbers}
    of_run = [{"RUN": str(run), "LOAD": False} for run in runs]
    table: dict[str, tuple[Rows, str]] = {
        "prepare": ([{"DEM": [str(site / "Höhen.tif")], "RELEASE": str(site / "l'release.gpkg"), "CELL": 5 + n,
                      "OUTPUT": out[n]} for n in numbers], "project.yaml"),
        "release": ([{"DEM": str(site / "Höhen.tif"), "SLOPE": 45 + n, "OUTPUT": file[n] + ".gpkg"} for n in numbers], ".gpkg"),
        "run": ([{**of_layers(site), "SEED": 7 + n, "OUTPUT": out[n]} for n in numbers], "run/manifest.json"),
        "classify": ([{**of_run[n], "SCENARIO_YEARS": "all=100"} for n in numbers], "classification/swiss/scheme.json"),
        "barrier": ([{"RUN": str(runs[n]), "OUTPUT": file[n] + ".html"} for n in numbers], ".html"),
        "merge": ([{"PARTS": parts, "LOAD": False, "OUTPUT": out[n]} for n in numbers], "run/manifest.json"),
        "compare": ([{"FIRST": str(runs[n]), "SECOND": str(runs[1 - n]), "LOAD": False, "OUTPUT": out[n]} for n in numbers],
                    "difference.html"),
        "score": ([{"RUN": str(runs[n]), "OBSERVED": deposits, "OUTPUT": out[n]} for n in numbers], "score.html"),
        "profile": ([{"POINTS": points, "LIMIT": 1 + n, "PLOT": file[n] + ".html", "TABLE": file[n] + ".csv"} for n in numbers],
                    ".html"),
        "layout": ([{"RUN": str(runs[n]), "PDF": file[n] + ".pdf", "DPI": 72} for n in numbers], ".pdf"),
    }  # fmt: skip
    return table[name]


def made(name: str, rows: Rows, ending: str) -> list[Path]:
    """The files the rows make."""
    key = {"classify": "RUN", "profile": "PLOT", "layout": "PDF"}.get(name, "OUTPUT")
    return [Path(row[key]) if ending.startswith(".") else Path(row[key]) / ending for row in rows]


@pytest.mark.parametrize("name", NAMES)
def test_a_batch_of_two(name: str, site: Path, runs: list[Path], tmp_path: Path) -> None:
    from processing.gui.BatchAlgorithmDialog import BatchAlgorithmDialog

    rows, ending = rows_of(name, site, runs, tmp_path / "Stapel é")
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"couloir:{name}")
    dialog = BatchAlgorithmDialog(algorithm)
    panel = dialog.mainWidget()
    panel.addRow(1)
    for number, row in enumerate(rows):
        for key, value in row.items():
            column = panel.parameter_to_column[key]
            if algorithm.parameterDefinition(key).isDestination():
                panel.tblParameters.cellWidget(number + 1, column).setValue(value)
            else:
                panel.wrappers[number][column].setParameterValue(value, panel.processing_context)
    context = {"context": panel.processing_context} if Qgis.versionInt() >= 33000 else {}
    for number in range(2):
        # As the dialog does it, row by row.
        parameters, fine = panel.parametersForRow(row=number, destinationProject=None, warnOnInvalid=False, **context)
        assert fine, rows[number]
        if name == "merge":
            # The table has a button there that opens a dialog, which alone fills it.
            parameters["PARTS"] = rows[number]["PARTS"]
        log = Log()
        _, fine = algorithm.create().run(algorithm.preprocessParameters(parameters), QgsProcessingContext(), log)
        assert fine, (parameters, log.lines)
    assert all(file.exists() for file in made(name, rows, ending)), rows
    dialog.close()


@pytest.mark.parametrize("name", NAMES)
def test_a_step_of_a_model_that_runs(name: str, site: Path, runs: list[Path], tmp_path: Path) -> None:
    (row, _), ending = rows_of(name, site, runs, tmp_path / "Modell d'été")
    model = QgsProcessingModelAlgorithm("One step", "Couloir")
    algorithm = QgsApplication.processingRegistry().createAlgorithmById(f"couloir:{name}")
    targets = {key for key in row if algorithm.parameterDefinition(key).isDestination()}
    step = child(name, **{key: Source.fromStaticValue(value) for key, value in row.items() if key not in targets})
    outputs = {}
    for key in targets:
        output = QgsProcessingModelOutput(key)
        output.setChildId(name)
        output.setChildOutputName(key)
        outputs[key] = output
    step.setModelOutputs(outputs)
    model.addChildAlgorithm(step)
    model.updateDestinationParameters()
    fine, problems = model.validate()
    assert fine, problems
    names = {definition.name() for definition in model.parameterDefinitions()}
    given = {f"{name}:{key}" if f"{name}:{key}" in names else key: row[key] for key in targets}
    context, log = QgsProcessingContext(), Log()
    context.setProject(QgsProject.instance())
    _, fine = model.run(given, context, log)
    assert fine, log.lines
    [file] = made(name, [row], ending)
    assert file.exists(), log.lines
    if name == "release":
        assert QgsVectorLayer(str(file), "steep", "ogr").crs().authid() == "EPSG:25832"
    if name == "run":
        assert json.loads(file.read_text("utf-8"))["crs"].startswith("EPSG:25832")
