"""Layers of every kind are handed to the engine as they are in QGIS now, or refused in one sentence."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from conftest import VALLEY, Log
from osgeo import gdal
from qgis.core import (
    QgsCoordinateReferenceSystem,
    QgsFeature,
    QgsField,
    QgsGeometry,
    QgsPointXY,
    QgsProcessingFeatureSourceDefinition,
    QgsProject,
    QgsRasterLayer,
    QgsVectorFileWriter,
    QgsVectorLayer,
    QgsVectorLayerJoinInfo,
)
from test_algorithms import SPOT, dem, manifest, points

X, Y = SPOT
NEAR = [(X, Y), (X + 6, Y + 4), (X - 5, Y + 8)]


def added(layer: Any) -> Any:
    assert layer.isValid()
    QgsProject.instance().addMapLayer(layer)
    return layer


def released(run_tool: Any, out: Path, **parameters: Any) -> dict[float, int]:
    """Runs one rock per position; returns how many rocks of each mass (kg) fell."""
    values = {"DEM": parameters.pop("DEM", None) or dem(), "ROCKS": 1, "SIZE": 0.2, "LOAD": False, "OUTPUT": str(out)}
    made = run_tool("run", {**values, **parameters})
    tracks = QgsVectorLayer(str(Path(made["RUN"]) / "trajectories" / "trajectories.gpkg"), "tracks", "ogr")
    masses: dict[float, int] = {}
    for feature in tracks.getFeatures():
        masses[round(feature["mass_kg"], 1)] = masses.get(round(feature["mass_kg"], 1), 0) + 1
    assert sum(masses.values()) == manifest(made)["rocks"]
    return masses


def with_values(values: list[float]) -> QgsVectorLayer:
    layer = QgsVectorLayer("Point?crs=EPSG:2056&field=nr:int&field=mass:double", "Stellen ä", "memory")
    for number, (place, value) in enumerate(zip(NEAR, values)):
        feature = QgsFeature(layer.fields())
        feature.setAttributes([number, value])
        feature.setGeometry(QgsGeometry.fromPointXY(QgsPointXY(*place)))
        layer.dataProvider().addFeature(feature)
    return added(layer)


def test_a_size_from_a_joined_table(run_tool: Any, tmp_path: Path) -> None:
    layer = points("EPSG:2056", NEAR, "&field=nr:int")
    for number, feature in enumerate(list(layer.getFeatures())):
        layer.dataProvider().changeAttributeValues({feature.id(): {0: number}})
    table = QgsVectorLayer("None?field=nr:int&field=masse:double", "Feldbuch", "memory")
    for number in range(3):
        row = QgsFeature(table.fields())
        row.setAttributes([number, 100.0 * (number + 1)])
        table.dataProvider().addFeature(row)
    added(table)
    join = QgsVectorLayerJoinInfo()
    join.setJoinLayer(table)
    join.setJoinFieldName("nr")
    join.setTargetFieldName("nr")
    assert layer.addJoin(join)
    masses = released(run_tool, tmp_path / "out", RELEASE=layer, SIZE_KIND=1, SIZE_FIELD="Feldbuch_masse")
    assert masses == {100.0: 1, 200.0: 1, 300.0: 1}


def test_a_size_from_a_virtual_field(run_tool: Any, tmp_path: Path) -> None:
    from couloir.export import FIELD_TYPES

    layer = with_values([1.0, 2.0, 3.0])
    layer.addExpressionField('"mass" * 50', QgsField("kilo", FIELD_TYPES.Double))
    masses = released(run_tool, tmp_path / "out", RELEASE=layer, SIZE_KIND=1, SIZE_FIELD="kilo")
    assert masses == {50.0: 1, 100.0: 1, 150.0: 1}


def test_selected_filtered_and_uncommitted_features(run_tool: Any, tmp_path: Path) -> None:
    layer = with_values([10.0, 20.0, 30.0])
    layer.selectByExpression('"mass" > 15')
    chosen = QgsProcessingFeatureSourceDefinition(layer.id(), selectedFeaturesOnly=True)
    given = {"SIZE_KIND": 1, "SIZE_FIELD": "mass"}
    assert released(run_tool, tmp_path / "selected", RELEASE=chosen, **given) == {20.0: 1, 30.0: 1}
    layer.removeSelection()
    file = tmp_path / "Stellen mit Leerzeichen.gpkg"
    options = QgsVectorFileWriter.SaveVectorOptions()
    options.driverName = "GPKG"
    QgsVectorFileWriter.writeAsVectorFormatV3(layer, str(file), QgsProject.instance().transformContext(), options)
    stored = added(QgsVectorLayer(str(file), "gespeichert", "ogr"))
    assert stored.setSubsetString('"mass" < 25')
    assert released(run_tool, tmp_path / "filtered", RELEASE=stored, **given) == {10.0: 1, 20.0: 1}
    # Being edited: what the map shows counts, saved or not.
    stored.setSubsetString("")
    stored.startEditing()
    first = next(stored.getFeatures())
    stored.changeAttributeValue(first.id(), stored.fields().indexOf("mass"), 40.0)
    stored.deleteFeature(first.id() + 1)
    assert released(run_tool, tmp_path / "edited", RELEASE=stored, **given) == {30.0: 1, 40.0: 1}
    stored.rollBack()
    stored.setSubsetString('"mass" > 1000')
    with pytest.raises(Exception, match="has no features .is a filter"):
        released(run_tool, tmp_path / "none", RELEASE=stored)
    assert not (tmp_path / "none").exists()


@pytest.mark.parametrize("kind", ["MultiPointZM", "PointZ", "MultiLineStringZ", "MultiPolygonM", "Polygon25D"])
def test_heights_measures_and_several_parts(run_tool: Any, tmp_path: Path, kind: str) -> None:
    layer = QgsVectorLayer(f"{kind.replace('25D', 'Z')}?crs=EPSG:2056", kind, "memory")
    a, b, c = (f"{x} {y}" for x, y in NEAR)
    text = {
        "MultiPointZM": f"MultiPointZM(({a} 1 2),({b} 3 4))",
        "PointZ": f"PointZ({a} 1)",
        "MultiLineStringZ": f"MultiLineStringZ(({a} 1,{b} 2),({b} 2,{c} 3))",
        "MultiPolygonM": f"MultiPolygonM((({a} 1,{b} 1,{c} 1,{a} 1)))",
        "Polygon25D": f"PolygonZ(({a} 1,{b} 1,{c} 1,{a} 1))",
    }[kind]
    feature = QgsFeature()
    feature.setGeometry(QgsGeometry.fromWkt(text))
    assert layer.dataProvider().addFeature(feature)
    masses = released(run_tool, tmp_path / "out", RELEASE=added(layer), LIMIT=2)
    assert 1 <= sum(masses.values()) <= 2


@pytest.mark.parametrize("kind", ["GPKG", "VRT", "Höhen im Ordner", "other CRS than the file says"])
def test_elevation_in_other_containers(run_tool: Any, tmp_path: Path, kind: str) -> None:
    source = str(VALLEY / "dem.tif")
    if kind == "GPKG":
        file = tmp_path / "raster.gpkg"
        gdal.Translate(str(file), source, format="GPKG", creationOptions=["TILE_FORMAT=TIFF", "RASTER_TABLE=dem"])
        layer = QgsRasterLayer(f"GPKG:{file}:dem", "DEM im GeoPackage")
    elif kind == "VRT":
        gdal.BuildVRT(str(tmp_path / "all.vrt"), [source]).FlushCache()
        layer = QgsRasterLayer(str(tmp_path / "all.vrt"), "Mosaik")
    elif kind == "Höhen im Ordner":
        folder = tmp_path / "Höhen (neu) é"
        folder.mkdir()
        gdal.Translate(str(folder / "dem 2 m.asc"), source, format="AAIGrid")
        layer = QgsRasterLayer(str(folder / "dem 2 m.asc"), "Höhen")
    else:
        gdal.Translate(str(tmp_path / "bare.tif"), source, outputSRS="EPSG:21781")
        layer = QgsRasterLayer(str(tmp_path / "bare.tif"), "falsch deklariert")
        layer.setCrs(QgsCoordinateReferenceSystem("EPSG:2056"))
    masses = released(run_tool, tmp_path / "out", DEM=added(layer), RELEASE=points("EPSG:2056", [SPOT]))
    assert sum(masses.values()) == 1


def test_what_is_no_elevation_model_is_refused(run_tool: Any, tmp_path: Path) -> None:
    release = points("EPSG:2056", [SPOT])
    picture = tmp_path / "picture.tif"
    gdal.Translate(str(picture), str(VALLEY / "dem.tif"), format="GTiff", bandList=[1, 1, 1], outputType=gdal.GDT_Byte,
                   creationOptions=["PHOTOMETRIC=RGB"])  # fmt: skip
    service = QgsRasterLayer(
        "type=xyz&url=file:///nowhere/{z}/{x}/{y}.png&zmax=4&zmin=0&crs=EPSG:3857", "Hintergrundkarte", "wms"
    )
    gone = QgsRasterLayer(str(tmp_path / "gone.tif"), "verschwunden")
    QgsProject.instance().addMapLayers([service, gone])
    for layer, words in (
        (added(QgsRasterLayer(str(picture), "Luftbild")), "is a picture"),
        (service, "is a picture"),
        (gone, "gone|verschwunden|valid"),
    ):
        with pytest.raises(Exception, match=words) as caught:
            run_tool("run", {"DEM": layer, "RELEASE": release, "OUTPUT": str(tmp_path / "out")}, Log())
        assert "Traceback" not in str(caught.value)
    with pytest.raises(Exception, match="“weg” is not valid"):
        missing = QgsVectorLayer(str(tmp_path / "gone.gpkg"), "weg", "ogr")
        QgsProject.instance().addMapLayer(missing)
        run_tool("run", {"DEM": dem(), "RELEASE": missing, "OUTPUT": str(tmp_path / "out")}, Log())
    assert not (tmp_path / "out").exists()


def test_a_release_layer_without_crs_is_refused(run_tool: Any, tmp_path: Path) -> None:
    release = points("EPSG:2056", [SPOT])
    release.setCrs(QgsCoordinateReferenceSystem())
    with pytest.raises(Exception, match="has no coordinate reference system"):
        run_tool("run", {"DEM": dem(), "RELEASE": release, "OUTPUT": str(tmp_path / "out")})
