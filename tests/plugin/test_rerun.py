"""Any run becomes the start of another: what the panel shows, keeps and changes."""

from __future__ import annotations

import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import ROOT, SAMPLES, Log, engine_file
from couloir import dialogs, engine, fields, presets, project_form, results
from couloir.algorithms.parameters import FEATURES
from qgis.core import QgsProject, QgsVectorLayer
from test_panel import dock, finish, wait_for  # noqa: F401 (a fixture)


def show(place: Path) -> dict[str, Any]:
    return json.loads(engine.run(engine.find(), ["show", str(place)]).stdout)


def test_the_engines_tables_are_not_repeated() -> None:
    assert presets.tables() == engine.ask("schema", "--presets")
    named = {row["name"] for table in ("ground", "forest") for row in presets.tables()[table]}
    for file in (ROOT / "qgis_plugin" / "couloir").rglob("*.py"):
        text = file.read_text("utf-8")
        assert sum(f'"{name}"' in text for name in named) < 4, f"{file.name} repeats a table of the engine"


def test_an_engine_with_other_numbers_changes_the_panel(dock: Any) -> None:  # noqa: F811
    tables = json.loads(engine.run(engine.find(), ["schema", "--presets"]).stdout)
    changed = json.loads(json.dumps(tables))
    next(row for row in changed["ground"] if row["name"] == "medium")["mu_min"] = 0.37
    try:
        dock.ground.adopt(changed)
        assert dock.fields["mu_min"].value() == 0.37
        assert dock.ground.values()["ground_default"] == "medium"
        assert not presets.adopt({"ground": []}), "an answer without tables changes nothing"
    finally:
        dock.ground.adopt(tables)
    assert dock.fields["mu_min"].value() == 0.75


@pytest.mark.parametrize("sample", ["valley", "ramp"])
def test_a_project_survives_the_panel(sample: str, tmp_path: Path) -> None:
    """Nothing filled in: the same document, and a copy of all inputs, in a folder whose name is no plain word."""
    project = SAMPLES / sample / "project.yaml"
    out = tmp_path / "Süd: „Fels“ #1"
    assert show(project_form.write(out, {}, Log(), project, copy=True)) == show(project)
    assert {path.name for path in out.iterdir()} >= {"project.yaml", "dem.tif"}


def test_every_field_of_the_panel_is_one_of_the_engine() -> None:
    form = project_form.read(SAMPLES / "valley" / "project.yaml")
    own = {field.name: field for field in fields.FIELDS if field.kind not in ("raster", *FEATURES, "folder")}
    assert set(form["values"]) == {*own, "scenarios", "trajectory_formats", "statistics"}
    blank = engine.ask("form")["values"]
    for name, field in own.items():
        if field.default not in (None, "") and name not in ("mu_min", "mu_max", "beta_per_s", "kappa_per_m"):
            assert blank[name] == field.default, f"{name}: the panel and the engine begin with the same"


def test_inputs_are_found_or_named(valley_run: Path, tmp_path: Path) -> None:
    form = project_form.read(valley_run)
    assert Path(form["folder"]) == valley_run.parent.parent / "valley" and form["limited_to"] == 24
    # The run alone, passed to somebody else: the inputs are not there.
    alone = tmp_path / "alone" / "run"
    alone.mkdir(parents=True)
    manifest = json.loads((valley_run / "manifest.json").read_text("utf-8"))
    manifest["this_run"].update(project_path="/nowhere/project.yaml", command="couloir run project.yaml")
    # The engine seals what it writes: the hash of the text with zeros in its place.
    manifest["seal"] = "0" * 64
    text = json.dumps(manifest, indent=2)
    seal = hashlib.sha256(text.encode("utf-8")).hexdigest()
    (alone / "manifest.json").write_text(text.replace(f'"seal": "{"0" * 64}"', f'"seal": "{seal}"'), encoding="utf-8")
    with pytest.raises(engine.EngineError, match="cannot be repeated: its input '.*' is neither in '/nowhere'"):
        project_form.read(alone)
    # With the inputs beside it they are found; a changed one is named.
    shutil.copytree(form["folder"], alone.parent / "inputs")
    (alone.parent / "inputs" / "ground.gpkg").write_bytes((alone.parent / "inputs" / "forest.gpkg").read_bytes())
    assert project_form.read(alone)["changed_inputs"] == ["ground.gpkg"]


def test_rerun_a_run_of_the_command_line_with_changes(
    dock: Any,  # noqa: F811
    run_tool: Any,
    monkeypatch: pytest.MonkeyPatch,
    tmp_path: Path,
    shots: Path,
) -> None:
    site = tmp_path / "Projekt ü" / "valley"
    shutil.copytree(SAMPLES / "valley", site)
    project = site / "project.yaml"
    cliff = (site / "cliff.yaml").read_text("utf-8")
    cliff = cliff.split("  until:")[0]
    project.write_text(cliff.replace("count: 25", "count: 1").replace("position: 6", "position: 1"), "utf-8")
    runs = tmp_path / "Projekt ü" / "runs"
    found = engine.handshake(engine_file(), "test")
    engine.run(found, ["run", str(project), "--out", str(runs / "cli"), "--progress", "json", "--seed", "9"])
    dock.fields["runs"].setFilePath(str(runs))
    dock.list_runs()
    assert [run.folder.name for run in dock.results_page.runs] == ["cli"]
    dock.repeat(dock.results_page.runs[0])
    wait_for(lambda: not dock.tasks.get("read"))
    assert "Kept as it is there" in dock.start_bar.text.text() and "lines (1)" in dock.start_bar.text.text()
    assert [row["name"] for row in dock.scenarios.rows()] == ["30 years", "100 years", "300 years"]
    assert dock.scenarios.rows()[1]["size"] == "volume_100y_m3" and dock.scenarios.rows()[1]["years"] == "100"
    assert dock.fields["seed"].value() == 9, "the seed of the run, not of the file"
    assert dock.fields["release"].currentLayer().source().startswith(str(site / "cliff.gpkg"))
    assert dock.fields["dem"].currentLayer() is not None
    dock.fields["seed"].setValue(10)
    dock.fields["rocks_per_position"].setValue(2)
    wait_for(lambda: "Ready to run" in dock.checks.toPlainText() and "24 rocks" in dock.checks.toPlainText())
    dock.tabs.setCurrentIndex(0)
    dock.grab().save(str(shots / "panel-rerun.png"))
    finish(dock)
    made = [run for run in results.find_runs(runs) if run.folder != runs / "cli"][0]
    assert made.manifest["seed"] == 10 and made.manifest["rocks"] == 24
    assert [s["name"] for s in made.manifest["scenarios"]] == ["30 years", "100 years", "300 years"], "kept"
    inputs = {path.name for path in (made.folder.parent / "inputs").iterdir()}
    assert {"project.yaml", "dem.tif", "cliff.gpkg", "ground.gpkg", "forest.gpkg", "lines.gpkg"} <= inputs
    assert (runs / "cli" / "manifest.json").is_file(), "the first run is as it was"
    assert dock.start_point is not None
    # The start travels with the QGIS project.
    assert QgsProject.instance().write(str(tmp_path / "p.qgz"))
    QgsProject.instance().clear()
    assert dock.start_point is None, "a new project begins afresh"
    assert QgsProject.instance().read(str(tmp_path / "p.qgz"))
    assert dock.start_point is not None and dock.start_point.form["run"] == str(runs / "cli")
    # Compare the two from the panel: the tool opens, filled in, oldest first.
    dock.list_runs()
    dock.results_page.list.selectAll()
    opened: list[dict[str, Any]] = []
    monkeypatch.setattr(dialogs, "open_tool", lambda _name, given, _done: opened.append(given))
    dock.results_page.compare()
    [given] = opened
    assert given["FIRST"] == str(runs / "cli") and given["SECOND"] == str(made.folder)
    compared = run_tool("compare", given)
    groups = [group.name() for group in QgsProject.instance().layerTreeRoot().findGroups()]
    assert any(name.startswith("Comparison: ") for name in groups), groups
    assert "simulation.seed" in Path(compared["PAGE"]).read_text("utf-8")


def test_a_prepared_project_goes_on_in_the_panel(dock: Any, run_tool: Any, tmp_path: Path) -> None:  # noqa: F811
    """Prepare writes ground and forest as rasters of codes, for which the panel has no field: they are kept."""
    source = SAMPLES / "borderland"
    made = run_tool(
        "prepare",
        {
            "DEM": [str(source / "dem_ch.tif"), str(source / "dem_at.tif")], "AREA": str(source / "area.geojson"), "CELL": 4,
            "FOREST": str(source / "forest.shp"), "FOREST_FIELD": "bestand", "CODES": "forest:locker=open,dicht=dense",
            "RELEASE": str(source / "release.geojson"), "OUTPUT": str(tmp_path / "Gelände"),
        },
    )  # fmt: skip
    dock.repeat(Path(made["PROJECT"]))
    wait_for(lambda: "read" not in dock.tasks)
    assert "From the project" in dock.start_bar.text.text() and "forest.layers" in dock.start_bar.text.toolTip()
    assert dock.fields["size_attribute"].currentField() == "volume_m3"
    dock.fields["runs"].setFilePath(str(tmp_path / "runs"))
    dock.fields["rocks_per_position"].setValue(1)
    dock.fields["spacing_m"].setValue(60.0)
    wait_for(lambda: "Ready to run" in dock.checks.toPlainText())
    finish(dock)
    inputs = next((tmp_path / "runs").iterdir()) / "inputs"
    document = show(inputs / "project.yaml")
    assert document["forest"]["layers"][0]["raster"] == "forest.tif" and (inputs / "forest.tif").is_file()
    assert document["release"][0]["placement"] == {"grid_m": 60.0}
    before = dock.values()
    dock.repeat(tmp_path / "missing.yaml")
    wait_for(lambda: "read" not in dock.tasks)
    assert dock.values() == before, "a file that is not there changes nothing"


def test_a_filtered_or_edited_input_counts_as_changed(dock: Any, valley_run: Path) -> None:  # noqa: F811
    dock.repeat(results.read(valley_run))
    wait_for(lambda: "read" not in dock.tasks)
    assert dock.start_point is not None and dock.start_point.touched() == set()
    layer = dock.fields["release"].currentLayer()
    assert isinstance(layer, QgsVectorLayer)
    layer.setSubsetString('"fid" = 1')
    assert dock.start_point.touched() == {"release"}
