"""The pages of the panel, made of the table of fields; what the user chooses, and back again, as plain values."""

from __future__ import annotations

from typing import Any

from qgis import gui
from qgis.core import QgsFieldProxyModel, QgsMapLayerProxyModel, QgsProject
from qgis.PyQt import QtWidgets
from qgis.PyQt.QtCore import QSize, pyqtSignal
from qgis.PyQt.QtGui import QResizeEvent

from .. import fields, presets
from ..i18n import tr
from .widgets import ButtonRows

Filter = QgsMapLayerProxyModel.Filter
LAYERS = {"raster": Filter.RasterLayer, "any": Filter.HasGeometry, "line": Filter.LineLayer, "polygon": Filter.PolygonLayer}
#: Below this width (pixels) labels stand above their fields.
NARROW = 380


class Page(QtWidgets.QWidget):
    """Fields by name; `values` and `restore` are what is kept in the QGIS project."""

    changed = pyqtSignal()

    def __init__(self, name: str, layers: dict[str, gui.QgsMapLayerComboBox]) -> None:
        super().__init__()
        self.fields: dict[str, Any] = {}
        self.captions: dict[str, QtWidgets.QLabel] = {}
        self.layers = layers
        self.form, self.expert_form = self._form(), self._form()
        self.outer = QtWidgets.QVBoxLayout(self)
        self.outer.addLayout(self.form)
        own = [field for field in fields.FIELDS if field.page == name]
        for field in own:
            self._add(field, self._made(field))
        if any(field.expert for field in own):
            self.fold = gui.QgsCollapsibleGroupBoxBasic(tr("For experts"))
            self.fold.setObjectName("experts")
            self.fold.setCollapsed(True)
            self.fold.setLayout(self.expert_form)
            self.outer.addWidget(self.fold)
        self.outer.addStretch(1)

    @staticmethod
    def _form() -> QtWidgets.QFormLayout:
        form = QtWidgets.QFormLayout()
        form.setFieldGrowthPolicy(QtWidgets.QFormLayout.FieldGrowthPolicy.AllNonFixedFieldsGrow)
        return form

    def after(self, name: str, *widgets: QtWidgets.QWidget) -> None:
        """Puts widgets below a field."""
        row, _role = self.form.getWidgetPosition(self.fields[name])
        for number, widget in enumerate(widgets, 1):
            self.form.insertRow(row + number, widget)

    def buttons(self, name: str, *buttons: tuple[str, Any]) -> None:
        self.after(name, ButtonRows(*buttons))

    def resizeEvent(self, event: QResizeEvent) -> None:
        """In a narrow panel a label stands above its field, so that neither is cut off."""
        policy, narrow = QtWidgets.QFormLayout.RowWrapPolicy, self.width() < NARROW
        room = self.width() - 24 if narrow else self.width() * 9 // 20
        for form in (self.form, self.expert_form):
            form.setRowWrapPolicy(policy.WrapAllRows if narrow else policy.DontWrapRows)
        for caption in self.captions.values():
            # Left alone, a label that may wrap does so long before it must. Themes pad labels.
            needed = caption.fontMetrics().boundingRect(caption.text()).width() + 12
            caption.setFixedWidth(min(room, needed))
            caption.setMinimumHeight(caption.heightForWidth(min(room, needed)))
        super().resizeEvent(event)

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())

    def _made(self, field: fields.Field) -> Any:
        if field.kind in LAYERS:
            box = gui.QgsMapLayerComboBox()
            box.setFilters(LAYERS[field.kind])
            # Nothing is chosen unasked: the first raster of a project may be a result.
            box.setAllowEmptyLayer(True)
            box.setLayer(None)
            box.layerChanged.connect(self.changed)
            self.layers[field.name] = box
        elif field.kind in ("attribute", "numeric"):
            box = gui.QgsFieldComboBox()
            box.setAllowEmptyFieldName(True)
            if field.kind == "numeric":
                box.setFilters(QgsFieldProxyModel.Filter.Numeric)
            of = self.layers[field.of]
            box.setLayer(of.currentLayer())
            of.layerChanged.connect(box.setLayer)
            box.fieldChanged.connect(self.changed)
        elif field.kind in ("number", "whole"):
            box = QtWidgets.QDoubleSpinBox() if field.kind == "number" else QtWidgets.QSpinBox()
            if field.kind == "number":
                box.setDecimals(field.decimals)
            box.setRange(*((field.least, field.most) if field.kind == "number" else (int(field.least), int(field.most))))
            box.setSuffix(f" {field.unit}" if field.unit else "")
            box.setValue(field.default)
            box.valueChanged.connect(self.changed)
        elif field.kind == "choice":
            box = QtWidgets.QComboBox()
            _fill(box, field)
            box.currentIndexChanged.connect(self.changed)
        elif field.kind == "text":
            box = QtWidgets.QLineEdit()
            box.editingFinished.connect(self.changed)
        else:
            box = gui.QgsFileWidget()
            modes = gui.QgsFileWidget.StorageMode
            box.setStorageMode(modes.GetDirectory if field.kind == "folder" else modes.GetFile)
            box.fileChanged.connect(self.changed)
        return box

    def _add(self, field: fields.Field, box: Any) -> None:
        box.setObjectName(field.name)
        self.fields[field.name] = box
        # A long entry must not make the panel wider than it is.
        box.setMinimumWidth(90)
        if isinstance(box, QtWidgets.QComboBox):
            box.setSizeAdjustPolicy(QtWidgets.QComboBox.SizeAdjustPolicy.AdjustToMinimumContentsLengthWithIcon)
            box.setMinimumContentsLength(8)
        caption = QtWidgets.QLabel(tr(field.label))
        caption.setWordWrap(True)
        caption.setBuddy(box)
        for widget in (caption, box):
            widget.setToolTip(tr(field.tip))
        self.captions[field.name] = caption
        (self.expert_form if field.expert else self.form).addRow(caption, box)

    def values(self) -> dict[str, Any]:
        return {name: value_of(box) for name, box in self.fields.items()}

    def restore(self, values: dict[str, Any]) -> None:
        for name, box in self.fields.items():
            if name in values:
                set_value(box, values[name])

    def grey(self, ignored: set[str]) -> None:
        """What counts for nothing now is greyed out."""
        for name, box in self.fields.items():
            box.setEnabled(name not in ignored)
            self.captions[name].setEnabled(name not in ignored)


class GroundPage(Page):
    """Presets whose numbers are visible and may be changed."""

    def __init__(self, name: str, layers: dict[str, gui.QgsMapLayerComboBox]) -> None:
        super().__init__(name, layers)
        for table in ("ground", "forest"):
            self.fields[f"{table}_default"].activated.connect(lambda _index, table=table: self.show_numbers(table))
            self.show_numbers(table)

    def adopt(self, found: dict[str, Any]) -> bool:
        """Takes the engine's own table; numbers the user did not change follow it."""
        values = self.values()
        plain = {table: _is_preset(values, table) for table in ("ground", "forest")}
        if not presets.adopt(found):
            return False
        for table, unchanged in plain.items():
            box: QtWidgets.QComboBox = self.fields[f"{table}_default"]
            before = box.currentData()
            box.blockSignals(True)
            _fill(box, fields.BY_NAME[f"{table}_default"])
            set_value(box, before)
            box.blockSignals(False)
            if unchanged:
                self.show_numbers(table)
        return True

    def show_numbers(self, table: str) -> None:
        for key, number in presets.row(table, value_of(self.fields[f"{table}_default"])).items():
            if key in self.fields:
                set_value(self.fields[key], number)


def _is_preset(values: dict[str, Any], table: str) -> bool:
    """Whether the numbers of a class are still those of the engine."""
    row = presets.row(table, values[f"{table}_default"])
    return all(abs(values[key] - number) < 1e-9 for key, number in row.items() if key in values)


def _fill(box: QtWidgets.QComboBox, field: fields.Field) -> None:
    box.clear()
    for text, data in field.entries():
        box.addItem(text, data)
    set_value(box, field.default)


def defaults() -> dict[str, Any]:
    """What the panel shows in a new project."""
    values = {field.name: field.default for field in fields.FIELDS}
    for table in ("ground", "forest"):
        row = presets.row(table, values[f"{table}_default"])
        values.update({key: number for key, number in row.items() if key in values})
    return {**values, "scenarios": []}


def value_of(box: Any) -> Any:
    if isinstance(box, gui.QgsMapLayerComboBox):
        return box.currentLayer().id() if box.currentLayer() is not None else None
    if isinstance(box, gui.QgsFieldComboBox):
        return box.currentField() or None
    if isinstance(box, gui.QgsFileWidget):
        return box.filePath() or None
    if isinstance(box, QtWidgets.QComboBox):
        return box.currentData()
    return box.text().strip() if isinstance(box, QtWidgets.QLineEdit) else box.value()


def set_value(box: Any, value: Any) -> None:
    if isinstance(box, gui.QgsMapLayerComboBox):
        box.setLayer(QgsProject.instance().mapLayer(value) if value else None)
    elif isinstance(box, gui.QgsFieldComboBox):
        box.setField(value or "")
    elif isinstance(box, gui.QgsFileWidget):
        box.setFilePath(value or "")
    elif isinstance(box, QtWidgets.QComboBox):
        box.setCurrentIndex(max(0, box.findData(value)))
    elif isinstance(box, QtWidgets.QLineEdit):
        box.setText(str(value or ""))
    elif isinstance(value, (int, float)):
        box.setValue(int(value) if isinstance(box, QtWidgets.QSpinBox) else float(value))
