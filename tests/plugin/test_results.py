"""Results as people see them: styled for anybody, grouped, in time, in 3D, with pictures on the map."""

from __future__ import annotations

import hashlib
import re
from pathlib import Path
from typing import Any
from urllib.parse import unquote

import pytest
from conftest import VALLEY, engine_file
from couloir import engine, layers, results
from osgeo import gdal
from qgis._3d import Qgs3D
from qgis.core import (
    QgsDateTimeRange,
    QgsExpression,
    QgsExpressionContextUtils,
    QgsLayerTreeGroup,
    QgsMapRendererParallelJob,
    QgsMapSettings,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsWkbTypes,
)
from qgis.PyQt.QtCore import QCoreApplication, QDateTime, QSize, Qt
from qgis.PyQt.QtGui import QImage
from qgis.PyQt.QtXml import QDomDocument


@pytest.fixture(scope="module")
def animated_run(tmp_path_factory: pytest.TempPathFactory, qgis_app: Any) -> Path:
    """The valley with point records for the time slider."""
    folder = tmp_path_factory.mktemp("Zeit ü")
    text = (VALLEY / "project.yaml").read_text("utf-8")
    project = VALLEY / "animated.yaml"
    text = re.sub(r"^outputs:\n", "outputs:\n  points_every_s: 0.5\n", text, flags=re.M)
    project.write_text(text if "points_every_s" in text else text + "\noutputs:\n  points_every_s: 0.5\n", encoding="utf-8")
    found = engine.handshake(engine_file(), "test")
    engine.run(found, ["run", str(project), "--out", str(folder / "run"), "--limit", "6", "--progress", "json"])
    return folder / "run"


def loaded(run: Path) -> tuple[QgsLayerTreeGroup, dict[str, Any]]:
    group = results.load(results.read(run), QgsProject.instance())
    return group, {node.layer().name(): node.layer() for node in group.findLayers()}


def test_every_file_is_styled_without_the_plugin(valley_run: Path) -> None:
    for file in sorted([*valley_run.rglob("*.tif"), *valley_run.rglob("*.gpkg")]):
        assert file.with_suffix(".qml").is_file(), file.name
    energy = QgsRasterLayer(str(valley_run / "layers" / "kinetic_energy_kj_p95.tif"), "plain")
    labels = [item.label for item in energy.renderer().shader().rasterShaderFunction().colorRampItemList()]
    assert labels == ["≤ 30 kJ", "30 – 100 kJ", "100 – 300 kJ", "300 – 1000 kJ", "1000 – 3000 kJ", "> 3000 kJ"]
    # Raster and polygons of the same name share one style file.
    place = valley_run / "classification" / "swiss"
    cells, zones = QgsRasterLayer(str(place / "hazard.tif"), "r"), QgsVectorLayer(str(place / "hazard.gpkg"), "z", "ogr")
    assert cells.renderer().type() == "paletted" and zones.renderer().type() == "categorizedSymbol"
    assert [c.label for c in cells.renderer().classes()] == [c.label() for c in zones.renderer().categories()]
    assert [c.label() for c in zones.renderer().categories()] == [
        "considerable hazard (no new buildings)",
        "moderate hazard (building under conditions)",
        "low hazard (notice area)",
        "residual hazard (rarer than 300 years)",
    ]
    residual = zones.renderer().categories()[-1]
    assert residual.symbol().symbolLayer(1).layerType() == "LinePatternFill"


def test_looking_at_a_run_changes_no_file_of_it(valley_run: Path) -> None:
    def hashes() -> dict[str, str]:
        files = [file for file in valley_run.rglob("*") if file.suffix in (".tif", ".xml", ".qml")]
        return {str(file): hashlib.sha256(file.read_bytes()).hexdigest() for file in files}

    before = hashes()
    # Histograms go to a file beside the raster, which is no file of the run.
    group, _ = loaded(valley_run)
    for node in group.findLayers():
        if isinstance(node.layer(), QgsRasterLayer):
            node.layer().dataProvider().bandStatistics(1)
            node.layer().dataProvider().histogram(1)
    QgsProject.instance().clear()
    assert {file: after for file, after in hashes().items() if file in before} == before


def test_classes_have_colours_in_any_program(valley_run: Path) -> None:
    raster = gdal.Open(str(valley_run / "classification" / "swiss" / "hazard.tif"))
    band = raster.GetRasterBand(1)
    assert band.GetColorTable().GetColorEntry(4) == (215, 25, 28, 255)
    assert "4 red (considerable hazard)" in band.GetDescription()


def test_legends_speak_the_language_of_the_run(tmp_path: Path) -> None:
    found = engine.handshake(engine_file(), "test")
    arguments = ["--language", "de", "run", str(VALLEY / "project.yaml"), "--out", str(tmp_path / "run"), "--limit", "12"]
    engine.run(found, arguments)
    _, found = loaded(tmp_path / "run")
    zones, passages = found["Gefahrenzonen (Schweizer Schema)"], found["Anzahl Durchgänge"]
    assert zones.renderer().categories()[0].label().startswith("erhebliche Gefährdung")
    labels = [item.label for item in passages.renderer().shader().rasterShaderFunction().colorRampItemList()]
    assert labels[1] == "2 – 5 Steine"


@pytest.mark.parametrize("scheme", ["austria", "norway"])
def test_other_schemes_join_the_group_of_the_run(run_tool: Any, valley_run: Path, scheme: str) -> None:
    group, _ = loaded(valley_run)
    run_tool("classify", {"RUN": str(valley_run), "SCHEME": ("swiss", "austria", "norway").index(scheme)})
    after = {node.layer().name(): node.layer() for node in group.findLayers()}
    assert len(QgsProject.instance().layerTreeRoot().children()) == 1, "no second group"
    zones = after[f"Hazard zones ({'Austrian' if scheme == 'austria' else 'Norwegian'} scheme)"]
    assert zones.renderer().type() == "categorizedSymbol" and len(zones.renderer().categories()) == 3
    shown = [n.name() for n in group.findLayers() if n.itemVisibilityChecked() and n.name().startswith("Hazard zones")]
    assert shown in ([zones.name()], ["Hazard zones (Swiss scheme)"]), "one scheme at a time"
    run_tool("classify", {"RUN": str(valley_run), "SCHEME": ("swiss", "austria", "norway").index(scheme)})
    assert len(group.findLayers()) == len(after), "classifying again loads nothing twice"


def test_a_group_for_each_scenario(valley_run: Path) -> None:
    group, found = loaded(valley_run)
    names = [inner.name() for inner in group.findGroups() if inner.name().startswith("Scenario")]
    assert names == [f"Scenario {years} years" for years in (30, 100, 300)]
    inner = group.findGroup("Scenario 30 years")
    tracks = next(node.layer() for node in inner.findLayers() if node.name().startswith("Trajectories"))
    assert {feature["scenario"] for feature in tracks.getFeatures()} == {"30 years"}
    assert not any("Band 1" in name for name in found)
    visible = [node.name() for node in group.findLayers() if node.itemVisibilityChecked()]
    assert "Hazard zones (Swiss scheme)" in visible and not any(name.startswith("Kinetic energy") for name in visible)


def test_counts_are_whole_and_nothing_is_drawn_where_there_is_none(valley_run: Path) -> None:
    layer = QgsRasterLayer(str(valley_run / "layers" / "passages.tif"), "plain")
    passages = layer.renderer()
    labels = [item.label for item in passages.shader().rasterShaderFunction().colorRampItemList()]
    assert labels[:3] == ["1 rocks", "2 – 5 rocks", "6 – 20 rocks"]
    assert [entry.percentTransparent for entry in passages.rasterTransparency().transparentSingleValuePixelList()] == [100]


def frame(layer: QgsVectorLayer, second: float) -> QImage:
    settings = QgsMapSettings()
    settings.setLayers([layer])
    settings.setDestinationCrs(layer.crs())
    settings.setExtent(layer.extent())
    settings.setOutputSize(QSize(400, 400))
    start = QDateTime.fromString("2000-01-01T00:00:00Z", Qt.DateFormat.ISODate).addMSecs(int(second * 1000))
    settings.setIsTemporal(True)
    settings.setTemporalRange(QgsDateTimeRange(start, start.addMSecs(500)))
    context = settings.expressionContext()
    context.appendScopes(QgsExpressionContextUtils.globalProjectLayerScopes(layer))
    context.appendScope(QgsExpressionContextUtils.mapSettingsScope(settings))
    settings.setExpressionContext(context)
    job = QgsMapRendererParallelJob(settings)
    job.start()
    job.waitForFinished()
    return job.renderedImage()


def test_the_time_slider_moves_the_rocks(animated_run: Path) -> None:
    _, found = loaded(animated_run)
    rocks = found["Rocks along their way (velocity, m/s)"]
    assert rocks.temporalProperties().isActive()
    span = QgsProject.instance().timeSettings().temporalRange()
    longest = rocks.maximumValue(rocks.fields().indexOf("time_s"))
    assert span.begin().msecsTo(span.end()) >= 1000 * longest
    assert QgsProject.instance().timeSettings().timeStep() == 0.5
    first, later, after = frame(rocks, 1), frame(rocks, 4), frame(rocks, longest + 30)
    assert first != later, "rocks have moved"
    assert len({after.pixel(x, y) for x in range(0, 400, 3) for y in range(0, 400, 3)}) == 1, "nothing moves at the end"


def test_tracks_are_ready_for_3d(valley_run: Path) -> None:
    # As the window of QGIS does at its start.
    Qgs3D.initialize()
    _, found = loaded(valley_run)
    for name in ("Trajectories (largest energy, kJ)", "Deposits (size: mass)"):
        layer = found[name]
        assert QgsWkbTypes.hasZ(layer.wkbType())
        style = QDomDocument()
        layer.exportNamedStyle(style)
        assert layer.renderer3D().type() == "vector" and 'alt-clamping="absolute"' in style.toString(), "absolute heights"
    legend = found["Deposits (size: mass)"].renderer().dataDefinedSizeLegend()
    assert [entry.label for entry in legend.classes()] == ["300 kg", "3 t", "30 t"]


def test_histograms_are_shown_at_lines(valley_run: Path) -> None:
    _, found = loaded(valley_run)
    layer = found["Lines and barriers (histograms: point at them)"]
    action = layer.actions().defaultAction("Canvas")
    assert action.name() == "Show histograms"
    names = set()
    for feature in layer.getFeatures():
        context = layer.createExpressionContext()
        context.setFeature(feature)
        for text in (layer.mapTipTemplate(), action.command()):
            address = re.search(r'file:///([^"]+)', QgsExpression.replaceExpressionText(text, context))
            assert address is not None and Path("/" + unquote(address.group(1))).is_file(), text
        assert feature["rocks"] > 0 and feature["kinetic_energy_kj_p95"] > 0 and feature["length_m"] > 10
        names.add(feature["name"])
    assert names == {"road", "planned barrier"}, "objects at risk are none"


def test_crossings_show_the_histograms_of_their_line(valley_run: Path) -> None:
    layer = layers.vector(str(valley_run / "lines" / "crossings.gpkg"), "crossings")
    assert layer.renderer().type() == "graduatedSymbol"
    seen = set()
    for feature in layer.getFeatures():
        context = layer.createExpressionContext()
        context.setFeature(feature)
        tip = QgsExpression.replaceExpressionText(layer.mapTipTemplate(), context)
        picture = re.search(r'src="file:///([^"]+)"', tip)
        assert picture is not None and Path("/" + unquote(picture.group(1))).is_file(), tip
        seen.add(feature["line"])
        name = f"{feature['line']} {feature['scenario']}".replace(" ", "_")
        assert Path(picture.group(1)).name[3:].startswith(name), "those of its scenario"
    assert seen == {"road", "planned barrier"}


def test_loading_goes_on_a_layer_at_a_time(valley_run: Path) -> None:
    done: list[Any] = []
    results.load_gently(results.read(valley_run), QgsProject.instance(), done.append)
    turns = 0
    while not done and turns < 10_000:
        QCoreApplication.processEvents()
        turns += 1
    assert turns > 20 and len(done[0].findLayers()) > 20
    # A project that is closed meanwhile ends it.
    done.clear()
    results.load_gently(results.read(valley_run), QgsProject.instance(), done.append)
    for _ in range(30):
        QCoreApplication.processEvents()
    QgsProject.instance().clear()
    while not done and turns < 20_000:
        QCoreApplication.processEvents()
        turns += 1
    assert len(done) == 1
