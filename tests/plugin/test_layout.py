"""The hazard map: every part is on the sheet, in every format, and the atlas has one map an area."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path
from typing import Any

import pytest
from conftest import VALLEY, Log
from qgis.core import (
    QgsLayoutItemLabel,
    QgsLayoutItemLegend,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
)
from qgis.PyQt.QtCore import Qt
from qgis.PyQt.QtGui import QImage

LOGO = Path(__file__).resolve().parents[2] / "qgis_plugin" / "couloir" / "icons" / "couloir.svg"


def text_of(pdf: Path) -> str:
    return subprocess.run(["pdftotext", "-layout", str(pdf), "-"], capture_output=True, text=True, check=True).stdout


def distinct_colours(image: QImage, step: int = 7) -> int:
    return len({image.pixel(x, y) for x in range(0, image.width(), step) for y in range(0, image.height(), step)})


def parameters(run: Path, out: Path, **more: Any) -> dict[str, Any]:
    return {
        "RUN": str(run), "TITLE": "Talgemeinde, Gefahrenkarte Sturz", "AUTHOR": "A. Muster", "OFFICE": "Büro für Naturgefahren",
        "DATE": "16.11.2026", "PLAN": "12-b",
        "LOGO": str(LOGO), "DPI": 150, "PDF": str(out / "karte ü.pdf"), "PNG": str(out / "karte ü.png"),
        **more,
    }  # fmt: skip


@pytest.mark.parametrize(("paper", "orientation", "size_mm"), [(0, 0, (297, 210)), (1, 1, (297, 420))])
def test_a_sheet_has_all_its_parts(
    run_tool: Any, valley_run: Path, tmp_path: Path, shots: Path, paper: int, orientation: int, size_mm: tuple[int, int]
) -> None:
    houses = QgsVectorLayer(str(VALLEY / "houses.gpkg"), "Houses", "ogr")
    QgsProject.instance().addMapLayer(houses)
    made = run_tool("layout", parameters(valley_run, tmp_path, PAPER=paper, ORIENTATION=orientation, EXTRA=[houses]))
    text = text_of(Path(made["PDF"]))
    for expected in (
        "Talgemeinde", "A. Muster", "Büro für Naturgefahren", "16.11.2026", "Legend", "Scale 1 : ", "EPSG:2056", "seed 2056",
        "Simulated with Couloir", "SHA-256", "Parameters", "Ground", "Houses", "DRAFT", "Plan: 12-b",
    ):  # fmt: skip
        assert expected in text, f"{expected!r} is missing"
    assert re.search(r"2[’' ,]?786[’' ,]?\d\d\d", text), "the grid has no coordinates"
    layout = QgsProject.instance().layoutManager().layoutByName(made["LAYOUT"])
    for part in ("map", "legend", "scale bar", "north arrow", "provenance", "logo", "parameter table"):
        assert layout.itemById(part) is not None, part
    image = QImage(made["PNG"])
    assert (round(image.width() / 150 * 25.4), round(image.height() / 150 * 25.4)) == size_mm
    assert distinct_colours(image) > 200, "the map is blank"
    legend = layout.itemById("legend")
    assert isinstance(legend, QgsLayoutItemLegend)
    page = layout.pageCollection().page(0).rect()
    assert page.contains(legend.mapRectToScene(legend.rect()).translated(-page.x(), -page.y()))
    image.save(str(shots / f"map-{paper}-{orientation}.png"))
    QImage(made["PNG"].replace(".png", "_2.png")).save(str(shots / f"map-{paper}-{orientation}-parameters.png"))


def test_energy_map_and_a_layout_never_replaces_another(run_tool: Any, valley_run: Path, tmp_path: Path, shots: Path) -> None:
    first = run_tool("layout", parameters(valley_run, tmp_path, THEME=2, PDF=None))
    second = run_tool("layout", parameters(valley_run, tmp_path, THEME=2, PDF=None, PNG=None))
    assert first["LAYOUT"] != second["LAYOUT"]
    assert len(QgsProject.instance().layoutManager().layouts()) == 2
    QImage(first["PNG"]).save(str(shots / "map-energy.png"))


def test_an_atlas_has_one_map_per_area(run_tool: Any, valley_run: Path, tmp_path: Path) -> None:
    areas = QgsVectorLayer("Polygon?crs=EPSG:2056&field=name:string", "Areas", "memory")
    from qgis.core import QgsFeature, QgsGeometry, QgsRectangle

    for name, x in (("West", 2786300), ("Ost", 2786700)):
        feature = QgsFeature(areas.fields())
        feature.setAttributes([name])
        feature.setGeometry(QgsGeometry.fromRect(QgsRectangle(x, 1181400, x + 300, 1181700)))
        areas.dataProvider().addFeature(feature)
    QgsProject.instance().addMapLayer(areas)
    made = run_tool("layout", parameters(valley_run, tmp_path, AREAS=areas, ATLAS=True, AREA_NAME="name", DPI=72, PNG=None))
    text = text_of(Path(made["PDF"]))
    assert "West" in text and "Ost" in text
    headings = [line for line in text.splitlines() if "Parameters – " in line and not re.search(r"\(\d+\)\s*$", line)]
    assert len(headings) == 1, "the table of parameters (of one or several pages) stands in the atlas once"
    assert text.count("Simulated with Couloir") >= 2


def test_a_folder_without_a_run_is_refused_in_one_sentence(run_tool: Any, tmp_path: Path) -> None:
    with pytest.raises(Exception, match="holds no finished Couloir run"):
        run_tool("layout", {"RUN": str(tmp_path), "PDF": str(tmp_path / "x.pdf")}, Log())


def test_a_long_table_goes_on_with_margins_and_headings(run_tool: Any, valley_run: Path, tmp_path: Path) -> None:
    run = tmp_path / "run"
    shutil.copytree(valley_run, run)
    manifest = json.loads((run / "manifest.json").read_text("utf-8"))
    manifest["warnings"] += [f"Warning {number}: " + "something to be read to its end. " * 8 for number in range(90)]
    (run / "manifest.json").write_text(json.dumps(manifest), encoding="utf-8")
    dem = QgsRasterLayer(str(VALLEY / "dem.tif"), "dem")
    made = run_tool("layout", parameters(run, tmp_path, DEM=dem, DPI=72, PNG=None))
    text = text_of(Path(made["PDF"]))
    pages = [page for page in text.split("\f") if page.strip()]
    assert len(pages) > 3
    assert all(f"Warning {number}:" in text for number in range(90)), "nothing is lost between pages"
    for page in pages[1:]:
        assert "Parameters –" in page and "Simulated with Couloir" in page
    assert all("Warning" in page for page in pages[3:]), "no empty page"


def test_the_legend_names_each_colour(run_tool: Any, valley_run: Path, tmp_path: Path) -> None:
    made = run_tool("layout", parameters(valley_run, tmp_path, THEME=2, PDF=None, PNG=None))
    layout = QgsProject.instance().layoutManager().layoutByName(made["LAYOUT"])
    model = layout.itemById("legend").model()
    tree = model.rootGroup().findLayers()[0]
    labels = [node.data(Qt.ItemDataRole.DisplayRole) for node in model.layerLegendNodes(tree)]
    items = tree.layer().renderer().shader().rasterShaderFunction().colorRampItemList()
    assert labels == [item.label for item in items] and labels[0] == "≤ 30 kJ"


def test_a_long_title_stays_in_its_box(run_tool: Any, valley_run: Path, tmp_path: Path, shots: Path) -> None:
    title = "Gesamtrevision der Gefahrenkarte Sturzprozesse der Einwohnergemeinde Oberried-Niederriedschwendi, Teilgebiet Nord"
    made = run_tool("layout", parameters(valley_run, tmp_path, TITLE=title, ORIENTATION=1, DPI=100, PDF=None))
    layout = QgsProject.instance().layoutManager().layoutByName(made["LAYOUT"])
    assert layout.itemById("title").text().replace("-\n", "-").replace("\n", " ") == title
    provenance = layout.itemById("provenance").pos().y()
    for item in layout.items():
        if isinstance(item, QgsLayoutItemLabel) and item.page() == 0 and item.id() != "provenance":
            assert item.pos().y() + item.rect().height() <= provenance + 0.5, item.text()
    assert layout.itemById("matrix").picturePath().endswith("classification/swiss/matrix.svg")
    QImage(made["PNG"]).save(str(shots / "map-long-title.png"))
