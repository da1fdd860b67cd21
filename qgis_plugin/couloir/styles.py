"""Styles: the engine writes them beside every layer (QML); here their words get the user's language.

What is drawn on files that are not the engine's (lines of a project, the matrix of a hazard map) is styled here.
"""

from __future__ import annotations

import re
from pathlib import Path

from qgis import core
from qgis.core import QgsMapLayer, QgsVectorLayer
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtXml import QDomDocument

from .i18n import noop, tr

#: Words of the engine's legends and map tips (those of zones: see `schemes`).
WORDS = (
    noop("rocks"), noop("cells"), noop("rev/s"), noop("per year"), noop("few rocks"), noop("mass"), noop("velocity"),
    noop("rarer than every 300 years"), noop("every 100 to 300 years"), noop("every 30 to 100 years"),
    noop("every 10 to 30 years"), noop("every 1 to 10 years"), noop("more than once a year"), noop("about the same"),
)  # fmt: skip
WORDS_OF_TIPS = (noop("jump height"), noop("run-out"))


def dress(layer: QgsMapLayer, qml: Path | None = None) -> None:
    """Gives a layer the style beside its file (or another), translated; without one it keeps the style of QGIS."""
    qml = qml or Path(layer.source().split("|")[0]).with_suffix(".qml")
    document = QDomDocument()
    if not qml.is_file() or not document.setContent(qml.read_text("utf-8"))[0]:
        return
    _translate(document)
    layer.importNamedStyle(document)


def _translate(document: QDomDocument) -> None:
    for tag in ("item", "paletteEntry", "range", "category", "rule", "data-defined-size-legend"):
        key = "title" if tag == "data-defined-size-legend" else "label"
        found = document.elementsByTagName(tag)
        for element in (found.at(number).toElement() for number in range(found.count())):
            element.setAttribute(key, translated(element.attribute(key)))
    tips = document.elementsByTagName("mapTip")
    for text in (tips.at(number).firstChild().toText() for number in range(tips.count())):
        if not text.isNull():
            words = text.data()
            for word in WORDS_OF_TIPS:
                words = words.replace(word, tr(word))
            text.setData(words)


def translated(label: str) -> str:
    """`2 – 5 rocks`, `low hazard (notice area)`: whole, without its numbers, or part by part."""
    if tr(label) != label:
        return tr(label)
    numbers = re.fullmatch(r"(.*\d) ([^\d()]+)", label)
    if numbers:
        return f"{numbers[1]} {tr(numbers[2])}"
    parts = re.fullmatch(r"(.+?) \((.+)\)", label)
    return f"{tr(parts[1])} ({translated(parts[2])})" if parts else tr(label)


def style_line(layer: QgsVectorLayer) -> None:
    """A barrier or recording line: bold, pale border, so that it stands out on any map."""
    symbol = core.QgsLineSymbol.createSimple({"line_color": "#ffffff", "line_width": "1.1", "capstyle": "round"})
    symbol.appendSymbolLayer(core.QgsSimpleLineSymbolLayer(QColor("#1f3a93"), 0.6))
    layer.setRenderer(core.QgsSingleSymbolRenderer(symbol))
