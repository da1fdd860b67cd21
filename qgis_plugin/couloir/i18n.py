"""Translation: one context for the whole plugin."""

from __future__ import annotations

from qgis.PyQt.QtCore import QCoreApplication

CONTEXT = "Couloir"


def tr(text: str) -> str:
    return QCoreApplication.translate(CONTEXT, text)


def noop(text: str) -> str:
    """Marks a text of a module-level table; it is translated with `tr` when it is shown."""
    return text
