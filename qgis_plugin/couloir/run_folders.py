"""Folders this plugin writes. It fills only folders that are new or empty, marks them, and removes nothing it did not make."""

from __future__ import annotations

import json
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from .errors import Unusable
from .i18n import tr

#: Says that a folder was filled by this plugin; holds what a run folder has no place for.
MARK = "couloir-plugin.json"


@contextmanager
def new_run(place: Path, replace: bool = False, **notes: Any) -> Iterator[tuple[Path, Path]]:
    """The folders of the inputs and of the run inside a folder of ours; what was made is gone again if the run fails.

    With `replace` the folder may hold an earlier run of ours: the engine replaces what it wrote itself, the inputs go beside
    the earlier ones.
    """
    existed = place.is_dir()
    ours = (place / MARK).is_file()
    if place.exists() and not existed:
        raise Unusable(tr("“{}” is a file; choose a folder.").format(place))
    if existed and any(place.iterdir()) and not (ours and replace):
        if (place / "run" / "manifest.json").is_file():
            raise Unusable(
                tr("“{}” holds a finished run; choose another folder or tick “Replace an earlier run”.").format(place)
            )
        raise Unusable(tr("“{}” holds files already and stays as it is; choose a new folder.").format(place))
    place.mkdir(parents=True, exist_ok=True)
    inputs, run = unused(place / "inputs"), place / "run"
    made = [path for path in (place / MARK, inputs, run) if not path.exists()]
    try:
        if not ours:
            (place / MARK).write_text("{}\n", encoding="utf-8")
        yield inputs, run
        (place / MARK).write_text(json.dumps(notes, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    except BaseException:
        for path in made:
            shutil.rmtree(path, ignore_errors=True) if path.is_dir() else path.unlink(missing_ok=True)
        if not existed and not any(place.iterdir()):
            place.rmdir()
        raise


@contextmanager
def removed_on_failure(folder: Path) -> Iterator[None]:
    """A folder the engine is about to make does not stay behind half-filled; one that is there already is left alone."""
    there = folder.exists()
    try:
        yield
    except BaseException:
        if not there:
            shutil.rmtree(folder, ignore_errors=True)
        raise


def notes_of(run: Path) -> dict[str, Any]:
    """What the plugin noted beside a run of its own."""
    try:
        notes = json.loads((run.parent / MARK).read_text("utf-8"))
    except (OSError, ValueError):
        return {}
    return notes if isinstance(notes, dict) else {}


def free_name(name: str, taken: set[str]) -> str:
    """The name itself, or with a number."""
    numbered = (f"{name} ({number})" for number in range(2, len(taken) + 3))
    return name if name not in taken else next(free for free in numbered if free not in taken)


def unused(path: Path) -> Path:
    """The path itself, or with a number if it is taken: nothing is replaced."""
    free, number = path, 2
    while free.exists():
        free, number = path.with_name(f"{path.stem} ({number}){path.suffix}"), number + 1
    return free


def input_of_run(run: Path, manifest: dict[str, Any], role: str) -> Path | None:
    """An input of a run: where it was, or beside the run as the plugin puts it."""
    path = next((item["path"] for item in manifest.get("inputs", []) if item.get("role") == role), "")
    was = Path(str(manifest.get("this_run", {}).get("project_path") or run)).parent
    places = (was, *sorted(run.parent.glob("inputs*"), reverse=True), run.parent)
    return next((place / path for place in places if path and (place / path).is_file()), None)
