"""German, French and Italian for every string the user can see."""

from __future__ import annotations

import string
import sys
from typing import Any

import pytest
from conftest import ROOT
from couloir.i18n import tr
from qgis.PyQt.QtCore import QCoreApplication, QTranslator

sys.path.insert(0, str(ROOT / "scripts"))
import plugin_translations as tool  # noqa: E402


def places(text: str) -> list[tuple[str | None, str | None]]:
    return sorted((name, form) for _, name, form, _ in string.Formatter().parse(text) if name is not None)


@pytest.mark.parametrize("language", tool.LANGUAGES)
def test_every_string_is_translated_and_compiled(qgis_app: Any, language: str) -> None:
    finished = tool.read(language)
    missing = [text for text in tool.strings() if not finished.get(text)]
    assert missing == [], "run scripts/plugin_translations.py and translate what is unfinished"
    translator = QTranslator()
    assert translator.load(str(tool.FOLDER / f"couloir_{language}.qm"))
    QCoreApplication.installTranslator(translator)
    try:
        for text in tool.strings():
            assert places(text) == places(finished[text]), f"placeholders differ in {language}: {text}"
            assert tr(text) == finished[text], "the .qm file is older than the .ts file"
    finally:
        QCoreApplication.removeTranslator(translator)
