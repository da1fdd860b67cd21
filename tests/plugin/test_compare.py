"""Two runs compared: difference maps are right to the cell, styled, grouped; tables say what changed."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import Log, engine_file
from couloir import engine, results
from osgeo import gdal
from qgis.core import QgsProject


@pytest.fixture(scope="session")
def other_run(small_project: Path, valley_run: Path, qgis_app: Any) -> Path:
    """The same valley with softer ground and another seed."""
    project = small_project.with_name("soft.yaml")
    text = small_project.read_text("utf-8").replace("default: medium ", "default: soft ").replace("seed: 2056", "seed: 7")
    project.write_text(text, encoding="utf-8")
    folder = valley_run.parent.parent / "Läufe 2" / "run"
    found = engine.handshake(engine_file(), "test")
    engine.run(found, ["run", str(project), "--out", str(folder), "--limit", "24", "--progress", "json"])
    return folder


def array(file: Path) -> np.ndarray:
    raster = gdal.Open(str(file))
    band = raster.GetRasterBand(1)
    values = band.ReadAsArray().astype(float)
    return np.where(values == band.GetNoDataValue(), np.nan, values)


def test_the_difference_map_is_b_minus_a(run_tool: Any, valley_run: Path, other_run: Path, tmp_path: Path) -> None:
    made = run_tool("compare", {"FIRST": str(valley_run), "SECOND": str(other_run), "OUTPUT": str(tmp_path / "Vergleich ä")})
    folder = Path(made["OUTPUT"])
    for name in ("kinetic_energy_kj_p95", "reach_probability", "jump_height_m_p95"):
        one, two = (array(run / "layers" / f"{name}.tif") for run in (valley_run, other_run))
        expected = np.nan_to_num(two) - np.nan_to_num(one)
        expected[np.isnan(one) & np.isnan(two)] = np.nan
        np.testing.assert_allclose(array(folder / f"difference_{name}.tif"), expected, rtol=1e-6, atol=1e-6)
        assert (folder / f"difference_{name}.qml").is_file()
    group = QgsProject.instance().layerTreeRoot().children()[0]
    assert group.name().startswith("Comparison: ") and " → " in group.name()
    layers = {node.name(): node.layer() for node in group.findLayers()}
    energy = layers["Difference: Kinetic energy, 95 % quantile (kJ)"]
    items = energy.renderer().shader().rasterShaderFunction().colorRampItemList()
    labels = [item.label for item in items]
    assert labels[0] == "< −300 kJ" and labels[-1] == "> +300 kJ" and "about the same" in labels[4] and len(items) == 9
    assert energy.crs().authid() == "EPSG:2056"
    page = Path(made["PAGE"]).read_text("utf-8")
    for expected_text in ("ground.default", "soft", "simulation.seed", "Area reached", "2056", "Hazard zone"):
        assert expected_text in page, expected_text
    assert "rocks[" not in page, "only what differs is listed"
    with pytest.raises(Exception, match="holds a difference of two runs"):
        run_tool("compare", {"FIRST": str(valley_run), "SECOND": str(other_run), "OUTPUT": str(folder)})
    with pytest.raises(Exception, match="choose two different runs"):
        run_tool("compare", {"FIRST": str(valley_run), "SECOND": str(valley_run), "OUTPUT": str(tmp_path / "x")})
    assert not (tmp_path / "x").exists()


def test_a_damaged_run_is_refused_in_one_sentence(run_tool: Any, valley_run: Path, tmp_path: Path) -> None:
    (tmp_path / "empty").mkdir()
    (tmp_path / "empty" / "manifest.json").write_text((valley_run / "manifest.json").read_text("utf-8"), "utf-8")
    with pytest.raises(Exception, match="was removed after the run wrote it"):
        run_tool("compare", {"FIRST": str(valley_run), "SECOND": str(tmp_path / "empty"), "OUTPUT": str(tmp_path / "o")}, Log())
    assert results.read(tmp_path / "empty").manifest == json.loads((valley_run / "manifest.json").read_text("utf-8"))
