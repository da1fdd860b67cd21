"""The panel, driven in a window: fill it in, see the checks, run, cancel, results appear."""

from __future__ import annotations

import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import VALLEY
from qgis.core import QgsFeature, QgsGeometry, QgsPointXY, QgsProject, QgsRasterLayer, QgsVectorLayer
from qgis.PyQt.QtCore import QCoreApplication
from qgis.PyQt.QtWidgets import QMainWindow

SPOT = (2786950.0, 1181850.0)


def wait_for(condition: Any, seconds: float = 3600.0) -> None:
    """Waits for a state, however busy the machine is; the limit only keeps a broken test from waiting for ever."""
    end = time.monotonic() + seconds
    while not condition():
        assert time.monotonic() < end, "waited too long"
        QCoreApplication.processEvents()
        time.sleep(0.02)


@pytest.fixture()
def dock(qgis_iface: Any, provider: Any) -> Iterator[Any]:
    from couloir.panel.dock import CouloirDock

    window = QMainWindow()
    made = CouloirDock(qgis_iface)
    window.setCentralWidget(made)
    window.resize(520, 860)
    window.show()
    yield made
    made.close_down()
    window.close()


def finish(dock: Any) -> None:
    """Starts a run and waits until its results are loaded."""
    dock.start([])
    wait_for(lambda: "run" not in dock.tasks and not dock.run_controls.state.text().startswith("Loading"))
    assert dock.run_controls.state.text().startswith("Finished"), dock.run_controls.state.text()


def fill(dock: Any, runs: Path, rocks: int) -> None:
    dem = QgsRasterLayer(str(VALLEY / "dem.tif"), "DEM 2 m")
    release = QgsVectorLayer("Point?crs=EPSG:2056", "Cliff", "memory")
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(*SPOT)))
    release.dataProvider().addFeature(feature)
    ground = QgsVectorLayer(str(VALLEY / "ground.gpkg"), "Ground", "ogr")
    QgsProject.instance().addMapLayers([dem, release, ground])
    dock.fields["dem"].setLayer(dem)
    dock.fields["release"].setLayer(release)
    dock.fields["ground"].setLayer(ground)
    dock.fields["ground_attribute"].setField("class")
    dock.fields["size"].setValue(0.3)
    dock.fields["rocks_per_position"].setValue(rocks)
    dock.fields["runs"].setFilePath(str(runs))


def test_fill_check_run_and_see_results(dock: Any, tmp_path: Path, shots: Path) -> None:
    wait_for(lambda: "elevation model" in dock.checks.toPlainText())
    assert not dock.run_controls.run_button.isEnabled(), "nothing to run yet"
    runs = tmp_path / "Läufe"
    fill(dock, runs, rocks=3)
    wait_for(lambda: "Ready to run: 1 release positions, 3 rocks" in dock.checks.toPlainText())
    assert "Estimated time" in dock.run_controls.estimate.text()
    for index, name in enumerate(("site", "rocks", "ground", "run")):
        dock.tabs.setCurrentIndex(index)
        QCoreApplication.processEvents()
        dock.grab().save(str(shots / f"panel-{name}.png"))
    # Presets show their numbers, and an edited number is used.
    assert dock.fields["mu_min"].value() == 0.75
    dock.fields["mu_min"].setValue(0.4)
    finish(dock)
    folder = next(runs.iterdir())
    assert "mu_min: 0.4\n" in (folder / "inputs" / "project.yaml").read_text("utf-8")
    assert QgsProject.instance().layerTreeRoot().findGroups(), "the results are in the layer tree"
    assert dock.results_page.list.count() == 1
    dock.grab().save(str(shots / "panel-results.png"))
    # Repeat with the settings of that run.
    dock.fields["mu_min"].setValue(0.2)
    dock.repeat(dock.results_page.runs[0])
    assert dock.fields["mu_min"].value() == 0.4
    # The settings went into the QGIS project.
    assert '"rocks_per_position": 3' in QgsProject.instance().readEntry("couloir", "panel", "")[0]


def test_cancel_leaves_nothing(dock: Any, tmp_path: Path) -> None:
    runs = tmp_path / "runs"
    fill(dock, runs, rocks=2000)
    dock.start([])
    wait_for(lambda: "simulate" in dock.run_controls.state.text())
    dock.cancel()
    wait_for(lambda: "run" not in dock.tasks)
    assert list(runs.iterdir()) == []
    assert dock.run_controls.run_button.isEnabled() and not dock.run_controls.cancel_button.isEnabled()


def test_two_runs_at_once(dock: Any, run_tool: Any, tmp_path: Path) -> None:
    """One in the panel, one in the toolbox: neither disturbs the other, and none writes into the other's folder."""
    runs = tmp_path / "runs"
    fill(dock, runs, rocks=20)
    dock.start([])
    wait_for(lambda: "simulate" in dock.run_controls.state.text())
    assert not dock.run_controls.run_button.isEnabled(), "one at a time in the panel"
    [taken] = runs.iterdir()
    given = {"PROJECT": str(VALLEY / "project.yaml"), "LIMIT": 2, "LOAD": False}
    with pytest.raises(Exception, match="holds files already and stays as it is"):
        run_tool("run", {**given, "OUTPUT": str(taken)})
    run_tool("run", {**given, "OUTPUT": str(tmp_path / "zweiter")})
    wait_for(lambda: "run" not in dock.tasks and not dock.run_controls.state.text().startswith("Loading"))
    assert dock.run_controls.state.text().startswith("Finished"), dock.run_controls.state.text()
    for folder in (taken, tmp_path / "zweiter"):
        assert (folder / "run" / "manifest.json").is_file()


def test_a_dem_in_degrees_offers_prepare(dock: Any, tmp_path: Path) -> None:
    from qgis.core import QgsCoordinateReferenceSystem

    fill(dock, tmp_path, rocks=1)
    layer = dock.fields["dem"].currentLayer()
    layer.setCrs(QgsCoordinateReferenceSystem("EPSG:4326"))
    dock.changed()
    wait_for(lambda: "in degrees" in dock.checks.toPlainText())
    assert "Prepare project area…" in dock.checks.toPlainText()
    assert not dock.run_controls.run_button.isEnabled()


def test_what_is_drawn_is_chosen(dock: Any, qgis_iface: Any) -> None:
    from couloir.panel.draw import drawing_layer

    QgsProject.instance().setCrs(QgsRasterLayer(str(VALLEY / "dem.tif"), "d").crs())
    for kind in ("barriers", "release"):
        layer = drawing_layer(kind)
        assert drawing_layer(kind) is layer, "drawings go to one layer"
        assert layer.isValid() and layer.crs().authid() == "EPSG:2056"
        dock.fields[kind].setLayer(layer)
        assert dock.values()[kind] == layer.id()


def test_settings_travel_with_the_project(dock: Any, tmp_path: Path) -> None:
    fill(dock, tmp_path / "runs", rocks=17)
    dem = dock.fields["dem"].currentLayer().id()
    wait_for(lambda: '"rocks_per_position": 17' in QgsProject.instance().readEntry("couloir", "panel", "")[0])
    file = str(tmp_path / "Projekt ä.qgz")
    assert QgsProject.instance().write(file)
    QgsProject.instance().clear()
    dock.fields["rocks_per_position"].setValue(1)
    assert QgsProject.instance().read(file)
    assert dock.fields["rocks_per_position"].value() == 17
    assert dock.runs_folder() == tmp_path / "runs"
    assert dock.fields["dem"].currentLayer().id() == dem
    assert dock.fields["ground_attribute"].currentField() == "class"


def test_paths_inside_the_project_folder_move_with_it(dock: Any, tmp_path: Path) -> None:
    home, elsewhere = tmp_path / "hier", tmp_path / "beim Kollegen"
    home.mkdir()
    assert QgsProject.instance().write(str(home / "p.qgz"))
    fill(dock, home / "Läufe", rocks=5)
    wait_for(lambda: '"runs": "./Läufe"' in QgsProject.instance().readEntry("couloir", "panel", "")[0])
    assert QgsProject.instance().write(str(home / "p.qgz"))
    home.rename(elsewhere)
    QgsProject.instance().clear()
    assert QgsProject.instance().read(str(elsewhere / "p.qgz"))
    assert dock.runs_folder() == elsewhere / "Läufe"


def test_the_engine_is_named_by_file_or_folder(qgis_app: Any, tmp_path: Path) -> None:
    from couloir import engine
    from couloir.dialogs import engine_question

    _dialog, place = engine_question(None, str(tmp_path))
    assert place.filePath() == str(tmp_path)
    engine.configure(f'  "{tmp_path}/couloir" ')
    assert engine.configured() == f"{tmp_path}/couloir"
