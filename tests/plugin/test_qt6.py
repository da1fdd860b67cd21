"""Ready for Qt 6: every name taken from qgis.PyQt, with its enums written out, is there in PyQt6 too.

PyQt6 cannot live beside QGIS' Qt 5 in one process: it is asked in another one, in an environment of its own.
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys

import pytest
from conftest import ROOT

#: Qt 6 moved these; the plugin looks in both places. `sip` and `QVariant` come with QGIS.
ELSEWHERE = {"QtWidgets.QAction", "QtCore.QVariant"}
ASK = """
import importlib, json, sys
missing = []
for chain in json.load(sys.stdin):
    module, *names = chain.split(".")
    try:
        found = importlib.import_module("PyQt6." + module)
        for name in names:
            # Methods and values of an instance cannot be told from here.
            if not isinstance(found, type) and found.__class__.__name__ != "module":
                break
            found = getattr(found, name)
    except (ImportError, AttributeError):
        missing.append(chain)
print(json.dumps(missing))
"""


def names_used() -> set[str]:
    """`QtCore.Qt.AlignmentFlag.AlignLeft`, for every such chain in the plugin."""
    found = set()
    for file in (ROOT / "qgis_plugin" / "couloir").rglob("*.py"):
        tree, known = ast.parse(file.read_text("utf-8")), {}
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("qgis.PyQt"):
                inside = (node.module or "").split(".")[2:]
                known.update({alias.name: ".".join([*inside, alias.name]) for alias in node.names if alias.name != "sip"})
        found |= set(known.values())
        for node in ast.walk(tree):
            parts, part = [], node
            while isinstance(part, ast.Attribute):
                parts.append(part.attr)
                part = part.value
            if parts and isinstance(part, ast.Name) and part.id in known:
                found.add(".".join([known[part.id], *reversed(parts)]))
    return {chain for chain in found if not any(chain.startswith(name) for name in ELSEWHERE)}


def test_names_are_those_of_qt6(tmp_path_factory: pytest.TempPathFactory) -> None:
    place = ROOT / "build" / "qt6"
    python = place / "bin" / "python"
    if not python.is_file():
        subprocess.run([os.path.realpath(sys.executable), "-m", "venv", str(place)], check=True)
        pip = subprocess.run([str(python), "-m", "pip", "install", "--quiet", "PyQt6==6.7.1"], capture_output=True, text=True)
        if pip.returncode:
            pytest.skip(f"PyQt6 cannot be installed here: {pip.stderr[-200:]}")
    chains = sorted(names_used())
    assert len(chains) > 60
    asked = subprocess.run([str(python), "-c", ASK], input=json.dumps(chains), capture_output=True, text=True, check=True)
    assert json.loads(asked.stdout) == []
