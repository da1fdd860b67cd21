"""Parameters of algorithms in a line each, and what the user gave for them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

from qgis import core

from ..errors import Unusable
from ..export import vector_file
from ..i18n import tr

POINT = core.QgsProcessing.SourceType.TypeVectorPoint
LINE = core.QgsProcessing.SourceType.TypeVectorLine
POLYGON = core.QgsProcessing.SourceType.TypeVectorPolygon
ANY_GEOMETRY = core.QgsProcessing.SourceType.TypeVectorAnyGeometry
RASTER = core.QgsProcessing.SourceType.TypeRaster


def number(
    key: str, words: str, value: float | None = None, least: float | None = None, most: float | None = None,
    whole: bool = False, tip: str = "",
) -> core.QgsProcessingParameterNumber:  # fmt: skip
    """Without a value it may be left empty."""
    kinds = core.QgsProcessingParameterNumber.Type
    made = core.QgsProcessingParameterNumber(
        key, words, kinds.Integer if whole else kinds.Double, value, optional=value is None
    )
    if least is not None:
        made.setMinimum(least)
    if most is not None:
        made.setMaximum(most)
    made.setHelp(tip)
    return made


def choice(key: str, words: str, names: list[str], chosen: int | list[int] = 0) -> core.QgsProcessingParameterEnum:
    """With a list of chosen ones several may be."""
    return core.QgsProcessingParameterEnum(key, words, names, allowMultiple=isinstance(chosen, list), defaultValue=chosen)


def text(key: str, words: str, value: str | None = None, tip: str = "") -> core.QgsProcessingParameterString:
    return _helped(core.QgsProcessingParameterString(key, words, value, optional=True), tip)


def flag(key: str, words: str, value: bool, tip: str = "") -> core.QgsProcessingParameterBoolean:
    return _helped(core.QgsProcessingParameterBoolean(key, words, value), tip)


def _helped(parameter: Any, tip: str) -> Any:
    parameter.setHelp(tip)
    return parameter


def load_results() -> core.QgsProcessingParameterBoolean:
    return flag("LOAD", tr("Load and style the results"), True)


def features(key: str, words: str, kind: Any, optional: bool = True) -> core.QgsProcessingParameterFeatureSource:
    return core.QgsProcessingParameterFeatureSource(key, words, [kind], optional=optional)


def attribute(key: str, words: str, of: str) -> core.QgsProcessingParameterField:
    return core.QgsProcessingParameterField(key, words, None, of, optional=True)


def many_layers(key: str, words: str, kind: Any, optional: bool = True) -> core.QgsProcessingParameterMultipleLayers:
    return core.QgsProcessingParameterMultipleLayers(key, words, kind, optional=optional)


def file(key: str, words: str, kinds: str = "", tip: str = "") -> core.QgsProcessingParameterFile:
    return _helped(core.QgsProcessingParameterFile(key, words, fileFilter=kinds, optional=True), tip)


def run_folder(key: str = "RUN", words: str = "") -> core.QgsProcessingParameterFile:
    return core.QgsProcessingParameterFile(
        key, words or tr("Run folder"), behavior=core.QgsProcessingParameterFile.Behavior.Folder
    )


def new_folder(key: str, words: str) -> core.QgsProcessingParameterFolderDestination:
    return core.QgsProcessingParameterFolderDestination(key, words)


def new_page(key: str, words: str) -> core.QgsProcessingParameterFileDestination:
    return core.QgsProcessingParameterFileDestination(key, words, tr("Web page (*.html)"))


def advanced(parameter: core.QgsProcessingParameterDefinition) -> core.QgsProcessingParameterDefinition:
    flag = core.QgsProcessingParameterDefinition.Flag.FlagAdvanced
    parameter.setFlags(parameter.flags() | flag)
    return parameter


class Values:
    """What the user gave."""

    def __init__(
        self, algorithm: core.QgsProcessingAlgorithm, parameters: dict[str, Any], context: core.QgsProcessingContext
    ) -> None:
        self.algorithm = algorithm
        self.parameters = parameters
        self.context = context

    def _as(self, kind: str, key: str) -> Any:
        return getattr(self.algorithm, f"parameterAs{kind}")(self.parameters, key, self.context)

    def has(self, key: str) -> bool:
        return self.parameters.get(key) is not None

    def text(self, key: str) -> str:
        return self._as("String", key).strip()

    def number(self, key: str) -> float | None:
        """None if it was left empty."""
        definition = self.algorithm.parameterDefinition(key)
        return self._as("Double", key) if self.has(key) or definition.defaultValue() is not None else None

    def whole(self, key: str) -> int:
        return self._as("Int", key)

    def flag(self, key: str) -> bool:
        return self._as("Bool", key)

    def choice(self, key: str) -> int:
        return self._as("Enum", key)

    def choices(self, key: str) -> list[int]:
        return self._as("Enums", key)

    def path(self, key: str) -> Path:
        """A file or folder that is read."""
        return _absolute(self._as("String", key))

    def folder(self, key: str) -> Path | None:
        """A folder to write; None if it was not asked for."""
        name = self._as("FileOutput", key)
        return _absolute(name) if name else None

    def optional_path(self, key: str) -> Path | None:
        name = self._as("File", key)
        return _absolute(name) if name else None

    def target(self, key: str) -> str:
        """A file to write; empty if it was not asked for."""
        name = self._as("FileOutput", key)
        return str(_absolute(name)) if name else ""

    def source(self, key: str) -> Any:
        return self._as("Source", key)

    def raster(self, key: str) -> core.QgsRasterLayer | None:
        return self._as("RasterLayer", key)

    def layer(self, key: str) -> core.QgsMapLayer | None:
        return self._as("Layer", key)

    def layers(self, key: str) -> list[core.QgsMapLayer]:
        return self._as("LayerList", key) or []

    def crs(self, key: str) -> Any:
        return self._as("Crs", key)

    def classed(self, key: str, folder: Path) -> tuple[Path, str] | None:
        """Polygons as a file in `folder`, and the attribute with their classes (`KEY_FIELD`)."""
        source = self.source(key)
        if source is None:
            return None
        attribute = self.text(f"{key}_FIELD")
        if not attribute:
            raise Unusable(tr("Choose the attribute that holds the class of “{}”.").format(source.sourceName()))
        return vector_file(source, folder, key.lower()), attribute


def _absolute(name: str) -> Path:
    """As the shell means it: qgis_process is given relative paths, and the engine may run elsewhere."""
    return Path(os.path.abspath(Path(name).expanduser()))
