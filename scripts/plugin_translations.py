"""Brings the plugin's translations (.ts) in line with its strings and compiles them (.qm, with Qt's lrelease).

New strings appear as unfinished; the tests refuse unfinished ones. Usage: python3 scripts/plugin_translations.py
"""

from __future__ import annotations

import ast
import json
import re
import shutil
import subprocess
import sys
import xml.etree.ElementTree as ET
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
PLUGIN = ROOT / "qgis_plugin" / "couloir"
FOLDER = PLUGIN / "translations"
LANGUAGES = ("de", "fr", "it")
CONTEXT = "Couloir"


def strings() -> list[str]:
    """Every text given to `tr` or `noop`, in order of files."""
    found: dict[str, None] = {}
    for file in sorted(PLUGIN.rglob("*.py")):
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Call) and node.args:
                name = getattr(node.func, "id", getattr(node.func, "attr", ""))
                text = node.args[0]
                if name in ("tr", "noop") and isinstance(text, ast.Constant) and isinstance(text.value, str):
                    found[text.value] = None
    # What the panel and the toolbox say of each field and tool.
    tools = json.loads((PLUGIN / "tools.json").read_text("utf-8"))
    rows = json.loads((PLUGIN / "fields.json").read_text("utf-8"))
    for row in [*rows, *tools, *(parameter for tool in tools for parameter in tool["parameters"])]:
        choices = row.get("choices", [])
        texts = [text for text, _ in choices] if isinstance(choices, list) else []
        texts += [row.get(key, "") for key in ("title", "help", "label", "tip", "filter")]
        texts += [row.get("default", "")] if row.get("kind") == "text" else []
        # Names such as A4 or PDF (*.pdf) are the same everywhere.
        found.update({text: None for text in texts if re.search("[a-zà-ÿ]", re.sub(r"\(\*.*\)", "", text))})
    return list(found)


def read(language: str) -> dict[str, str]:
    """Finished translations of a language."""
    file = FOLDER / f"couloir_{language}.ts"
    if not file.is_file():
        return {}
    messages = ET.parse(file).getroot().iter("message")  # noqa: S314 (our own file)
    pairs = ((m.findtext("source") or "", m.find("translation")) for m in messages)
    return {source: t.text or "" for source, t in pairs if t is not None and t.get("type") != "unfinished"}


def write(language: str, translations: dict[str, str]) -> int:
    """Writes the .ts file; returns how many strings are unfinished."""
    root = ET.Element("TS", version="2.1", language=language, sourcelanguage="en")
    context = ET.SubElement(root, "context")
    ET.SubElement(context, "name").text = CONTEXT
    unfinished = 0
    for source in strings():
        message = ET.SubElement(context, "message")
        ET.SubElement(message, "source").text = source
        translation = ET.SubElement(message, "translation")
        translation.text = translations.get(source, "")
        if not translation.text:
            translation.set("type", "unfinished")
            unfinished += 1
    ET.indent(root, "  ")
    text = '<?xml version="1.0" encoding="utf-8"?>\n<!DOCTYPE TS>\n' + ET.tostring(root, encoding="unicode") + "\n"
    (FOLDER / f"couloir_{language}.ts").write_text(text, encoding="utf-8")
    return unfinished


def main() -> int:
    FOLDER.mkdir(exist_ok=True)
    lrelease = shutil.which("lrelease") or shutil.which("lrelease-qt5") or shutil.which("lrelease6")
    for language in LANGUAGES:
        unfinished = write(language, read(language))
        print(f"{language}: {len(strings())} strings, {unfinished} unfinished")
        if lrelease is None:
            print("lrelease (Qt's linguist tools) was not found: the .qm files are not renewed", file=sys.stderr)
            return 1
        file = FOLDER / f"couloir_{language}.ts"
        subprocess.run([lrelease, "-silent", str(file), "-qm", str(file.with_suffix(".qm"))], check=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
