"""How points, lines and polygons of a run look: in the map, in 3D, and in time."""

from __future__ import annotations

from typing import Any

from qgis.core import (
    Qgis,
    QgsCategorizedSymbolRenderer,
    QgsDataDefinedSizeLegend,
    QgsFillSymbol,
    QgsGraduatedSymbolRenderer,
    QgsLinePatternFillSymbolLayer,
    QgsLineSymbol,
    QgsMarkerSymbol,
    QgsProperty,
    QgsRendererCategory,
    QgsRendererRange,
    QgsRuleBasedRenderer,
    QgsSimpleLineSymbolLayer,
    QgsSimpleMarkerSymbolLayer,
    QgsSingleSymbolRenderer,
    QgsVectorLayer,
)
from qgis.PyQt.QtGui import QColor

from .i18n import tr
from .schemes import Zone
from .styles import ENERGY, VELOCITY, Classes


def style_trajectories(layer: QgsVectorLayer) -> None:
    """Lines coloured by energy, with velocity as a second style to switch to, at their own height in 3D."""
    manager = layer.styleManager()
    by_energy, by_velocity = tr("energy (kJ)"), tr("velocity (m/s)")
    manager.renameStyle(manager.currentStyle(), by_energy)
    _coloured_lines(layer, "e_max_kj", ENERGY)
    _in_3d(layer, _line_symbol_3d)
    manager.addStyleFromLayer(by_velocity)
    manager.setCurrentStyle(by_velocity)
    _coloured_lines(layer, "v_max_ms", VELOCITY)
    manager.setCurrentStyle(by_energy)
    # Styles travel as XML, from which the 3D part comes back only where a 3D view has been set up.
    _in_3d(layer, _line_symbol_3d)


def _coloured_lines(layer: QgsVectorLayer, field: str, classes: Classes) -> None:
    bounds = [0.0, *classes.limits, 1e12]
    ranges = []
    for low, high, colour, label in zip(bounds, bounds[1:], classes.colours, classes.labels()):
        symbol = QgsLineSymbol.createSimple({"line_color": colour, "line_width": "0.3"})
        ranges.append(QgsRendererRange(low, high, symbol, label))
    layer.setRenderer(QgsGraduatedSymbolRenderer(field, ranges))


def _absolute() -> Any:
    try:
        return Qgis.AltitudeClamping.Absolute
    except AttributeError:  # before QGIS 3.26
        from qgis._3d import Qgs3DTypes

        return Qgs3DTypes.AltitudeClamping.AltClampAbsolute


def _in_3d(layer: QgsVectorLayer, symbol_of: Any) -> None:
    """Where QGIS was built with 3D, rocks are drawn at their own height rather than draped over the ground."""
    try:
        from qgis import _3d
    except ImportError:
        return
    symbol = symbol_of(_3d)
    symbol.setAltitudeClamping(_absolute())
    renderer = _3d.QgsVectorLayer3DRenderer(symbol)
    renderer.setLayer(layer)
    layer.setRenderer3D(renderer)
    properties = layer.elevationProperties()
    if hasattr(properties, "setClamping"):  # profiles, from QGIS 3.26
        properties.setClamping(_absolute())


def _line_symbol_3d(_3d: Any) -> Any:
    symbol = _3d.QgsLine3DSymbol()
    symbol.setWidth(2.0)
    symbol.setRenderAsSimpleLines(True)
    material = _3d.QgsSimpleLineMaterialSettings()
    material.setAmbient(QColor("#d7301f"))
    symbol.setMaterial(material)
    return symbol


def _sphere_3d(_3d: Any) -> Any:
    symbol = _3d.QgsPoint3DSymbol()
    symbol.setShape(_3d.QgsPoint3DSymbol.Shape.Sphere)
    symbol.setShapeProperties({"radius": 1.0})
    material = _3d.QgsPhongMaterialSettings()
    material.setDiffuse(QColor("#7f5539"))
    material.setAmbient(QColor("#4a2f1c"))
    symbol.setMaterial(material)
    return symbol


#: Diameter (mm) of the symbol of a rock of 1 kg; it grows with the cube root of the mass, as the rock does.
SYMBOL_MM = 0.12
SMALLEST_MM, LARGEST_MM = 0.8, 4.0


def style_deposits(layer: QgsVectorLayer, mass_field: str) -> None:
    """Points as large as the rock is, in proportion; the legend shows three masses."""
    symbol = QgsMarkerSymbol.createSimple(
        {"name": "hexagon", "color": "#7f5539", "outline_color": "#2b1a0f", "outline_width": "0.1", "size": "1.2"}
    )
    size = f'clamp({SMALLEST_MM}, {SYMBOL_MM} * ("{mass_field}" ^ (1.0/3.0)), {LARGEST_MM})'
    symbol.symbolLayer(0).setDataDefinedProperty(
        QgsSimpleMarkerSymbolLayer.Property.PropertySize, QgsProperty.fromExpression(size)
    )
    renderer = QgsSingleSymbolRenderer(symbol)
    legend = QgsDataDefinedSizeLegend()
    legend.setTitle(tr("mass"))
    legend.setLegendType(QgsDataDefinedSizeLegend.LegendType.LegendSeparated)
    masses = ((300.0, "300 kg"), (3000.0, "3 t"), (30000.0, "30 t"))
    legend.setClasses([QgsDataDefinedSizeLegend.SizeClass(_diameter(mass), text) for mass, text in masses])
    legend.setSymbol(symbol.clone())
    renderer.setDataDefinedSizeLegend(legend)
    layer.setRenderer(renderer)
    _in_3d(layer, _sphere_3d)


def _diameter(mass_kg: float) -> float:
    return min(max(SYMBOL_MM * mass_kg ** (1 / 3), SMALLEST_MM), LARGEST_MM)


def style_line(layer: QgsVectorLayer) -> None:
    """A barrier or recording line: bold, pale border, so that it stands out on any map."""
    symbol = QgsLineSymbol.createSimple({"line_color": "#ffffff", "line_width": "1.1", "capstyle": "round"})
    symbol.appendSymbolLayer(QgsSimpleLineSymbolLayer(QColor("#1f3a93"), 0.6))
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


#: A moment of the map's clock in seconds: rocks start at midnight and run for less than a quarter of an hour. The remainder
#: within the quarter is the same in every time zone. All rocks are shown while the clock is off.
CLOCK = "coalesce(epoch({}) % 900000, {}) / 1000"


def style_moving(layer: QgsVectorLayer, field: str, classes: Classes) -> None:
    """Points coloured by a number, and of these only what the time slider asks for (all while it is off).

    A filter on `time_s` rather than temporal settings by expression: QGIS would compute the latter for every point, once to
    learn the time span and again for every frame, in the main thread.
    """
    root = QgsRuleBasedRenderer.Rule(None)
    begin, end = CLOCK.format("@map_start_time", 0), CLOCK.format("@map_end_time", 1e9)
    now = QgsRuleBasedRenderer.Rule(None)
    now.setFilterExpression(f'"time_s" >= {begin} AND "time_s" < {end}')
    now.setLabel(tr("velocity"))
    root.appendChild(now)
    bounds = [0.0, *classes.limits]
    for number, (low, colour, label) in enumerate(zip(bounds, classes.colours, classes.labels())):
        symbol = QgsMarkerSymbol.createSimple(
            {"color": colour, "size": "2.2", "outline_color": "#1a1a1a", "outline_width": "0.15"}
        )
        rule = QgsRuleBasedRenderer.Rule(symbol)
        upper = f' AND "{field}" <= {bounds[number + 1]}' if number + 1 < len(bounds) else ""
        rule.setFilterExpression(f'"{field}" {">" if number else ">="} {low}{upper}')
        rule.setLabel(label)
        now.appendChild(rule)
    layer.setRenderer(QgsRuleBasedRenderer(root))
    _in_3d(layer, _sphere_3d)


def style_zone_polygons(layer: QgsVectorLayer, zones: list[Zone]) -> None:
    """Intensity or hazard zones, the most severe first; every class of the scheme is in the legend, as on an official map."""
    if not zones:  # a run folder without its scheme: what the engine wrote at each polygon
        found = {(f["class"], str(f["name"]), str(f["colour"])) for f in layer.getFeatures()}
        zones = [Zone(value, name, name, colour, name.startswith("residual")) for value, name, colour in sorted(found)]
    categories = []
    for zone in reversed(zones):
        edge = QColor(zone.colour).darker(170).name()
        categories.append(QgsRendererCategory(zone.value, zone_symbol(zone, edge), zone.label))
    layer.setRenderer(QgsCategorizedSymbolRenderer("class", categories))
    layer.setOpacity(0.75)


def zone_symbol(zone: Zone, edge: str) -> QgsFillSymbol:
    """The colour of a zone; the residual zone is hatched on white, and the map shows through."""
    outline = {"outline_color": edge, "outline_width": "0.15"}
    if not zone.hatched:
        return QgsFillSymbol.createSimple({"color": zone.colour, **outline})
    hatch = QgsLinePatternFillSymbolLayer()
    hatch.setLineAngle(45)
    hatch.setDistance(1.6)
    hatch.setSubSymbol(QgsLineSymbol.createSimple({"line_color": zone.colour, "line_width": "0.8"}))
    symbol = QgsFillSymbol.createSimple({"color": "255,255,255,120", **outline})
    symbol.appendSymbolLayer(hatch)
    return symbol
