"""The Processing provider. It stays visible without an engine; the algorithms then say how to get one."""

from __future__ import annotations

from qgis.core import QgsProcessingProvider
from qgis.PyQt.QtGui import QIcon

from .algorithms import ALGORITHMS
from .algorithms.base import ICONS
from .i18n import tr


class CouloirProvider(QgsProcessingProvider):
    def loadAlgorithms(self) -> None:
        for algorithm in ALGORITHMS:
            self.addAlgorithm(algorithm())

    def id(self) -> str:
        return "couloir"

    def name(self) -> str:
        return "Couloir"

    def longName(self) -> str:
        return tr("Couloir rockfall hazard")

    def icon(self) -> QIcon:
        return QIcon(str(ICONS / "couloir.svg"))
