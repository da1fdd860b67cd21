"""Two runs side by side: difference maps (B − A) on a common grid, what differs in the projects, key figures.

Where only one run has rocks the other counts as 0, so that newly reached and no longer reached ground shows; where neither
has, there is no value. Quantities for which 0 means something else are compared only where both have a value.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
from osgeo import gdal, osr
from qgis.core import QgsVectorLayer

from . import engine, layers, results
from .export import Unusable
from .i18n import tr

NODATA = -9999.0
#: Rows read and written at once.
STRIP = 512
#: Flags and bookkeeping, not quantities.
NOT_COMPARED = ("sample_size_warning", "source_cells")
ONLY_WHERE_BOTH = ("energy_line_angle",)


@dataclass
class Comparison:
    """What was made: difference rasters per variant, rows of the tables, sentences about the grids."""

    first: results.Run
    second: results.Run
    folder: Path
    rasters: list[tuple[str, Path]] = field(default_factory=list)
    parameters: list[tuple[str, str, str]] = field(default_factory=list)
    figures: list[tuple[str, str, str]] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)


@dataclass(frozen=True)
class _Grid:
    """North-up grid: origin (upper left), cell, size, CRS, and the unit of the values."""

    x: float
    y: float
    cell_x: float
    cell_y: float
    columns: int
    rows: int
    crs: str
    unit: str

    @classmethod
    def of(cls, file: Path) -> _Grid:
        raster = gdal.Open(str(file))
        if raster is None:
            raise Unusable(tr("“{}” cannot be read.").format(file))
        # A band does not outlive its dataset.
        unit = raster.GetRasterBand(1).GetUnitType()
        x, cell_x, _, y, _, cell_y = raster.GetGeoTransform()
        return cls(x, y, cell_x, -cell_y, raster.RasterXSize, raster.RasterYSize, raster.GetProjection(), unit)

    def bounds(self) -> tuple[float, float, float, float]:
        return self.x, self.y - self.rows * self.cell_y, self.x + self.columns * self.cell_x, self.y

    def fits(self, other: _Grid) -> bool:
        """Same CRS and cells that lie on one another, whatever the extent."""
        steps = ((self.x - other.x) / self.cell_x, (self.y - other.y) / self.cell_y)
        same = abs(self.cell_x - other.cell_x) < 1e-6 and abs(self.cell_y - other.cell_y) < 1e-6
        return same and _same_crs(self.crs, other.crs) and all(abs(step - round(step)) < 1e-3 for step in steps)


def _same_crs(one: str, two: str) -> bool:
    first, second = osr.SpatialReference(), osr.SpatialReference()
    first.ImportFromWkt(one)
    second.ImportFromWkt(two)
    return bool(first.IsSame(second))


def variants(first: results.Run, second: results.Run) -> list[tuple[str, Path, Path]]:
    """Pairs to compare: the same variant of both, or a run without barriers with the other's “with barriers”."""
    one, two = dict(first.variants), dict(second.variants)
    common = [(title, one[title], two[title]) for title in one if title in two]
    if common:
        return common
    return [
        (" → ".join(filter(None, (first.variants[0][0], second.variants[0][0]))), first.variants[0][1], second.variants[0][1])
    ]


def common_layers(one: Path, two: Path) -> list[str]:
    names = {file.stem for file in (one / "layers").glob("*.tif")} & {file.stem for file in (two / "layers").glob("*.tif")}
    return sorted(name for name in names if not name.startswith(NOT_COMPARED))


def compare(
    first: results.Run, second: results.Run, folder: Path, progress: Callable[[float], None], cancelled: Callable[[], bool]
) -> Comparison:
    """Writes the difference rasters into `folder` (which is made); raises Unusable with one sentence."""
    if first.folder.resolve() == second.folder.resolve():
        raise Unusable(tr("Choose two different runs to compare."))
    found = Comparison(first, second, folder)
    pairs = [(title, one, two, common_layers(one, two)) for title, one, two in variants(first, second)]
    total = sum(len(names) for *_, names in pairs)
    if total == 0:
        raise Unusable(tr("“{}” and “{}” have no map in common.").format(first.folder, second.folder))
    folder.mkdir(parents=True, exist_ok=True)
    done = 0
    for title, one, two, names in pairs:
        place = folder / two.name if title else folder
        place.mkdir(exist_ok=True)
        for name in names:
            if cancelled():
                raise engine.Cancelled(tr("Cancelled."))
            target = place / f"difference_{name}.tif"
            note = difference(one / "layers" / f"{name}.tif", two / "layers" / f"{name}.tif", target, name)
            if note and note not in found.notes:
                found.notes.append(note)
            found.rasters.append((title, target))
            done += 1
            progress(100.0 * done / total)
        found.figures += _figures(title, one, two, names)
    found.figures = [*_counts(first, second), *found.figures]
    found.parameters = _parameters(first, second)
    return found


def difference(one: Path, two: Path, target: Path, name: str) -> str:
    """B − A on A's cells, over the area of both; returns a sentence if B had to be resampled."""
    grid, other = _Grid.of(one), _Grid.of(two)
    note = ""
    west, south, east, north = grid.bounds()
    if grid.fits(other):
        w, s, e, n = other.bounds()
        west, south, east, north = min(west, w), min(south, s), max(east, e), max(north, n)
    else:
        note = tr(
            "The grids differ ({:g} m and {:g} m cells, or another position or CRS): the second run was brought to the cells "
            "of the first by its nearest cells. Passages, deposits and reach depend on the cell size; compare them with care."
        ).format(grid.cell_x, other.cell_x)
    sources = [_on_grid(file, (west, south, east, north), grid) for file in (one, two)]
    columns, rows = sources[0].RasterXSize, sources[0].RasterYSize
    partial = target.with_name(f".{target.name}")
    options = ["COMPRESS=DEFLATE", "PREDICTOR=3", "TILED=YES"]
    raster = gdal.GetDriverByName("GTiff").Create(str(partial), columns, rows, 1, gdal.GDT_Float32, options)
    raster.SetGeoTransform((west, grid.cell_x, 0.0, north, 0.0, -grid.cell_y))
    raster.SetProjection(grid.crs)
    band = raster.GetRasterBand(1)
    band.SetNoDataValue(NODATA)
    band.SetUnitType(grid.unit)
    band.SetDescription(f"{name}: second run minus first run")
    for top in range(0, rows, STRIP):
        height = min(STRIP, rows - top)
        before, after = (source.GetRasterBand(1).ReadAsArray(0, top, columns, height) for source in sources)
        band.WriteArray(_subtracted(before, after, name.startswith(ONLY_WHERE_BOTH)), 0, top)
    band.FlushCache()
    del band, raster
    partial.replace(target)
    return note


def _subtracted(before: np.ndarray, after: np.ndarray, only_where_both: bool) -> np.ndarray:
    one, two = before != NODATA, after != NODATA
    valid = one & two if only_where_both else one | two
    return np.where(valid, np.where(two, after, 0.0) - np.where(one, before, 0.0), NODATA).astype(np.float32)


def _on_grid(file: Path, bounds: tuple[float, float, float, float], grid: _Grid) -> Any:
    """The raster on the common grid, computed while it is read."""
    options = gdal.WarpOptions(
        format="VRT", outputBounds=bounds, xRes=grid.cell_x, yRes=grid.cell_y, dstSRS=grid.crs, dstNodata=NODATA,
        outputType=gdal.GDT_Float64, resampleAlg="near",
    )  # fmt: skip
    warped = gdal.Warp("", str(file), options=options)
    if warped is None:
        raise Unusable(tr("“{}” cannot be read.").format(file))
    return warped


def _values(file: Path) -> tuple[np.ndarray, float]:
    """The values of a raster and the area of a cell, m²."""
    raster = gdal.Open(str(file))
    band, transform = raster.GetRasterBand(1), raster.GetGeoTransform()
    array = band.ReadAsArray().astype(np.float64)
    return array[array != band.GetNoDataValue()], abs(transform[1] * transform[5])


def _figures(title: str, one: Path, two: Path, names: list[str]) -> list[tuple[str, str, str]]:
    rows: list[tuple[str, str, str]] = []
    head = f"{title}: " if title else ""

    def row(words: str, values: list[str]) -> None:
        rows.append((head + words, *values))  # type: ignore[arg-type]

    def area(square_metres: float) -> str:
        return f"{square_metres / 1e4:.2f} ha"

    if "passages" in names:
        found = [_values(folder / "layers" / "passages.tif") for folder in (one, two)]
        row(tr("Area reached"), [area((values > 0).sum() * cell) for values, cell in found])
    for name in names:
        unit = next((symbol for key, symbol in (("_kj_", "kJ"), ("_ms_", "m/s"), ("_m_", "m")) if key in name), None)
        if unit is None or not name.endswith(("_p95", "_max")):
            continue
        found = [_values(folder / "layers" / f"{name}.tif") for folder in (one, two)]
        row(
            tr("{}, largest in the area").format(layers.title_of(name)),
            [f"{values.max():.4g} {unit}" if values.size else "–" for values, _ in found],
        )
        if name == "kinetic_energy_kj_p95":
            for limit in (30, 300):
                words = tr("Area with {} above {} kJ").format(layers.title_of(name), limit)
                row(words, [area((values > limit).sum() * cell) for values, cell in found])
    return rows + _zones(head, one, two, area)


def _zones(head: str, one: Path, two: Path, area: Callable[[float], str]) -> list[tuple[str, str, str]]:
    """Area per hazard zone, for schemes both runs were classified with."""
    rows = []
    for scheme in sorted(
        {p.name for p in (one / "classification").glob("*/")} & {p.name for p in (two / "classification").glob("*/")}
    ):
        sums: list[dict[str, float]] = []
        for folder in (one, two):
            zones: dict[str, float] = {}
            layer = QgsVectorLayer(str(folder / "classification" / scheme / "hazard.gpkg"), "zones", "ogr")
            for feature in layer.getFeatures() if layer.isValid() else ():
                zones[str(feature["name"])] = zones.get(str(feature["name"]), 0.0) + feature.geometry().area()
            sums.append(zones)
        for name in dict.fromkeys([*sums[0], *sums[1]]):
            words = tr("Hazard zone {} ({})").format(name, scheme)
            rows.append((head + words, area(sums[0].get(name, 0.0)), area(sums[1].get(name, 0.0))))
    return rows


def _counts(first: results.Run, second: results.Run) -> list[tuple[str, str, str]]:
    def texts(run: results.Run) -> dict[str, str]:
        manifest = run.manifest
        made, grid = manifest.get("engine", {}), manifest.get("grid", {})
        rows = {
            tr("engine"): f"{made.get('version', '?')} ({str(made.get('git_revision', ''))[:12]})",
            tr("finished"): run.finished,
            tr("seed"): str(manifest.get("seed", "?")),
            tr("rocks"): str(manifest.get("rocks", "?")),
            tr("grid"): f"{grid.get('columns', '?')} × {grid.get('rows', '?')}, {grid.get('cell_x_m', 0):g} m",
        }
        for name, count in manifest.get("stop_reasons", {}).items():
            rows[tr("rocks stopped: {}").format(name.replace("_", " "))] = str(count)
        return rows

    one, two = texts(first), texts(second)
    return [
        (key, one.get(key, "–"), two.get(key, "–"))
        for key in dict.fromkeys([*one, *two])
        if {one.get(key), two.get(key)} != {"0"}
    ]


def _parameters(first: results.Run, second: results.Run) -> list[tuple[str, str, str]]:
    """Keys of the projects that differ, with every default filled in by the engine; and inputs with another content."""
    one, two = _document(first), _document(second)
    rows = [(key, one.get(key, "–"), two.get(key, "–")) for key in dict.fromkeys([*one, *two]) if one.get(key) != two.get(key)]
    inputs = [{str(i.get("role")): i for i in run.manifest.get("inputs", [])} for run in (first, second)]
    for role in dict.fromkeys([*inputs[0], *inputs[1]]):
        pair = [side.get(role, {}) for side in inputs]
        if pair[0].get("sha256") != pair[1].get("sha256"):
            texts = [f"{i.get('path', '–')} ({str(i.get('sha256', ''))[:8]})" if i else "–" for i in pair]
            rows.append((tr("content of the input {}").format(role), texts[0], texts[1]))
    return rows


def _document(run: results.Run) -> dict[str, str]:
    printed = engine.run(engine.find(), ["show", str(run.folder), "--defaults"]).stdout
    return dict(_flat(json.loads(printed)))


def _flat(value: Any, path: str = "") -> list[tuple[str, str]]:
    """`release[30-year block].volume_m3.attribute`, `volume_30y_m3`: entries of lists go by their name."""
    if isinstance(value, dict) and value:
        return [row for key, item in value.items() for row in _flat(item, f"{path}.{key}" if path else key)]
    if isinstance(value, list) and any(isinstance(item, dict) for item in value):
        names = [
            str(item.get("name") or number) if isinstance(item, dict) else str(number) for number, item in enumerate(value, 1)
        ]
        return [row for name, item in zip(names, value) for row in _flat(item, f"{path}[{name}]")]
    if value in (None, "", [], {}):
        return []
    return [(path, value if isinstance(value, str) else json.dumps(value, ensure_ascii=False))]
