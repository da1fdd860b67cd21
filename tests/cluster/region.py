"""A synthetic region: a plain with scattered hills that have cliffs, mostly empty, as a sparse GeoTIFF, and a project."""

import json
import pathlib

import numpy
from osgeo import gdal, osr

gdal.UseExceptions()

PATCH = 192  # cells of a hill's side
CELL_M = 2.0
WEST, NORTH = 2_500_000.0, 1_300_000.0


def hill(seed: int) -> numpy.ndarray:
    """Heights of one patch: a plateau with a cliff, a talus slope around it, bumps everywhere, level at its rim."""
    random = numpy.random.default_rng(seed)
    rows, columns = numpy.mgrid[0:PATCH, 0:PATCH] - PATCH / 2 + 0.5
    distance = numpy.hypot(rows, columns) * CELL_M
    plateau, foot, rim = 24.0, 34.0, 0.46 * PATCH * CELL_M
    cliff = numpy.interp(distance, [0, plateau, foot, rim], [78.0, 75.0, 50.0, 0.0])
    bumps = random.normal(0.0, 0.15, (PATCH, PATCH)) * (distance < rim)
    return (cliff + bumps).astype("float32")


def make(folder: pathlib.Path, cells: int, hills: int, rocks_per_position: int) -> pathlib.Path:
    """Writes dem.tif, release.geojson and project.yaml; returns the project."""
    folder.mkdir(parents=True, exist_ok=True)
    driver = gdal.GetDriverByName("GTiff")
    options = ["TILED=YES", "COMPRESS=DEFLATE", "SPARSE_OK=TRUE", "BIGTIFF=IF_SAFER"]
    dem = driver.Create(str(folder / "dem.tif"), cells, cells, 1, gdal.GDT_Float32, options)
    dem.SetGeoTransform((WEST, CELL_M, 0, NORTH, 0, -CELL_M))
    reference = osr.SpatialReference()
    reference.ImportFromEPSG(2056)
    dem.SetProjection(reference.ExportToWkt())
    places = numpy.random.default_rng(1).permutation((cells // PATCH - 2) ** 2)[:hills]
    features = []
    for number, place in enumerate(sorted(places)):
        row, column = divmod(int(place), cells // PATCH - 2)
        left, top = (column + 1) * PATCH, (row + 1) * PATCH
        dem.GetRasterBand(1).WriteArray(hill(number), left, top)
        x, y = WEST + (left + PATCH / 2) * CELL_M, NORTH - (top + PATCH / 2) * CELL_M
        # Larger hills' share of rocks differs, so that equal numbers would not be equal costs.
        wide = 6.0 + 3.0 * (number % 5)
        ring = [[x - wide, y + 20], [x + wide, y + 20], [x + wide, y + 26], [x - wide, y + 26], [x - wide, y + 20]]
        geometry = {"type": "Polygon", "coordinates": [ring]}
        features.append({"type": "Feature", "properties": {"id": number}, "geometry": geometry})
    dem.Close() if hasattr(dem, "Close") else None
    dem = None
    crs = {"type": "name", "properties": {"name": "urn:ogc:def:crs:EPSG::2056"}}
    layer = {"type": "FeatureCollection", "crs": crs, "features": features}
    (folder / "release.geojson").write_text(json.dumps(layer), encoding="utf-8")
    project = folder / "project.yaml"
    project.write_text(
        "terrain: {dem: dem.tif}\n"
        "rocks: [{shape: eota_111, mass_kg: 300}, {shape: eota_221, mass_kg: 800}]\n"
        "release:\n- source: {file: release.geojson}\n  placement: auto\n"
        f"  rocks_per_position: {rocks_per_position}\n"
        "ground: {scatter_mu: 0.1}\n"
        "outputs: {max_trajectories: 200}\n",
        encoding="utf-8",
    )
    return project
