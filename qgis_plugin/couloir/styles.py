"""How results look: fixed class limits where practice has them, colour-blind safe ramps elsewhere, units in legends.

Every style is applied to the layer and saved as QML beside the file, so that the layer is styled for anybody who opens it.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from qgis.core import (
    Qgis,
    QgsCategorizedSymbolRenderer,
    QgsColorRampShader,
    QgsFillSymbol,
    QgsGraduatedSymbolRenderer,
    QgsLinePatternFillSymbolLayer,
    QgsLineSymbol,
    QgsMapLayer,
    QgsMarkerSymbol,
    QgsPalettedRasterRenderer,
    QgsProperty,
    QgsRasterLayer,
    QgsRasterShader,
    QgsRendererCategory,
    QgsRendererRange,
    QgsSimpleFillSymbolLayer,
    QgsSimpleMarkerSymbolLayer,
    QgsSingleBandPseudoColorRenderer,
    QgsSingleSymbolRenderer,
    QgsSymbol,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QColor

from .i18n import noop, tr


@dataclass(frozen=True)
class Classes:
    """Upper limits (the last class is open) and one colour a class."""

    limits: tuple[float, ...]
    colours: tuple[str, ...]
    unit: str
    decimals: int = 0
    percent: bool = False

    def labels(self) -> list[str]:
        factor = 100.0 if self.percent else 1.0
        unit = " %" if self.percent else f" {tr(self.unit)}" if self.unit else ""
        text = [f"{limit * factor:.{self.decimals}f}" for limit in self.limits]
        inner = [f"{low} – {high}{unit}" for low, high in zip(text, text[1:])]
        return [f"≤ {text[0]}{unit}", *inner, f"> {text[-1]}{unit}"]


#: The Swiss limits 30 and 300 kJ separate yellow, orange and red hues.
ENERGY = Classes((30, 100, 300, 1000, 3000), ("#fff3b0", "#fdbe6f", "#f0882e", "#d7301f", "#9c1010", "#4a0008"), "kJ")
# Cividis: readable with every colour vision deficiency.
VELOCITY = Classes((5, 10, 15, 20, 30), ("#00224e", "#35456c", "#666970", "#948e77", "#c8b866", "#fee838"), "m/s")
JUMP = Classes((0.5, 1, 2, 3, 5), ("#edf8fb", "#b3cde3", "#8c96c6", "#8856a7", "#6a0f72", "#3b0045"), "m", 1)
ROTATION = Classes((1, 2, 3, 5), ("#00224e", "#4d556c", "#7c7b78", "#b9ac70", "#fee838"), noop("rev/s"))
REACH = Classes((0.001, 0.01, 0.05, 0.1, 0.25), ("#fff7fb", "#d0d1e6", "#a6bddb", "#67a9cf", "#1c9099", "#014636"), "", 1, True)
COUNT = Classes((1, 5, 20, 100, 500), ("#fff7fb", "#ece2f0", "#d0d1e6", "#67a9cf", "#02818a", "#014636"), noop("rocks"))
ANGLE = Classes((28, 30, 32, 35, 40), ("#4a0008", "#9c1010", "#d7301f", "#f0882e", "#fdbe6f", "#fff3b0"), "°")
FREQUENCY = Classes(
    (1 / 300, 1 / 100, 1 / 30, 0.1, 1), ("#fff3b0", "#fdbe6f", "#f0882e", "#d7301f", "#9c1010", "#4a0008"), noop("per year"), 4
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
    ("source_cells", COUNT),
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
    "frequency_above": noop("Passages per year above"),
    "intensity": noop("Intensity"),
    "hazard": noop("Hazard zones"),
}


def save(layer: QgsMapLayer, file: Path) -> None:
    """The style beside the file, unless the user has one there already."""
    qml = file.with_suffix(".qml")
    if not qml.exists():
        layer.saveNamedStyle(str(qml))


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
    layer.setRenderer(renderer)


def style_trajectories(layer: QgsVectorLayer) -> None:
    """Lines coloured by energy, with velocity as a second style to switch to, at their own height in 3D."""
    manager = layer.styleManager()
    by_energy, by_velocity = tr("energy (kJ)"), tr("velocity (m/s)")
    manager.renameStyle(manager.currentStyle(), by_energy)
    _coloured_lines(layer, "e_max_kj", ENERGY)
    _in_3d(layer)
    manager.addStyleFromLayer(by_velocity)
    manager.setCurrentStyle(by_velocity)
    _coloured_lines(layer, "v_max_ms", VELOCITY)
    manager.setCurrentStyle(by_energy)


def _coloured_lines(layer: QgsVectorLayer, field: str, classes: Classes) -> None:
    bounds = [0.0, *classes.limits, 1e12]
    ranges = []
    for low, high, colour, label in zip(bounds, bounds[1:], classes.colours, classes.labels()):
        symbol = QgsLineSymbol.createSimple({"line_color": colour, "line_width": "0.3"})
        ranges.append(QgsRendererRange(low, high, symbol, label))
    layer.setRenderer(QgsGraduatedSymbolRenderer(field, ranges))


def _in_3d(layer: QgsVectorLayer) -> None:
    """Where QGIS was built with 3D, lines are drawn at their own height rather than draped over the ground."""
    try:
        from qgis._3d import QgsLine3DSymbol, QgsVectorLayer3DRenderer
    except ImportError:
        return
    try:
        absolute = Qgis.AltitudeClamping.Absolute
    except AttributeError:  # before QGIS 3.26
        from qgis._3d import Qgs3DTypes

        absolute = Qgs3DTypes.AltitudeClamping.AltClampAbsolute
    symbol = QgsLine3DSymbol()
    symbol.setAltitudeClamping(absolute)
    symbol.setWidth(0.5)
    symbol.setRenderAsSimpleLines(True)
    renderer = QgsVectorLayer3DRenderer(symbol)
    renderer.setLayer(layer)
    layer.setRenderer3D(renderer)


def style_deposits(layer: QgsVectorLayer, mass_field: str) -> None:
    """Points whose area follows the rock's mass."""
    symbol = QgsMarkerSymbol.createSimple(
        {"name": "hexagon", "color": "#7f5539", "outline_color": "#2b1a0f", "outline_width": "0.15", "size": "2"}
    )
    size = QgsProperty.fromExpression(f'clamp(0.8, 0.25 * ("{mass_field}" ^ (1.0/3.0)), 6)')
    symbol.symbolLayer(0).setDataDefinedProperty(QgsSimpleMarkerSymbolLayer.Property.PropertySize, size)
    layer.setRenderer(QgsSingleSymbolRenderer(symbol))


def style_points(layer: QgsVectorLayer, field: str, classes: Classes) -> None:
    """Points coloured by a number."""
    bounds = [0.0, *classes.limits, 1e12]
    ranges = []
    for low, high, colour, label in zip(bounds, bounds[1:], classes.colours, classes.labels()):
        symbol = QgsMarkerSymbol.createSimple(
            {"color": colour, "size": "1.8", "outline_color": "#333333", "outline_width": "0.1"}
        )
        ranges.append(QgsRendererRange(low, high, symbol, label))
    layer.setRenderer(QgsGraduatedSymbolRenderer(field, ranges))


def style_zone_polygons(layer: QgsVectorLayer) -> None:
    """Intensity or hazard zones in the colours the engine wrote; the residual zone hatched on white."""
    zones = {(feature["class"], feature["name"], feature["colour"]) for feature in layer.getFeatures()}
    categories = []
    for value, name, colour in sorted(zones, reverse=True):
        symbol: QgsSymbol
        if str(name).startswith("residual"):
            symbol = _hatched(str(colour))
        else:
            symbol = QgsFillSymbol.createSimple({"color": str(colour), "outline_color": "#333333", "outline_width": "0.2"})
        categories.append(QgsRendererCategory(value, symbol, zone_label(str(name))))
    layer.setRenderer(QgsCategorizedSymbolRenderer("class", categories))
    layer.setOpacity(0.7)


def zone_label(name: str) -> str:
    """`residual (residual hazard)` → “residual hazard”."""
    short, _, meaning = name.partition(" (")
    return meaning.rstrip(")") if meaning and meaning.startswith(short) else name


def _hatched(colour: str) -> QgsFillSymbol:
    background = QgsSimpleFillSymbolLayer.create({"color": "#ffffff", "outline_color": "#333333", "outline_width": "0.2"})
    hatch = QgsLinePatternFillSymbolLayer()
    hatch.setLineAngle(45)
    hatch.setDistance(2.0)
    line = QgsLineSymbol.createSimple({"line_color": colour, "line_width": "0.9"})
    hatch.setSubSymbol(line)
    symbol = QgsFillSymbol()
    symbol.deleteSymbolLayer(0)
    symbol.appendSymbolLayer(background)
    symbol.appendSymbolLayer(hatch)
    return symbol
