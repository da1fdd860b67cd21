"""A finished run as the start of another: its project, the files it used, and a folder that holds both.

The manifest of a run keeps the project's text and the hashes of the inputs; the engine turns the text into a plain
document (`couloir show`), so that no YAML is taken apart here.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from . import engine, results
from .export import COPY_LIMIT, Unusable
from .i18n import tr
from .project_file import project_folders, write_document

#: Larger inputs are not hashed again, only looked for.
HASH_LIMIT = 100_000_000
#: Formats that are more than one file with one stem, or point elsewhere: used where they are.
NOT_COPIED = (".vrt", ".gdb", ".zip", ".adf")
#: Sections of a project file.
READING_ORDER = (
    "couloir", "title", "crs", "terrain", "rocks", "release", "ground", "forest", "restitution", "lines", "barriers",
    "classification", "simulation", "stop", "statistics", "outputs", "threads",
)  # fmt: skip
#: Companions of a file: beside its whole name, and beside its stem.
BESIDE_NAME = (".aux.xml", ".ovr", "-wal")
BESIDE_STEM = (".prj", ".tfw", ".wld", ".shx", ".dbf", ".cpg", ".csvt")


@dataclass
class Origin:
    """The project of a run, or a project file, as it was written, and the folder its paths are relative to."""

    #: The run's folder; empty for a project file.
    run: str
    title: str
    document: dict[str, Any]
    base: str
    #: Inputs that are no longer those of the run.
    changed: list[str] = field(default_factory=list)
    #: Rocks the run was limited to, if it was.
    limit: int | None = None

    def path(self, text: str) -> Path:
        return Path(self.base) / text.split("|")[0]


def origin_of(run: results.Run) -> Origin:
    """Raises Unusable if inputs of the run are no longer there, EngineError if there is no engine to read the project."""
    printed = engine.run(engine.find(), ["show", str(run.folder)]).stdout
    document = json.loads(printed)
    base, changed = _base(run, document)
    rocks, planned = run.manifest.get("rocks"), run.manifest.get("rocks_planned")
    limited = isinstance(rocks, int) and isinstance(planned, int) and rocks < planned
    return Origin(str(run.folder), run.title, document, str(base), changed, rocks if limited else None)


def origin_of_project(file: Path) -> Origin:
    """A project file, of “Prepare” or written by hand, as the start of a run."""
    document = json.loads(engine.run(engine.find(), ["show", str(file)]).stdout)
    return Origin("", document.get("title") or file.name, document, str(file.resolve().parent))


def _base(run: results.Run, document: dict[str, Any]) -> tuple[Path, list[str]]:
    """The folder that holds the inputs, and which of them have changed since."""
    places = project_folders(run.folder, run.manifest)
    wanted = [text for _, _, text in _paths(document)]

    def missing(place: Path) -> list[str]:
        return [text for text in wanted if not (place / text.split("|")[0]).exists()]

    best = min(places, key=lambda place: len(missing(place)))
    lost = missing(best)
    if lost:
        raise Unusable(
            tr("The run “{}” cannot be repeated: its input “{}” is neither in “{}” nor beside the run.").format(
                run.folder, lost[0], places[0]
            )
        )
    hashes = {str(item.get("path")): item.get("sha256") for item in run.manifest.get("inputs", [])}
    changed = []
    for text in dict.fromkeys(text.split("|")[0] for text in wanted):
        file, before = best / text, hashes.get(text)
        known = before and file.is_file() and file.stat().st_size <= HASH_LIMIT
        if known and hashlib.sha256(file.read_bytes()).hexdigest() != before:
            changed.append(text)
    return best, changed


def _paths(value: Any, inside: str = "") -> Iterator[tuple[dict[str, Any], str, str]]:
    """Every place in a project document that names a file: the table, its key, the path."""
    if isinstance(value, list):
        for item in value:
            yield from _paths(item, inside)
    elif isinstance(value, dict):
        for key, item in value.items():
            own_scheme = inside == "classification" and key == "scheme" and str(item).endswith((".yaml", ".yml"))
            if isinstance(item, str) and (key in ("dem", "file", "raster") or own_scheme):
                yield value, key, item
            elif key != "geojson":
                yield from _paths(item, key)


def write(document: dict[str, Any], base: Path, folder: Path, copy: bool) -> Path:
    """Writes a project document into `folder`; paths relative to `base` stay right.

    With `copy` the inputs come along, so that the folder can be passed on; what is large or spread over files stays put.
    """
    folder.mkdir(parents=True, exist_ok=True)
    document = json.loads(json.dumps(document))
    taken: dict[Path, str] = {}
    for table, key, text in list(_paths(document)):
        name, bar, layer = text.partition("|")
        source = (base / name).resolve()
        if source.parent == folder.resolve():
            place = source.name
        elif copy and source.is_file() and source.suffix.lower() not in NOT_COPIED and source.stat().st_size <= COPY_LIMIT:
            if source not in taken:
                taken[source] = _copied(source, folder)
            place = taken[source]
        else:
            place = source.as_posix()
        table[key] = f"{place}{bar}{layer}"
    return write_document(_in_reading_order(document), folder)


def _in_reading_order(value: Any, depth: int = 0) -> Any:
    """Sections as people read them, and the name of an entry first."""
    if isinstance(value, list):
        return [_in_reading_order(item, depth + 1) for item in value]
    if not isinstance(value, dict):
        return value
    first = [key for key in (READING_ORDER if depth == 0 else ("name",)) if key in value]
    return {key: _in_reading_order(value[key], depth + 1) for key in [*first, *(key for key in value if key not in first)]}


def _copied(source: Path, folder: Path) -> str:
    """Copies a file with its companions (.prj, .aux.xml, .dbf, -wal …) under a name that is free."""
    stem, number = source.stem, 2
    while (folder / f"{stem}{source.suffix}").exists():
        stem, number = f"{source.stem}_{number}", number + 1
    for ending in (source.suffix, *(source.suffix + more for more in BESIDE_NAME), *BESIDE_STEM):
        file = source.with_name(source.stem + ending)
        if file.is_file():
            shutil.copyfile(file, folder / (stem + ending))
    return f"{stem}{source.suffix}"
