"""Projects as forms: the engine (`couloir form`) turns them into the panel's values and back. There is no other writer."""

from __future__ import annotations

import json
import tempfile
from pathlib import Path
from typing import Any

from . import engine


def read(source: Path) -> dict[str, Any]:
    """The form of a project file or of a finished run; EngineError if it cannot be read or its inputs are gone."""
    # Inputs of a run are compared with what they were, which takes its time on a slow drive.
    return engine.ask("form", str(source), most_s=600)


def write(
    folder: Path, filled_in: dict[str, Any], feedback: engine.Feedback, base: Path | None = None, copy: bool = False
) -> Path:
    """Writes `project.yaml` into `folder`: the project `base` with what was filled in; with `copy` its inputs come along."""
    file = folder / "project.yaml"
    with tempfile.TemporaryDirectory(prefix="couloir-") as scratch:
        form = Path(scratch) / "form.json"
        form.write_text(json.dumps(filled_in, ensure_ascii=False), encoding="utf-8")
        arguments = ["form", *([str(base)] if base else []), "--fill", str(form), "--out", str(folder)]
        engine.run(engine.find(), [*arguments, *(["--copy-inputs"] if copy else [])], feedback)
    return file


def readable(sentence: str, project: Path) -> str:
    """Without the place in a file that people never see."""
    head, found, tail = sentence.partition(str(project))
    return (head + tail.lstrip(":0123456789 ")).strip() if found else sentence
