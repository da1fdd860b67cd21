"""The pages of the panel: what the user chooses, and back again as plain values for the project."""

from __future__ import annotations

from typing import Any

from qgis.core import QgsFieldProxyModel, QgsMapLayer, QgsMapLayerProxyModel, QgsProject
from qgis.gui import QgsFieldComboBox, QgsFileWidget, QgsMapLayerComboBox
from qgis.PyQt.QtCore import QSize, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent
from qgis.PyQt.QtWidgets import (
    QCheckBox,
    QComboBox,
    QDoubleSpinBox,
    QFormLayout,
    QLabel,
    QLineEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from .. import presets
from ..documents import edited_numbers, row_of
from ..i18n import tr
from .buttons import ButtonRows

Filter = QgsMapLayerProxyModel.Filter
#: Below this width (pixels) labels stand above their fields.
NARROW = 360


class Page(QWidget):
    """Fields by name; `values` and `restore` are what is kept in the QGIS project."""

    changed = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        self.fields: dict[str, QWidget] = {}
        self.captions: list[QLabel] = []
        self.form = QFormLayout()
        self.form.setFieldGrowthPolicy(QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        outer = QVBoxLayout(self)
        outer.addLayout(self.form)
        outer.addStretch(1)
        self.outer = outer

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow panel a label stands above its field, so that neither is cut off."""
        policy, narrow = QFormLayout.RowWrapPolicy, self.width() < NARROW
        self.form.setRowWrapPolicy(policy.WrapAllRows if narrow else policy.DontWrapRows)
        room = self.width() - 24 if narrow else self.width() * 9 // 20
        for caption in self.captions:
            # Left alone, a label that may wrap does so long before it must.
            caption.setFixedWidth(min(room, caption.fontMetrics().horizontalAdvance(caption.text()) + 2))
        super().resizeEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def layer(self, name: str, label: str, kinds: Any, optional: bool = True) -> QgsMapLayerComboBox:
        box = QgsMapLayerComboBox()
        box.setFilters(kinds)
        box.setAllowEmptyLayer(optional)
        if optional:
            box.setLayer(None)
        box.layerChanged.connect(self.changed)
        return self._add(name, label, box)

    def attribute(self, name: str, label: str, of: QgsMapLayerComboBox, numeric: bool = False) -> QgsFieldComboBox:
        box = QgsFieldComboBox()
        box.setAllowEmptyFieldName(True)
        if numeric:
            box.setFilters(QgsFieldProxyModel.Filter.Numeric)
        box.setLayer(of.currentLayer())
        of.layerChanged.connect(box.setLayer)
        box.fieldChanged.connect(self.changed)
        return self._add(name, label, box)

    def number(
        self, name: str, label: str, value: float, low: float, high: float, unit: str = "", decimals: int = 2
    ) -> QDoubleSpinBox:
        box = QDoubleSpinBox()
        box.setDecimals(decimals)
        box.setRange(low, high)
        box.setValue(value)
        box.setSuffix(f" {unit}" if unit else "")
        box.valueChanged.connect(self.changed)
        return self._add(name, label, box)

    def whole(self, name: str, label: str, value: int, low: int, high: int) -> QSpinBox:
        box = QSpinBox()
        box.setRange(low, high)
        box.setValue(value)
        box.valueChanged.connect(self.changed)
        return self._add(name, label, box)

    def choice(self, name: str, label: str, entries: list[tuple[str, Any]]) -> QComboBox:
        box = QComboBox()
        for text, data in entries:
            box.addItem(text, data)
        box.currentIndexChanged.connect(self.changed)
        return self._add(name, label, box)

    def text(self, name: str, label: str, value: str = "") -> QLineEdit:
        box = QLineEdit(value)
        box.editingFinished.connect(self.changed)
        return self._add(name, label, box)

    def _add(self, name: str, label: str, box: Any) -> Any:
        box.setObjectName(name)
        self.fields[name] = box
        # A long entry must not make the panel wider than it is.
        box.setMinimumWidth(90)
        if isinstance(box, QComboBox):
            box.setSizeAdjustPolicy(QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(8)
        caption = QLabel(label)
        caption.setWordWrap(True)
        caption.setBuddy(box)
        self.captions.append(caption)
        self.form.addRow(caption, box)
        return box

    def values(self) -> dict[str, Any]:
        return {name: _value(box) for name, box in self.fields.items()}

    def restore(self, values: dict[str, Any]) -> None:
        for name, box in self.fields.items():
            if name in values:
                _set(box, values[name])


def _value(box: QWidget) -> Any:
    if isinstance(box, QgsMapLayerComboBox):
        layer = box.currentLayer()
        return layer.id() if layer is not None else None
    if isinstance(box, QgsFieldComboBox):
        return box.currentField() or None
    if isinstance(box, QgsFileWidget):
        return box.filePath() or None
    if isinstance(box, QComboBox):
        return box.currentData()
    if isinstance(box, QLineEdit):
        return box.text().strip()
    if isinstance(box, QCheckBox):
        return box.isChecked()
    return box.value()  # type: ignore[attr-defined]


def _set(box: QWidget, value: Any) -> None:
    if isinstance(box, QgsMapLayerComboBox):
        layer = QgsProject.instance().mapLayer(value) if value else None
        if layer is not None or box.allowEmptyLayer():
            box.setLayer(layer)
    elif isinstance(box, QgsFieldComboBox):
        box.setField(value or "")
    elif isinstance(box, QgsFileWidget):
        box.setFilePath(value or "")
    elif isinstance(box, QComboBox):
        box.setCurrentIndex(max(0, box.findData(value)))
    elif isinstance(box, QLineEdit):
        box.setText(value or "")
    elif isinstance(box, QCheckBox):
        box.setChecked(bool(value))
    elif value is not None:
        box.setValue(value)  # type: ignore[attr-defined]


class SitePage(Page):
    """Elevation, where rocks start, barriers and recording lines; two buttons to draw."""

    draw = pyqtSignal(str)
    prepare = pyqtSignal()
    open_project = pyqtSignal()
    find_release = pyqtSignal()

    def __init__(self) -> None:
        super().__init__()
        vector = Filter.VectorLayer
        self.layer("dem", tr("Elevation model (DEM)"), Filter.RasterLayer, optional=False)
        release = self.layer("release", tr("Release areas"), vector)
        self._buttons(
            (tr("Draw release area"), lambda: self.draw.emit("release")), (tr("Find steep areas…"), self.find_release.emit)
        )
        self.attribute("size_attribute", tr("Attribute with the rock size"), release, numeric=True)
        self.attribute("frequency_attribute", tr("Attribute with rocks per year"), release, numeric=True)
        self.layer("barriers", tr("Barriers"), Filter.LineLayer)
        self._buttons((tr("Draw barrier"), lambda: self.draw.emit("barriers")))
        self.number("barrier_height", tr("Barrier height"), 4.0, 0.1, 100.0, "m", 1)
        self.number("barrier_capacity", tr("Barrier capacity"), 1000.0, 1.0, 1e6, "kJ", 0)
        self.layer("lines", tr("Recording lines (roads …)"), Filter.LineLayer)
        self._buttons((tr("Prepare project area…"), self.prepare.emit), (tr("Open project file…"), self.open_project.emit))

    def _buttons(self, *buttons: tuple[str, Any]) -> None:
        self.form.addRow(ButtonRows(*buttons))

    def layer_named(self, name: str) -> QgsMapLayer | None:
        return self.fields[name].currentLayer()  # type: ignore[attr-defined]


class RocksPage(Page):
    def __init__(self) -> None:
        super().__init__()
        self.choice("shape", tr("Rock shape"), [(name.replace("_", " "), name) for name in presets.shapes()])
        self.fields["shape"].setCurrentIndex(presets.shapes().index(presets.USUAL_SHAPE))
        cloud = QgsFileWidget()
        cloud.setFilter(tr("Point clouds (*.xyz *.csv *.stl *.obj *.ply)"))
        cloud.fileChanged.connect(self.changed)
        self._add("point_cloud", tr("… or a point cloud"), cloud)
        self.choice("size_key", tr("Size is a"), [(tr("volume (m³)"), "volume_m3"), (tr("mass (kg)"), "mass_kg")])
        self.number("size", tr("Rock size"), 1.0, 1e-6, 1e7, "", 3)
        self.number("density", tr("Rock density"), 2700.0, 100.0, 10000.0, "kg/m³", 0)
        self.whole("rocks_per_position", tr("Rocks per release position"), 10, 1, 10_000_000)
        self.number("spacing", tr("Spacing of release positions (0: every DEM cell)"), 0.0, 0.0, 1e5, "m", 1)
        self.number("min_slope", tr("Only where steeper than (0: everywhere)"), 0.0, 0.0, 89.0, "°", 0)
        self.number("release_height", tr("Release height above ground"), 0.5, 0.0, 1000.0, "m", 2)


class GroundPage(Page):
    """Presets whose numbers are visible and may be changed."""

    def __init__(self) -> None:
        super().__init__()
        self.form.addRow(QLabel(f"<b>{tr('Ground')}</b>"))
        ground = self.choice("ground_default", tr("Where no polygon says otherwise"), _names(presets.ground()))
        self.number("mu_min", tr("Friction μ min"), 0, 0.0, 10.0, "", 3)
        self.number("mu_max", tr("Friction μ max"), 0, 0.0, 10.0, "", 3)
        self.number("beta_per_s", tr("β, how fast friction recovers"), 0, 0.0, 1e5, "1/s", 1)
        self.number("kappa_per_m", tr("κ, how fast friction grows"), 0, 0.0, 1e4, "1/m", 3)
        layer = self.layer("ground", tr("Ground polygons"), Filter.PolygonLayer)
        self.attribute("ground_attribute", tr("Ground class attribute"), layer)
        self.form.addRow(QLabel(f"<b>{tr('Forest')}</b>"))
        forest = self.choice("forest_default", tr("Where no polygon says otherwise"), _names(presets.forest()))
        self.number("drag_kg_s", tr("Drag"), 0, 0.0, 1e6, "kg/s", 0)
        self.number("height_m", tr("Height of the trees"), 0, 0.0, 150.0, "m", 1)
        layer = self.layer("forest", tr("Forest polygons"), Filter.PolygonLayer)
        self.attribute("forest_attribute", tr("Forest class attribute"), layer)
        ground.activated.connect(lambda _index: self._show(presets.ground(), "ground_default"))
        forest.activated.connect(lambda _index: self._show(presets.forest(), "forest_default"))
        ground.setCurrentIndex(ground.findData("medium"))
        self.show_presets()

    def show_presets(self) -> None:
        self._show(presets.ground(), "ground_default")
        self._show(presets.forest(), "forest_default")

    def adopt(self, tables: dict[str, Any]) -> bool:
        """Takes the engine's own table; numbers the user did not change follow it."""
        values = self.values()
        plain = {
            box: edited_numbers(values, table(), box) is None
            for box, table in (("ground_default", presets.ground), ("forest_default", presets.forest))
        }
        if not presets.adopt(tables):
            return False
        for box, table in (("ground_default", presets.ground()), ("forest_default", presets.forest())):
            choice: QComboBox = self.fields[box]  # type: ignore[assignment]
            before = choice.currentData()
            choice.blockSignals(True)
            choice.clear()
            for text, name in _names(table):
                choice.addItem(text, name)
            choice.setCurrentIndex(max(0, choice.findData(before)))
            choice.blockSignals(False)
            if plain[box]:
                self._show(table, box)
        return True

    def _show(self, table: list[dict[str, Any]], choice: str) -> None:
        row = row_of(table, _value(self.fields[choice]))
        for key, number in row.items():
            if key in self.fields:
                _set(self.fields[key], number)


class RunPage(Page):
    def __init__(self) -> None:
        super().__init__()
        self.text("title", tr("Title"))
        self.whole("seed", tr("Seed"), 1, 0, 2_000_000_000)
        schemes = [(tr("none"), None), *((name, name) for name in presets.schemes())]
        self.choice("scheme", tr("Hazard classification"), schemes)
        self.number("points_every", tr("Points for animation every (0: none)"), 0.0, 0.0, 60.0, "s", 2)
        folder = QgsFileWidget()
        folder.setStorageMode(QgsFileWidget.StorageMode.GetDirectory)
        folder.fileChanged.connect(self.changed)
        self._add("runs", tr("Folder of the runs"), folder)


def _names(table: list[dict[str, Any]]) -> list[tuple[str, str]]:
    return [(row["name"].replace("_", " "), row["name"]) for row in table]
