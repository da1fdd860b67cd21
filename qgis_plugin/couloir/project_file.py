"""The project file of a run: how it is written, and where it is."""

from __future__ import annotations

import hashlib
import json
import re
from pathlib import Path
from typing import Any


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
