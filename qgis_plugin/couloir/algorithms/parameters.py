"""Parameters of algorithms in a line each, and what the user gave for them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import (
    QgsMapLayer,
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingParameterBoolean,
    QgsProcessingParameterDefinition,
    QgsProcessingParameterEnum,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterField,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterMultipleLayers,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
    QgsRasterLayer,
)

from ..export import Unusable, vector_file
from ..i18n import tr

POINT = QgsProcessing.SourceType.TypeVectorPoint
LINE = QgsProcessing.SourceType.TypeVectorLine
POLYGON = QgsProcessing.SourceType.TypeVectorPolygon
ANY_GEOMETRY = QgsProcessing.SourceType.TypeVectorAnyGeometry
RASTER = QgsProcessing.SourceType.TypeRaster


def number(
    key: str, words: str, value: float | None = None, least: float | None = None, most: float | None = None, whole: bool = False
) -> QgsProcessingParameterNumber:
    """Without a value it may be left empty."""
    kinds = QgsProcessingParameterNumber.Type
    made = QgsProcessingParameterNumber(key, words, kinds.Integer if whole else kinds.Double, value, optional=value is None)
    if least is not None:
        made.setMinimum(least)
    if most is not None:
        made.setMaximum(most)
    return made


def choice(key: str, words: str, names: list[str], chosen: int | list[int] = 0) -> QgsProcessingParameterEnum:
    """With a list of chosen ones several may be."""
    return QgsProcessingParameterEnum(key, words, names, allowMultiple=isinstance(chosen, list), defaultValue=chosen)


def text(key: str, words: str, value: str | None = None) -> QgsProcessingParameterString:
    return QgsProcessingParameterString(key, words, value, optional=True)


def flag(key: str, words: str, value: bool) -> QgsProcessingParameterBoolean:
    return QgsProcessingParameterBoolean(key, words, value)


def load_results() -> QgsProcessingParameterBoolean:
    return flag("LOAD", tr("Load and style the results"), True)


def features(key: str, words: str, kind: Any, optional: bool = True) -> QgsProcessingParameterFeatureSource:
    return QgsProcessingParameterFeatureSource(key, words, [kind], optional=optional)


def attribute(key: str, words: str, of: str) -> QgsProcessingParameterField:
    return QgsProcessingParameterField(key, words, None, of, optional=True)


def many_layers(key: str, words: str, kind: Any, optional: bool = True) -> QgsProcessingParameterMultipleLayers:
    return QgsProcessingParameterMultipleLayers(key, words, kind, optional=optional)


def file(key: str, words: str, kinds: str = "") -> QgsProcessingParameterFile:
    return QgsProcessingParameterFile(key, words, fileFilter=kinds, optional=True)


def run_folder(key: str = "RUN", words: str = "") -> QgsProcessingParameterFile:
    return QgsProcessingParameterFile(key, words or tr("Run folder"), behavior=QgsProcessingParameterFile.Behavior.Folder)


def new_folder(key: str, words: str) -> QgsProcessingParameterFolderDestination:
    return QgsProcessingParameterFolderDestination(key, words)


def new_page(key: str, words: str) -> QgsProcessingParameterFileDestination:
    return QgsProcessingParameterFileDestination(key, words, tr("Web page (*.html)"))


def advanced(parameter: QgsProcessingParameterDefinition) -> QgsProcessingParameterDefinition:
    flag = QgsProcessingParameterDefinition.Flag.FlagAdvanced
    parameter.setFlags(parameter.flags() | flag)
    return parameter


class Values:
    """What the user gave."""

    def __init__(self, algorithm: QgsProcessingAlgorithm, parameters: dict[str, Any], context: QgsProcessingContext) -> None:
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
        """A file or folder that is read, or the folder to write."""
        return Path(self._as("String", key))

    def optional_path(self, key: str) -> Path | None:
        name = self._as("File", key)
        return Path(name) if name else None

    def target(self, key: str) -> str:
        """A file to write; empty if it was not asked for."""
        return self._as("FileOutput", key)

    def source(self, key: str) -> Any:
        return self._as("Source", key)

    def raster(self, key: str) -> QgsRasterLayer | None:
        return self._as("RasterLayer", key)

    def layer(self, key: str) -> QgsMapLayer | None:
        return self._as("Layer", key)

    def layers(self, key: str) -> list[QgsMapLayer]:
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
