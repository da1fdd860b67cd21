"""How results look: fixed class limits where practice has them, colour-blind safe ramps elsewhere, units in legends.

Every style is applied to the layer and saved as QML beside the file, so that the layer is styled for anybody who opens it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from qgis.core import (
    QgsColorRampShader,
    QgsMapLayer,
    QgsPalettedRasterRenderer,
    QgsRasterLayer,
    QgsRasterShader,
    QgsRasterTransparency,
    QgsSingleBandPseudoColorRenderer,
)
from qgis.PyQt.QtGui import QColor
from qgis.PyQt.QtXml import QDomDocument

from .i18n import noop, tr
from .schemes import Zone


@dataclass(frozen=True)
class Classes:
    """Upper limits (the last class is open) and one colour a class."""

    limits: tuple[float, ...]
    colours: tuple[str, ...]
    unit: str
    decimals: int = 0
    percent: bool = False
    #: Whole numbers: “2 – 5” follows “1”, and nothing is drawn where there is none.
    counted: bool = False
    #: Names of the classes where limits would be hard to read.
    names: tuple[str, ...] = ()

    def labels(self) -> list[str]:
        if self.names:
            return [tr(name) for name in self.names]
        factor = 100.0 if self.percent else 1.0
        unit = " %" if self.percent else f" {tr(self.unit)}" if self.unit else ""
        text = [f"{limit * factor:.{self.decimals}f}" for limit in self.limits]
        if self.counted:
            ends = [int(limit) for limit in self.limits]
            ranges = [f"{low} – {high}" if low < high else f"{high}" for low, high in zip([1, *(e + 1 for e in ends)], ends)]
            return [f"{words}{unit}" for words in (*ranges, f"> {ends[-1]}")]
        inner = [f"{low} – {high}{unit}" for low, high in zip(text, text[1:])]
        return [f"≤ {text[0]}{unit}", *inner, f"> {text[-1]}{unit}"]


#: The Swiss limits 30 and 300 kJ separate yellow, orange and red hues.
ENERGY = Classes((30, 100, 300, 1000, 3000), ("#fff3b0", "#fdbe6f", "#f0882e", "#d7301f", "#9c1010", "#4a0008"), "kJ")
# Cividis: readable with every colour vision deficiency.
VELOCITY = Classes((5, 10, 15, 20, 30), ("#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#fee838"), "m/s")
JUMP = Classes((0.5, 1, 2, 3, 5), ("#edf8fb", "#b3cde3", "#8c96c6", "#8856a7", "#6a0f72", "#3b0045"), "m", 1)
ROTATION = Classes((1, 2, 3, 5), ("#00224e", "#4d556c", "#7c7b78", "#b9ac70", "#fee838"), noop("rev/s"))
REACH = Classes((0.001, 0.01, 0.05, 0.1, 0.25), ("#ffffcc", "#c7e9b4", "#7fcdbb", "#41b6c4", "#2c7fb8", "#253494"), "", 1, True)
COUNT = Classes((1, 5, 20, 100, 500), REACH.colours, noop("rocks"), counted=True)
CELLS = Classes((1, 2, 5, 10, 20), COUNT.colours, noop("cells"), counted=True)
ANGLE = Classes((28, 30, 32, 35, 40), ("#4a0008", "#9c1010", "#d7301f", "#f0882e", "#fdbe6f", "#fff3b0"), "°")
FREQUENCY = Classes(
    (1 / 300, 1 / 100, 1 / 30, 0.1, 1),
    ("#fff3b0", "#fdbe6f", "#f0882e", "#d7301f", "#9c1010", "#4a0008"),
    "",
    names=(
        noop("rarer than every 300 years"),
        noop("every 100 to 300 years"),
        noop("every 30 to 100 years"),
        noop("every 10 to 30 years"),
        noop("every 1 to 10 years"),
        noop("more than once a year"),
    ),
)

#: By the beginning of the layer's name.
RASTER_CLASSES: tuple[tuple[str, Classes], ...] = (
    ("kinetic_energy", ENERGY),
    ("velocity", VELOCITY),
    ("jump_height", JUMP),
    ("rotation", ROTATION),
    ("reach_probability", REACH),
    ("frequency_above", FREQUENCY),
    ("energy_line_angle", ANGLE),
    ("passages", COUNT),
    ("deposits", COUNT),
    ("source_cells", CELLS),
)

TITLES = {
    "passages": noop("Passages"),
    "deposits": noop("Deposits"),
    "source_cells": noop("Source cells"),
    "reach_probability_local": noop("Reach probability from the feeding source cells"),
    "reach_probability": noop("Reach probability"),
    "kinetic_energy": noop("Kinetic energy"),
    "velocity": noop("Velocity"),
    "jump_height": noop("Jump height"),
    "rotation": noop("Rotation"),
    "energy_line_angle": noop("Energy-line angle"),
    "sample_size_warning": noop("Too few rocks for quantiles"),
}


def order(name: str) -> tuple[int, str]:
    """Layers of one quantity stand together, in the order of `RASTER_CLASSES`."""
    starts = [start for start, _ in RASTER_CLASSES]
    return next((i for i, start in enumerate(starts) if name.startswith(start)), len(starts)), name


def save(layer: QgsMapLayer, file: Path, beside: QgsRasterLayer | None = None, newer_than: Path | None = None) -> None:
    """The style beside the file, unless the user has one there already (newer than `newer_than`, if that is named).

    A raster of the same name (`beside`) finds its style in the same QML: QGIS reads from it what suits a layer.
    """
    qml = file.with_suffix(".qml")
    if qml.exists() and not (newer_than and newer_than.stat().st_mtime > qml.stat().st_mtime):
        return
    if beside is None:
        layer.saveNamedStyle(str(qml))
        return
    document, other = QDomDocument(), QDomDocument()
    layer.exportNamedStyle(document)
    beside.exportNamedStyle(other)
    pipe = other.documentElement().firstChildElement("pipe")
    document.documentElement().appendChild(document.importNode(pipe, True))
    qml.write_text(document.toString(1), encoding="utf-8")


def classes_for(name: str) -> Classes | None:
    return next((classes for start, classes in RASTER_CLASSES if name.startswith(start)), None)


def style_raster(layer: QgsRasterLayer, name: str) -> None:
    classes = classes_for(name)
    if classes is not None:
        _classed(layer, classes)
    elif name.startswith("sample_size_warning"):
        entry = QgsPalettedRasterRenderer.Class(1, QColor(60, 60, 60, 140), tr("few rocks"))
        layer.setRenderer(QgsPalettedRasterRenderer(layer.dataProvider(), 1, [entry]))
    layer.setOpacity(0.8)


def _classed(layer: QgsRasterLayer, classes: Classes) -> None:
    shader_function = QgsColorRampShader(0.0, classes.limits[-1])
    shader_function.setColorRampType(QgsColorRampShader.Type.Discrete)
    limits = [*classes.limits, float("inf")]
    shader_function.setColorRampItemList(
        [
            QgsColorRampShader.ColorRampItem(limit, QColor(colour), label)
            for limit, colour, label in zip(limits, classes.colours, classes.labels())
        ]
    )
    shader = QgsRasterShader()
    shader.setRasterShaderFunction(shader_function)
    renderer = QgsSingleBandPseudoColorRenderer(layer.dataProvider(), 1, shader)
    renderer.setClassificationMin(0.0)
    renderer.setClassificationMax(classes.limits[-1])
    if classes.counted:
        nothing = QgsRasterTransparency.TransparentSingleValuePixel()
        nothing.min, nothing.max, nothing.percentTransparent = 0.0, 0.0, 100.0
        transparency = QgsRasterTransparency()
        transparency.setTransparentSingleValuePixelList([nothing])
        renderer.setRasterTransparency(transparency)
    layer.setRenderer(renderer)


def style_zone_raster(layer: QgsRasterLayer, zones: list[Zone]) -> None:
    """Classes in their colours; a raster cannot be hatched, so the residual zone is paler instead."""
    entries = []
    for zone in reversed(zones):
        colour = QColor(zone.colour)
        entries.append(QgsPalettedRasterRenderer.Class(zone.value, colour.lighter(135) if zone.hatched else colour, zone.label))
    layer.setRenderer(QgsPalettedRasterRenderer(layer.dataProvider(), 1, entries))
    layer.setOpacity(0.8)
