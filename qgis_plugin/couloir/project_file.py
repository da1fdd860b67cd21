"""The file of a project document: where its inputs go, and how it is written. There is no other writer."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from .export import COPY_LIMIT

Document = dict[str, Any]
#: Sections of a project file, as people read them.
READING_ORDER = (
    "couloir", "title", "study", "crs", "terrain", "rocks", "release", "ground", "forest", "restitution", "lines", "barriers",
    "objects", "classification", "simulation", "stop", "statistics", "outputs", "threads",
)  # fmt: skip
#: Formats that are more than one file with one stem, or point elsewhere: used where they are.
NOT_COPIED = (".vrt", ".gdb", ".zip", ".adf")
#: Companions of a file: beside its whole name, and beside its stem.
BESIDE_NAME = (".aux.xml", ".ovr", "-wal")
BESIDE_STEM = (".prj", ".tfw", ".wld", ".shx", ".dbf", ".cpg", ".csvt")


def paths(value: Any, inside: str = "") -> Iterator[tuple[Document, str, str]]:
    """Every place in a project document that names a file: the table, its key, the path."""
    if isinstance(value, list):
        for item in value:
            yield from paths(item, inside)
    elif isinstance(value, dict):
        for key, item in value.items():
            own_scheme = inside == "classification" and key == "scheme" and str(item).endswith((".yaml", ".yml"))
            if isinstance(item, str) and (key in ("dem", "file", "raster") or own_scheme):
                yield value, key, item
            elif key != "geojson":
                yield from paths(item, key)


def write(document: Document, base: Path, folder: Path, copy: bool) -> Path:
    """Writes `project.yaml` (JSON, which is YAML) into `folder`; paths relative to `base` stay right.

    With `copy` the inputs come along, so that the folder can be passed on; what is large or spread over files stays put.
    """
    folder.mkdir(parents=True, exist_ok=True)
    document = json.loads(json.dumps(document))
    taken: dict[Path, str] = {}
    for table, key, text in list(paths(document)):
        name, bar, layer = text.partition("|")
        source = (base / name).resolve()
        if source.parent == folder.resolve():
            place = source.name
        elif copy and source.is_file() and source.suffix.lower() not in NOT_COPIED and source.stat().st_size <= COPY_LIMIT:
            place = taken[source] = taken.get(source) or _copied(source, folder)
        else:
            place = source.as_posix()
        table[key] = f"{place}{bar}{layer}"
    file = folder / "project.yaml"
    file.write_text(json.dumps(_in_reading_order(document), ensure_ascii=False, indent=2) + "\n", encoding="utf-8")
    return file


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
