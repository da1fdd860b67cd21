"""How a comparison looks: diverging maps centred on zero, a group in the layer tree, a page with tables."""

from __future__ import annotations

import html
from pathlib import Path

from qgis.core import (
    QgsColorRampShader,
    QgsLayerTreeGroup,
    QgsProject,
    QgsRasterLayer,
    QgsRasterShader,
    QgsSingleBandPseudoColorRenderer,
)
from qgis.PyQt.QtGui import QColor

from . import layers, results, styles
from .comparison import Comparison
from .i18n import tr

#: Limits on either side of zero, by the beginning of the layer's name; reach in shares of 1.
LIMITS: tuple[tuple[str, tuple[float, float, float, float]], ...] = (
    ("kinetic_energy", (10, 30, 100, 300)),
    ("velocity", (0.5, 2, 5, 10)),
    ("jump_height", (0.25, 0.5, 1, 2)),
    ("rotation", (0.25, 0.5, 1, 2)),
    ("reach_probability", (0.001, 0.01, 0.05, 0.1)),
    ("frequency_above", (1 / 1000, 1 / 300, 1 / 100, 1 / 30)),
    ("energy_line_angle", (0.5, 1, 2, 5)),
    ("passages", (1, 5, 20, 100)),
    ("deposits", (1, 5, 20, 100)),
)
#: Purple: less in the second run, orange to brown: more; told apart with every colour vision deficiency (PuOr of ColorBrewer).
COLOURS = ("#2d004b", "#542788", "#8073ac", "#b2abd2", "#f7f7f7", "#fdb863", "#e08214", "#b35806", "#7f3b08")
SHOWN = "difference_kinetic_energy_kj_p95"


def title_of(stem: str) -> str:
    return tr("Difference: {}").format(layers.title_of(stem[len("difference_") :]))


def style(layer: QgsRasterLayer, stem: str) -> None:
    name = stem[len("difference_") :]
    limits = next((limits for start, limits in LIMITS if name.startswith(start)), (0.1, 1, 10, 100))
    classes = styles.classes_for(name)
    percent = classes is not None and classes.percent
    unit = "%" if percent else tr(classes.unit) if classes is not None and classes.unit else ""
    factor = 100.0 if percent else 1.0
    upper = [*(-limit for limit in reversed(limits)), *limits, float("inf")]

    def text(value: float) -> str:
        return f"{value * factor:+.3g}".replace("-", "−")

    labels = [f"< {text(upper[0])} {unit}"]
    labels += [f"{text(low)} – {text(high)} {unit}" for low, high in zip(upper, upper[1:-1])]
    labels.append(f"> {text(upper[-2])} {unit}")
    labels[len(limits)] = tr("about the same (± {:.3g} {})").format(limits[0] * factor, unit)
    function = QgsColorRampShader(-limits[-1], limits[-1])
    function.setColorRampType(QgsColorRampShader.Type.Discrete)
    items = []
    for limit, colour, label in zip(upper, COLOURS, labels):
        shade = QColor(colour)
        # Ground where nothing changed stays readable below.
        shade.setAlpha(110 if limit == limits[0] else 230)
        items.append(QgsColorRampShader.ColorRampItem(limit, shade, label.strip()))
    function.setColorRampItemList(items)
    shader = QgsRasterShader()
    shader.setRasterShaderFunction(function)
    renderer = QgsSingleBandPseudoColorRenderer(layer.dataProvider(), 1, shader)
    renderer.setClassificationMin(-limits[-1])
    renderer.setClassificationMax(limits[-1])
    layer.setRenderer(renderer)


def load(found: Comparison, project: QgsProject | None) -> QgsLayerTreeGroup | None:
    """Styles the maps and saves the styles beside them; with a project they join it in a group of their own."""
    group: QgsLayerTreeGroup | None = None
    if project is not None:
        title = tr("Comparison: {} → {}").format(found.first.name, found.second.name)
        group = project.layerTreeRoot().insertGroup(0, results.unused_name(title, project))
        group.setExpanded(True)
    inner: dict[str, QgsLayerTreeGroup] = {}
    for variant, file in found.rasters:
        layer = QgsRasterLayer(str(file), title_of(file.stem))
        if not layer.isValid():
            continue
        style(layer, file.stem)
        styles.save(layer, file)
        if project is None or group is None:
            continue
        if variant and variant not in inner:
            inner[variant] = group.addGroup(variant)
        project.addMapLayer(layer, False)
        node = inner.get(variant, group).addLayer(layer)
        node.setItemVisibilityChecked(file.stem == SHOWN)
        node.setExpanded(file.stem == SHOWN)
    return group


def page(found: Comparison) -> str:
    """Tables: what differs in the projects, and the key figures side by side."""

    def table(rows: list[tuple[str, str, str]]) -> str:
        heads = "".join(f"<th align='left'>{html.escape(t)}</th>" for t in ("", "A", "B"))
        body = "".join("<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in rows)
        return f"<table border='1' cellspacing='0' cellpadding='3'><tr>{heads}</tr>{body}</table>"

    first, second = (f"{run.title} ({run.folder})" for run in (found.first, found.second))
    notes = [
        *found.notes,
        tr(
            "Maps show B − A. Where only one run has rocks, the other counts as 0; where neither has, there is no value. "
            "Quantiles of few rocks differ by chance: compare runs with many rocks, or with the same seed."
        ),
    ]
    differs = table(found.parameters) if found.parameters else f"<p>{html.escape(tr('The projects are the same.'))}</p>"
    return (
        f"<h2>{html.escape(tr('Compare runs'))}</h2><p><b>A</b>: {html.escape(first)}<br><b>B</b>: {html.escape(second)}</p>"
        f"<h3>{html.escape(tr('Key figures'))}</h3>{table(found.figures)}"
        f"<h3>{html.escape(tr('What differs in the projects'))}</h3>{differs}"
        + "".join(f"<p>{html.escape(note)}</p>" for note in notes)
    )


def write_page(found: Comparison) -> Path:
    file = found.folder / "comparison.html"
    title = html.escape(tr("Compare runs"))
    head = f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}</title></head>'
    file.write_text(f"{head}<body style='font-family:sans-serif;margin:2em'>{page(found)}</body></html>\n", encoding="utf-8")
    return file
