"""The engine's own tables (`couloir schema --presets`): classes, shapes, schemes and formats, with their numbers.

The plugin has no copy. What the engine in use said is kept in the QGIS profile: nothing is started to list names.
"""

from __future__ import annotations

import json
from typing import Any

from . import engine
from .errors import EngineError

#: Without an engine nothing runs; lists show this much.
WITHOUT_ENGINE: dict[str, Any] = {
    "ground": [{"name": "medium"}], "forest": [{"name": "none"}], "shapes": [{"name": "natural"}],
    "schemes": [{"name": "swiss"}], "trajectory_formats": ["geopackage"],
}  # fmt: skip
#: Of the engine in use, and engines that were asked already.
_tables: dict[str, Any] = {}
_asked: list[Any] = []


def tables() -> dict[str, Any]:
    """Those of the engine, which may have been found only now; it is asked once."""
    try:
        stamp = None if _tables else _stamp()
    except (EngineError, OSError):
        return WITHOUT_ENGINE
    if stamp is not None and stamp not in _asked:
        _asked.append(stamp)
        adopt(renewed())
    return _tables or WITHOUT_ENGINE


def _stamp() -> list[Any]:
    path, _ = engine.locate()
    return [str(path), path.stat().st_mtime_ns, path.stat().st_size]


def renewed() -> dict[str, Any]:
    """The tables of the engine in use, also asked on another thread; empty if there are none."""
    file = engine.data_folder() / "presets.json"
    try:
        stamp = _stamp()
        try:
            stored = json.loads(file.read_text("utf-8"))
            if stored["engine"] == stamp and _whole(stored["tables"]):
                return stored["tables"]
        except (OSError, ValueError, KeyError, TypeError):
            pass
        found = engine.ask("schema", "--presets")
        if _whole(found):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(json.dumps({"engine": stamp, "tables": found}), encoding="utf-8")
            return found
    except (EngineError, OSError):
        pass
    return {}


def _whole(found: Any) -> bool:
    return isinstance(found, dict) and all(isinstance(found.get(key), list) and found[key] for key in WITHOUT_ENGINE)


def adopt(found: dict[str, Any]) -> bool:
    """Takes these tables; says whether they differ from those known so far."""
    if not _whole(found) or found == _tables:
        return False
    _tables.clear()
    _tables.update(found)
    return True


def row(table: str, name: Any) -> dict[str, Any]:
    """The numbers of a class; the first one's if there is no such class."""
    return next((entry for entry in tables()[table] if entry["name"] == name), tables()[table][0])


def labels(table: str) -> list[str]:
    """Names with their numbers."""
    units = {"beta_per_s": "1/s", "kappa_per_m": "1/m", "drag_kg_s": "kg/s", "height_m": "m"}
    signs = {"mu_min": "μ min", "mu_max": "μ max", "beta_per_s": "β", "kappa_per_m": "κ", "drag_kg_s": "", "height_m": ""}
    found = []
    for entry in tables()[table]:
        numbers = (f"{signs[key]} {entry[key]:g} {units.get(key, '')}".strip() for key in signs if entry.get(key))
        found.append(f"{entry['name']} ({', '.join(numbers)})".replace(" ()", ""))
    return found
