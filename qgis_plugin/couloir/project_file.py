"""Builds the engine's project file from what the user chose in QGIS."""

from __future__ import annotations

import hashlib
import json
import re
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from .export import to_yaml


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
        file = folder / "project.yaml"
        file.write_text(to_yaml(self.document(folder)), encoding="utf-8")
        return file


def project_of_run(run: Path, manifest: dict[str, Any]) -> Path | None:
    """The project file a run was made from, if it is still there and unchanged.

    A run folder keeps the file's name and hash, not its place: we look where the plugin, and the engine by default, put
    runs, and at the command that made the run.
    """
    record = manifest.get("project", {})
    name, wanted = str(record.get("file", "")), record.get("sha256")
    places = [run / name, run.parent / "inputs" / name, run.parent / name, run.parent.parent / name]
    command = re.search(r" run (.+?\.ya?ml)(?: |$)", str(manifest.get("this_run", {}).get("command", "")))
    if command:
        places.append(Path(command.group(1)))
    for place in places:
        if place.is_file() and hashlib.sha256(place.read_bytes()).hexdigest() == wanted:
            return place
    return None


def with_line(text: str, name: str, file: Path) -> str:
    """The text of a project with one more recording line."""
    quoted = json.dumps(name, ensure_ascii=False), json.dumps(file.resolve().as_posix(), ensure_ascii=False)
    entry = "- {{ name: {}, source: {{ file: {} }} }}".format(*quoted)
    section = re.search(r"^lines:[ \t]*(\[[ \t]*\])?[ \t]*(#[^\n]*)?$", text, re.MULTILINE)
    if section is None:
        inline = re.search(r"^lines:[ \t]*\[", text, re.MULTILINE)
        if inline is not None:
            return text[: inline.end()] + f" {entry[2:]}, " + text[inline.end() :]
        return text.rstrip("\n") + f"\n\nlines:\n  {entry}\n"
    first = re.compile(r"\n(?:[ \t]*(?:#[^\n]*)?\n)*([ \t]*)- ").match(text, section.end())
    indent = first.group(1) if first else "  "
    return f"{text[: section.start()]}lines:\n{indent}{entry}{text[section.end() :]}"
