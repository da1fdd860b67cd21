"""Fields as parameters of algorithms, and what the user gave for them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from qgis import core

from .. import fields
from ..export import crs_text, vector_file
from ..fields import Field
from ..i18n import tr

Types = core.QgsProcessing.SourceType
#: Kinds of fields that are features, by their geometry.
FEATURES = {"point": Types.TypeVectorPoint, "line": Types.TypeVectorLine, "polygon": Types.TypeVectorPolygon,
            "any": Types.TypeVectorAnyGeometry}  # fmt: skip
LISTS = {"rasters": Types.TypeRaster, "layers": Types.TypeMapLayer, "files": Types.TypeFile}
OUTPUTS = {"made_file": core.QgsProcessingOutputFile, "made_folder": core.QgsProcessingOutputFolder,
           "made_text": core.QgsProcessingOutputString}  # fmt: skip
#: How Processing reads each kind: `parameterAs…`.
READ_AS = {
    **dict.fromkeys(FEATURES, "Source"), "rasters": "LayerList", "layers": "LayerList", "files": "FileList",
    "raster": "RasterLayer", "layer": "Layer", "vector": "VectorLayer", "attribute": "String", "numeric": "String",
    "attributes": "Fields", "number": "Double", "whole": "Int", "choice": "Enum", "several": "Enums", "text": "String",
    "flag": "Bool", "crs": "Crs", "extent": "Extent", "file": "File", "run": "String", "new_folder": "FileOutput",
    "new_page": "FileOutput", "new_file": "FileOutput",
}  # fmt: skip
#: Kinds that are files and folders.
PATHS = ("file", "run", "new_folder", "new_page", "new_file")
#: Fields of the panel that the toolbox leaves empty for nothing.
EMPTY = ("spacing_m", "min_slope_deg", "points_every_s", "roughness_height_m")


def parameter(field: Field) -> Any:
    """A parameter or output of the toolbox."""
    key, label = field.key, tr(field.label) + (f" ({field.unit})" if field.unit else "")
    if field.kind in OUTPUTS:
        return OUTPUTS[field.kind](key, label)
    made = _made(field, key, label)
    made.setHelp(tr(field.tip))
    if field.expert:
        made.setFlags(made.flags() | core.QgsProcessingParameterDefinition.Flag.FlagAdvanced)
    return made


def _made(field: Field, key: str, label: str) -> Any:
    optional, kind = not field.required, field.kind
    if kind in FEATURES:
        return core.QgsProcessingParameterFeatureSource(key, label, [FEATURES[kind]], optional=optional)
    if kind in LISTS:
        return core.QgsProcessingParameterMultipleLayers(key, label, LISTS[kind], optional=optional)
    if kind in ("number", "whole"):
        kinds = core.QgsProcessingParameterNumber.Type
        default = None if field.name in EMPTY else field.default
        type_ = kinds.Integer if kind == "whole" else kinds.Double
        found = core.QgsProcessingParameterNumber(key, label, type_, default, default is None, field.least)
        if field.most is not None:
            found.setMaximum(field.most)
        return found
    if kind in ("choice", "several"):
        values = [value for _, value in field.entries()]
        chosen = values.index(field.default) if field.default in values else 0
        table = {"ground_default": "ground", "forest_default": "forest"}.get(field.name)
        texts = fields.presets.labels(table) if table else [text for text, _ in field.entries()]
        return core.QgsProcessingParameterEnum(key, label, texts, kind == "several", [chosen] if kind == "several" else chosen)
    if kind in ("attribute", "numeric", "attributes"):
        of = fields.BY_NAME[field.of].key if field.of in fields.BY_NAME else field.of
        types = core.QgsProcessingParameterField.DataType
        numbers, several = (types.Numeric, True) if kind == "attributes" else (types.Any, False)
        return core.QgsProcessingParameterField(key, label, None, of, numbers, several, optional=True)
    if kind in ("file", "run"):
        kinds = core.QgsProcessingParameterFile.Behavior
        behaviour = kinds.Folder if kind == "run" else kinds.File
        return core.QgsProcessingParameterFile(key, label, behaviour, fileFilter=tr(field.filter), optional=kind == "file")
    if kind == "new_folder":
        # A folder that may be left out is not made unasked.
        asked = field.default is None
        return core.QgsProcessingParameterFolderDestination(key, label, optional=not asked, createByDefault=asked)
    if kind == "new_file":
        return core.QgsProcessingParameterFileDestination(key, label, field.filter, optional=True, createByDefault=False)
    if kind == "new_page":
        return core.QgsProcessingParameterFileDestination(key, label, tr("Web page (*.html)"))
    if kind in ("new_polygons", "new_table"):
        type_ = Types.TypeVectorPolygon if kind == "new_polygons" else Types.TypeVector
        return core.QgsProcessingParameterFeatureSink(key, label, type_)
    if kind == "vector":
        return core.QgsProcessingParameterVectorLayer(key, label, [FEATURES["any"]], optional=optional)
    if kind == "flag":
        return core.QgsProcessingParameterBoolean(key, label, field.default)
    if kind == "text":
        return core.QgsProcessingParameterString(key, label, tr(field.default) if field.default else None, optional=True)
    plain = {"raster": core.QgsProcessingParameterRasterLayer, "layer": core.QgsProcessingParameterMapLayer,
             "crs": core.QgsProcessingParameterCrs, "extent": core.QgsProcessingParameterExtent}  # fmt: skip
    return plain[kind](key, label, optional=optional)


class Values:
    """What the user gave, by the keys of the parameters."""

    def __init__(self, algorithm: Any, parameters: dict[str, Any], context: core.QgsProcessingContext) -> None:
        self.algorithm, self.parameters, self.context = algorithm, parameters, context
        self.fields = {field.key: field for field in fields.of_tool(algorithm.ID) if field.kind not in OUTPUTS}

    def read(self, kind: str, key: str) -> Any:
        return getattr(self.algorithm, f"parameterAs{kind}")(self.parameters, key, self.context)

    def __getitem__(self, key: str) -> Any:
        """Numbers, texts, layers, paths, the value of a choice; None for what was left empty."""
        field = self.fields[key]
        definition = self.algorithm.parameterDefinition(key)
        if field.kind in ("number", "whole") and self.parameters.get(key) is None and definition.defaultValue() is None:
            return None
        found = self.read(READ_AS[field.kind], key)
        if field.kind in PATHS:
            # As the shell means it: qgis_process is given relative paths, and the engine may run elsewhere.
            return Path(os.path.abspath(Path(found).expanduser())) if found else None
        if field.kind == "choice":
            return field.entries()[found][1]
        if field.kind == "several":
            return [field.entries()[number][1] for number in found]
        return found.strip() if isinstance(found, str) else found

    def options(self, folder: Path) -> list[str]:
        """Engine's options of everything that was given; features are written to `folder`."""
        found: list[str] = []
        for key, field in self.fields.items():
            value = self[key] if field.option else None
            if field.kind == "crs" and value is not None:
                value = crs_text(value) if value.isValid() else None
            if value is None or value is False or value == "":
                continue
            if field.kind in FEATURES:
                value = vector_file(value, folder, key.lower())
            text = f"{value:.15g}" if field.kind == "number" else str(value)
            found += [field.option] if value is True else [field.option, text]
        return found
