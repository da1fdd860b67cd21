"""Builds the engine's project file from what the user chose in QGIS."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any


@dataclass
class Choices:
    """Everything a run needs, as files and plain values; paths are inside the project folder or absolute."""

    dem: Path
    release: Path
    title: str = ""
    dem_crs: str | None = None
    shape: str = "eota_221"
    point_cloud: Path | None = None
    size_key: str = "volume_m3"
    size: float = 1.0
    size_attribute: str | None = None
    density: float = 2700.0
    rocks_per_position: int = 10
    spacing: float | None = None
    min_slope: float | None = None
    release_height: float = 0.5
    frequency_attribute: str | None = None
    ground_default: str = "medium"
    ground_numbers: dict[str, float] | None = None
    ground: tuple[Path, str] | None = None
    forest_default: str = "none"
    forest_numbers: dict[str, float] | None = None
    forest: tuple[Path, str] | None = None
    barriers: Path | None = None
    barrier_height: float = 4.0
    barrier_capacity: float = 1000.0
    lines: Path | None = None
    scheme: str | None = None
    seed: int = 1
    time_step: float = 0.002
    layers: list[str] = field(default_factory=list)
    points_every: float | None = None
    formats: list[str] = field(default_factory=lambda: ["geopackage"])

    def document(self, folder: Path) -> dict[str, Any]:
        def relative(path: Path) -> str:
            try:
                return path.resolve().relative_to(folder.resolve()).as_posix()
            except ValueError:
                return path.resolve().as_posix()

        terrain: dict[str, Any] = {"dem": relative(self.dem)}
        if self.dem_crs:
            terrain["crs"] = self.dem_crs
        rock: dict[str, Any] = {
            "name": "rock",
            "shape": {"file": relative(self.point_cloud)} if self.point_cloud else self.shape,
            "density_kg_m3": self.density,
        }
        release: dict[str, Any] = {
            "name": "release",
            "source": {"file": relative(self.release)},
            "rocks_per_position": self.rocks_per_position,
            "height_m": self.release_height,
        }
        size: Any = {"attribute": self.size_attribute} if self.size_attribute else self.size
        # A size per feature belongs to the release, one size for all to the rock.
        (release if self.size_attribute else rock)[self.size_key] = size
        if self.min_slope is not None:
            release["placement"] = {"min_slope_deg": self.min_slope}
        elif self.spacing is not None:
            release["placement"] = {"grid_m": self.spacing}
        if self.frequency_attribute:
            release["frequency_per_year"] = {"attribute": self.frequency_attribute}

        document: dict[str, Any] = {
            "couloir": 1,
            "title": self.title,
            "terrain": terrain,
            "rocks": [rock],
            "release": [release],
            "ground": self._classes(self.ground_default, self.ground_numbers, self.ground, relative),
            "forest": self._classes(self.forest_default, self.forest_numbers, self.forest, relative),
            "simulation": {"seed": self.seed, "time_step_s": self.time_step},
        }
        if self.barriers:
            document["barriers"] = [
                {
                    "name": "barrier",
                    "source": {"file": relative(self.barriers)},
                    "height_m": self.barrier_height,
                    "capacity_kj": self.barrier_capacity,
                }
            ]
        if self.lines:
            document["lines"] = [{"name": "line", "source": {"file": relative(self.lines)}}]
        if self.scheme:
            document["classification"] = {"scheme": self.scheme}
        if self.layers:
            document["statistics"] = {"layers": self.layers}
        document["outputs"] = {"trajectories": self.formats}
        if self.points_every:
            document["outputs"]["points_every_s"] = self.points_every
        return document

    @staticmethod
    def _classes(
        default: str, numbers: dict[str, float] | None, layer: tuple[Path, str] | None, relative: Any
    ) -> dict[str, Any]:
        section: dict[str, Any] = {"default": "edited" if numbers else default}
        if numbers:
            section["classes"] = {"edited": numbers}
        if layer:
            section["layers"] = [{"polygons": {"file": relative(layer[0])}, "attribute": layer[1]}]
        return section

    def write(self, folder: Path) -> Path:
        return write_document(self.document(folder), folder)


def write_document(document: dict[str, Any], folder: Path) -> Path:
    """The project file: JSON, which is YAML."""
    file = folder / "project.yaml"
    file.write_text(json.dumps(document, ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return file


def project_folders(run: Path, manifest: dict[str, Any]) -> list[Path]:
    """Where the project file of a run may be: where it was, beside the run as the plugin and the engine put it."""
    this_run = manifest.get("this_run", {})
    places = [run, run.parent / "inputs", run.parent, run.parent.parent]
    if this_run.get("project_path"):
        places.insert(0, Path(str(this_run["project_path"])).parent)
    command = re.search(r" run (.+?\.ya?ml)(?: |$)", str(this_run.get("command", "")))
    if command:
        places.append(Path(command.group(1)).parent)
    return places


def project_of_run(run: Path, manifest: dict[str, Any]) -> Path | None:
    """The project file a run was made from, if it is still there and unchanged."""
    record = manifest.get("project", {})
    name, wanted = str(record.get("file", "")), record.get("sha256")
    for place in project_folders(run, manifest):
        file = place / name
        if file.is_file() and hashlib.sha256(file.read_bytes()).hexdigest() == wanted:
            return file
    return None
