"""Every algorithm on the samples, with layers of every kind."""

from __future__ import annotations

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from conftest import SAMPLES, VALLEY, Log
from couloir import results
from couloir.run_folders import MARK
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsGeometry,
    QgsPointXY,
    QgsProcessingFeatureSourceDefinition,
    QgsProject,
    QgsRasterLayer,
    QgsVectorLayer,
    QgsWkbTypes,
)

BORDERLAND = SAMPLES / "borderland"


def dem() -> QgsRasterLayer:
    layer = QgsRasterLayer(str(VALLEY / "dem.tif"), "DEM")
    QgsProject.instance().addMapLayer(layer)
    return layer


def vector(file: Path, name: str = "layer") -> QgsVectorLayer:
    layer = QgsVectorLayer(str(file), name, "ogr")
    assert layer.isValid()
    QgsProject.instance().addMapLayer(layer)
    return layer


def points(crs: str, places: list[tuple[float, float]], fields: str = "") -> QgsVectorLayer:
    layer = QgsVectorLayer(f"Point?crs={crs}{fields}", "memory points", "memory")
    for x, y in places:
        feature = QgsFeature(layer.fields())
        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(x, y)))
        if layer.fields().count():
            feature.setAttributes([0.2] * layer.fields().count())
        layer.dataProvider().addFeature(feature)
    QgsProject.instance().addMapLayer(layer)
    return layer


def manifest(made: dict[str, Any]) -> dict[str, Any]:
    return json.loads((Path(made["RUN"]) / "manifest.json").read_text("utf-8"))


# A cliff cell of the valley.
SPOT = (2786950.0, 1181850.0)


def test_run_a_project_file_with_umlauts_in_the_path(run_tool: Any, small_project: Path, tmp_path: Path) -> None:
    log = Log()
    out = tmp_path / "Lauf mit Leerzeichen ö"
    made = run_tool("run", {"PROJECT": str(small_project), "LIMIT": 3, "SEED": 7, "OUTPUT": str(out)}, log)
    assert manifest(made)["seed"] == 7 and manifest(made)["rocks"] == 3
    assert Path(made["REPORT"]).is_file()
    assert any("rocks/s" in line for line in log.lines), "rate and time left are shown"
    group = QgsProject.instance().layerTreeRoot().children()[0]
    layers = [node.layer() for node in group.findLayers()]
    assert "Valley" in group.name() and len(layers) > 15
    assert all(layer.crs().authid() == "EPSG:2056" for layer in layers)
    assert "Kinetic energy, 95 % quantile (kJ)" in [layer.name() for layer in layers]
    with pytest.raises(Exception, match="Replace an earlier run"):
        run_tool("run", {"PROJECT": str(small_project), "LIMIT": 3, "OUTPUT": str(out)})
    results.load(results.read(Path(made["RUN"])))
    assert len(QgsProject.instance().layerTreeRoot().children()) == 2, "loading again makes a second group"


def test_run_from_memory_points_in_degrees_with_lines_and_animation(run_tool: Any, tmp_path: Path) -> None:
    # 46.77 N 9.85 E in the valley's cliff, given in WGS 84.
    from qgis.core import QgsCoordinateTransform

    transform = QgsCoordinateTransform(
        QgsCoordinateReferenceSystem("EPSG:2056"), QgsCoordinateReferenceSystem("EPSG:4326"), QgsProject.instance()
    )
    place = transform.transform(QgsPointXY(*SPOT))
    release = points("EPSG:4326", [(place.x(), place.y())], "&field=size:double")
    made = run_tool(
        "run",
        {
            "DEM": dem(), "RELEASE": release, "SIZE_FIELD": "size", "ROCKS": 2, "GROUND": vector(VALLEY / "ground.gpkg"),
            "GROUND_FIELD": "class", "FOREST": vector(VALLEY / "forest.gpkg"), "FOREST_FIELD": "class",
            "LINES": vector(VALLEY / "lines.gpkg"), "POINTS_EVERY": 0.5, "OUTPUT": str(tmp_path / "run"),
        },
    )  # fmt: skip
    assert manifest(made)["rocks"] == 2
    layers = {layer.name(): layer for layer in QgsProject.instance().mapLayers().values()}
    lines = layers["Trajectories (largest energy, kJ)"]
    assert set(lines.styleManager().styles()) == {"energy (kJ)", "velocity (m/s)"}
    assert lines.styleManager().currentStyle() == "energy (kJ)" and lines.renderer().classAttribute() == "e_max_kj"
    assert QgsWkbTypes.hasZ(lines.wkbType()), "trajectories are 3D lines"
    animated = layers["Rocks along their way (velocity, m/s)"]
    assert animated.temporalProperties().isActive()
    table = run_tool(
        "profile", {"POINTS": animated, "PLOT": str(tmp_path / "profil ä.html"), "TABLE": str(tmp_path / "profile.gpkg")}
    )
    page = Path(table["PLOT"]).read_text("utf-8")
    assert all(words in page for words in ("<svg", "kinetic energy (kJ)", "jump height (m)", "height (m)"))
    rows = QgsVectorLayer(table["TABLE"], "rows", "ogr")
    assert rows.featureCount() == animated.featureCount()
    with pytest.raises(Exception, match="no point records"):
        run_tool("profile", {"POINTS": release, "PLOT": str(tmp_path / "x.html"), "TABLE": "TEMPORARY_OUTPUT"})


def test_only_selected_and_filtered_features_are_released(run_tool: Any, tmp_path: Path) -> None:
    release = vector(VALLEY / "cliff.gpkg", "release")
    release.selectByIds([sorted(f.id() for f in release.getFeatures())[0]])
    source = QgsProcessingFeatureSourceDefinition(release.id(), selectedFeaturesOnly=True)
    made = run_tool("run", {"DEM": dem(), "RELEASE": source, "LIMIT": 2, "LOAD": False, "OUTPUT": str(tmp_path / "a")})
    written = QgsVectorLayer(str(tmp_path / "a" / "inputs" / "release.gpkg"), "w", "ogr")
    assert written.featureCount() == 1
    assert (tmp_path / "a" / "inputs" / "dem.tif").is_file(), "the folder can be passed on"
    assert manifest(made)["rocks"] == 2
    release.removeSelection()
    first = next(release.getFeatures())
    release.setSubsetString(f'"fid" <> {first.id()}')
    from couloir.export import vector_file

    filtered = QgsVectorLayer(str(vector_file(release, tmp_path, "filtered")), "w", "ogr")
    assert filtered.featureCount() == 3


def test_barriers_give_two_variants_in_groups_of_their_own(run_tool: Any, tmp_path: Path) -> None:
    barriers = vector(VALLEY / "lines.gpkg", "barriers")
    made = run_tool(
        "run",
        {
            "DEM": dem(), "RELEASE": points("EPSG:2056", [SPOT]), "ROCKS": 3, "BARRIERS": barriers, "SIZE": 0.2,
            "OUTPUT": str(tmp_path / "out"),
        },
    )  # fmt: skip
    run = results.read(Path(made["RUN"]))
    assert [title for title, _ in run.variants] == ["with barriers", "without barriers"]
    group = QgsProject.instance().layerTreeRoot().children()[0]
    assert [child.name() for child in group.children()] == ["with barriers", "without barriers"]
    sheet = run_tool("barrier", {"RUN": made["RUN"], "OUTPUT": str(tmp_path / "b.html")})
    assert "what happens at the barrier" in Path(sheet["OUTPUT"]).read_text("utf-8") or "No rock crosses" in Path(
        sheet["OUTPUT"]
    ).read_text("utf-8")


def test_classify_and_report_barriers_of_a_run(run_tool: Any, valley_run: Path, tmp_path: Path) -> None:
    # A copy: the run itself is shared with other tests.
    run = Path(shutil.copytree(valley_run, tmp_path / "run"))
    made = run_tool("classify", {"RUN": str(run), "SCHEME": 1, "MIN_AREA": 0.0})
    assert (Path(made["OUTPUT"]) / "austria" / "scheme.yaml").is_file()
    names = [layer.name() for layer in QgsProject.instance().mapLayers().values()]
    assert any("Austrian scheme" in name for name in names)
    page = Path(run_tool("barrier", {"RUN": str(valley_run), "OUTPUT": str(tmp_path / "b.html")})["OUTPUT"])
    text = page.read_text("utf-8")
    for expected in ("road", "planned barrier", "required energy level", "kJ", "gamma_tr", "<svg"):
        assert expected in text


def test_a_line_drawn_in_qgis_is_recorded_by_a_new_run(run_tool: Any, valley_run: Path, tmp_path: Path) -> None:
    line = QgsVectorLayer("LineString?crs=EPSG:2056", "drawn", "memory")
    feature = QgsFeature()
    x, y = SPOT
    feature.setGeometry(QgsGeometry.fromPolylineXY([QgsPointXY(x - 60, y - 300), QgsPointXY(x - 60, y + 300)]))
    line.dataProvider().addFeature(feature)
    QgsProject.instance().addMapLayer(line)
    # The run was limited; the new one runs the whole project, so a small project of its own is used here.
    base = run_tool(
        "run",
        {"DEM": dem(), "RELEASE": points("EPSG:2056", [SPOT]), "ROCKS": 3, "SIZE": 0.2, "LOAD": False,
         "OUTPUT": str(tmp_path / "base")},
    )  # fmt: skip
    made = run_tool(
        "barrier",
        {"RUN": base["RUN"], "LINE": line, "NAME": "Netz „Süd“", "NEW_RUN": str(tmp_path / "neu"),
         "OUTPUT": str(tmp_path / "b.html")},
    )  # fmt: skip
    assert "Netz „Süd“" in Path(made["OUTPUT"]).read_text("utf-8")
    before, after = (json.loads((Path(p) / "manifest.json").read_text("utf-8")) for p in (base["RUN"], made["NEW_RUN_FOLDER"]))
    assert before["seed"] == after["seed"] and before["stop_reasons"] == after["stop_reasons"], "the same rocks fell"
    inputs = {file.name for file in (tmp_path / "neu" / "inputs").iterdir()}
    assert {"project.yaml", "line.gpkg", "dem.tif", "release.gpkg"} <= inputs, "the new run can be passed on"
    assert {file.name for file in (tmp_path / "base").iterdir()} == {"inputs", "run", MARK}, (
        "nothing is added to the earlier run"
    )
    with pytest.raises(Exception, match="holds a finished run"):
        run_tool(
            "barrier", {"RUN": base["RUN"], "LINE": line, "NEW_RUN": str(tmp_path / "neu"), "OUTPUT": str(tmp_path / "c.html")}
        )
    # With height and capacity the line stops rocks.
    given = {"RUN": base["RUN"], "LINE": line, "NAME": "Netz", "OUTPUT": str(tmp_path / "d.html")}
    with pytest.raises(Exception, match="both a height and a capacity"):
        run_tool("barrier", {**given, "HEIGHT": 5, "NEW_RUN": str(tmp_path / "x")})
    made = run_tool("barrier", {**given, "HEIGHT": 100, "CAPACITY": 1e5, "NEW_RUN": str(tmp_path / "netz")})
    stopped = json.loads((Path(made["NEW_RUN_FOLDER"]) / "manifest.json").read_text("utf-8"))["with_barriers"]["stop_reasons"]
    assert stopped["barrier"] > 0 and "held, wholly below the top" in Path(made["OUTPUT"]).read_text("utf-8")


def test_merge_parts(run_tool: Any, small_project: Path, tmp_path: Path, engine_setting: Path) -> None:
    from couloir import engine

    found = engine.handshake(engine_setting, "test")
    for part in (1, 2):
        engine.run(
            found,
            ["run", str(small_project), "--limit", "4", "--shard", f"{part}/2", "--out", str(tmp_path / f"part {part}")],
        )
    parts = [str(tmp_path / f"part {part}") for part in (1, 2)]
    made = run_tool("merge", {"PARTS": parts, "OUTPUT": str(tmp_path / "whole")})
    assert manifest(made)["rocks"] == 4
    with pytest.raises(Exception, match="at least two"):
        run_tool("merge", {"PARTS": parts[:1], "OUTPUT": str(tmp_path / "x")})


def test_prepare_from_two_countries(run_tool: Any, tmp_path: Path) -> None:
    made = run_tool(
        "prepare",
        {
            "DEM": [str(BORDERLAND / "dem_ch.tif"), str(BORDERLAND / "dem_at.tif")], "AREA": str(BORDERLAND / "area.geojson"),
            "BUFFER": 30, "CRS": "EPSG:2056", "CELL": 4, "FOREST": vector(BORDERLAND / "forest.shp"), "FOREST_FIELD": "bestand",
            "CODES": "forest:locker=open,dicht=dense", "RELEASE": str(BORDERLAND / "release.geojson"),
            "OUTPUT": str(tmp_path / "Gelände ß"),
        },
    )  # fmt: skip
    assert Path(made["PROJECT"]).is_file()
    prepared = QgsRasterLayer(str(next((tmp_path / "Gelände ß").rglob("dem.tif"))), "dem")
    assert prepared.crs().authid() == "EPSG:2056" and prepared.rasterUnitsPerPixelX() == 4


def test_prepare_takes_parameters_from_polygons(run_tool: Any, tmp_path: Path) -> None:
    heights = dem()
    layer = QgsVectorLayer(
        "Polygon?crs=EPSG:2056&field=mu_min:double&field=height_m:double&field=note:string", "Böden", "memory"
    )
    feature = QgsFeature(layer.fields())
    feature.setAttributes([0.6, 12.0, "x"])
    feature.setGeometry(QgsGeometry.fromRect(heights.extent()))
    layer.dataProvider().addFeature(feature)
    QgsProject.instance().addMapLayer(layer)
    given = {"DEM": [heights], "PARAMETER_POLYGONS": layer, "CELL": 10, "OUTPUT": str(tmp_path / "out")}
    with pytest.raises(Exception, match="Choose the attributes"):
        run_tool("prepare", given)
    made = run_tool("prepare", {**given, "PARAMETER_FIELDS": ["mu_min", "height_m"]})
    text = Path(made["PROJECT"]).read_text("utf-8")
    assert "mu_min" in text and "height_m" in text


def test_release_areas_from_the_slope(run_tool: Any, tmp_path: Path) -> None:
    made = run_tool("release", {"DEM": dem(), "SLOPE": 50, "MIN_AREA": 100, "OUTPUT": str(tmp_path / "steil.gpkg")})
    found = QgsVectorLayer(made["OUTPUT"], "found", "ogr")
    assert found.featureCount() >= 1 and found.crs().authid() == "EPSG:2056"
    for feature in found.getFeatures():
        assert feature["area_m2"] >= 100 and feature["slope_mean_deg"] > 45
    geology = QgsVectorLayer("Polygon?crs=EPSG:2056", "geology", "memory")
    half = QgsFeature()
    box = found.extent()
    box.setXMaximum(box.center().x())
    half.setGeometry(QgsGeometry.fromRect(box))
    geology.dataProvider().addFeature(half)
    QgsProject.instance().addMapLayer(geology)
    made = run_tool("release", {"DEM": dem(), "SLOPE": 50, "GEOLOGY": geology, "OUTPUT": str(tmp_path / "half.gpkg")})
    clipped = QgsVectorLayer(made["OUTPUT"], "half", "ogr")
    # Cells of 2 m whose centres lie in the polygon count.
    assert clipped.extent().xMaximum() <= box.xMaximum() + 2.0
    with pytest.raises(Exception, match="as steep as"):
        run_tool("release", {"DEM": dem(), "SLOPE": 89, "OUTPUT": str(tmp_path / "none.gpkg")})


def test_release_areas_on_rough_ground(provider: Any, tmp_path: Path) -> None:
    """Steep cells that meet at corners only make rings that cross themselves: they are mended, not refused."""
    import random
    import struct

    import processing
    from osgeo import gdal, osr
    from qgis.core import QgsFeatureRequest, QgsProcessingContext

    rough = random.Random(1)
    file = tmp_path / "rough.tif"
    raster = gdal.GetDriverByName("GTiff").Create(str(file), 80, 80, 1, gdal.GDT_Float32)
    crs = osr.SpatialReference()
    crs.ImportFromEPSG(25832)
    raster.SetProjection(crs.ExportToWkt())
    raster.SetGeoTransform((382000.0, 2.0, 0.0, 5174000.0, 0.0, -2.0))
    heights = struct.pack("6400f", *(rough.uniform(0.0, 8.0) for _ in range(6400)))
    raster.GetRasterBand(1).WriteRaster(0, 0, 80, 80, heights)
    del raster
    choices = {"DEM": QgsRasterLayer(str(file), "rough"), "SLOPE": 45.0, "MIN_AREA": 20.0, "OUTPUT": "memory:"}
    context = QgsProcessingContext()
    context.setProject(QgsProject.instance())
    # As in the dialog.
    context.setInvalidGeometryCheck(QgsFeatureRequest.InvalidGeometryCheck.GeometryAbortOnInvalid)
    areas = processing.run("couloir:release", choices, context=context, feedback=Log())["OUTPUT"]
    assert areas.featureCount() > 5 and all(feature.geometry().isGeosValid() for feature in areas.getFeatures())
