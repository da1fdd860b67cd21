"""The plugin's entry: provider, panel, menu."""

from __future__ import annotations

from pathlib import Path

from qgis.core import Qgis, QgsApplication, QgsSettings
from qgis.gui import QgisInterface
from qgis.PyQt.QtCore import QCoreApplication, QLocale, Qt, QTranslator
from qgis.PyQt.QtGui import QIcon
from qgis.PyQt.QtWidgets import QAction, QFileDialog

from . import engine
from .algorithms.base import ICONS
from .provider import CouloirProvider

HERE = Path(__file__).parent


class CouloirPlugin:
    def __init__(self, iface: QgisInterface | None) -> None:
        self.iface = iface
        self.provider: CouloirProvider | None = None
        self.dock = None
        self.actions: list[QAction] = []
        self.translator: QTranslator | None = None
        self._translate()

    def tr(self, text: str) -> str:
        return QCoreApplication.translate("CouloirPlugin", text)

    def _translate(self) -> None:
        settings = QgsSettings()
        override = str(settings.value("locale/overrideFlag", "false")).lower() == "true"
        locale = str(settings.value("locale/userLocale", "")) if override else QLocale.system().name()
        file = HERE / "i18n" / f"couloir_{locale[:2]}.qm"
        if file.is_file():
            self.translator = QTranslator()
            if self.translator.load(str(file)):
                QCoreApplication.installTranslator(self.translator)

    def initProcessing(self) -> None:
        """Also called by qgis_process, which has no window."""
        self.provider = CouloirProvider()
        QgsApplication.processingRegistry().addProvider(self.provider)

    def initGui(self) -> None:
        self.initProcessing()
        if self.iface is None:
            return
        from .panel.dock import CouloirDock

        self.dock = CouloirDock(self.iface)
        self.iface.addDockWidget(Qt.DockWidgetArea.RightDockWidgetArea, self.dock)
        self.dock.hide()
        show = QAction(QIcon(str(ICONS / "couloir.svg")), self.tr("Couloir panel"), self.iface.mainWindow())
        show.setCheckable(True)
        show.triggered.connect(self.dock.setUserVisible)
        self.dock.visibilityChanged.connect(show.setChecked)
        install = QAction(self.tr("Install engine from file…"), self.iface.mainWindow())
        install.triggered.connect(self.install_engine)
        self.iface.addToolBarIcon(show)
        self.actions = [show, install]
        for action in self.actions:
            self.iface.addPluginToMenu("Couloir", action)

    def unload(self) -> None:
        if self.provider is not None:
            QgsApplication.processingRegistry().removeProvider(self.provider)
            self.provider = None
        if self.iface is not None:
            for action in self.actions:
                self.iface.removePluginMenu("Couloir", action)
                self.iface.removeToolBarIcon(action)
            if self.dock is not None:
                self.dock.close_down()
                self.iface.removeDockWidget(self.dock)
                self.dock.deleteLater()
                self.dock = None
        if self.translator is not None:
            QCoreApplication.removeTranslator(self.translator)

    def install_engine(self) -> None:
        file, _ = QFileDialog.getOpenFileName(
            self.iface.mainWindow(), self.tr("Couloir engine"), "", engine.EXECUTABLE + " (*)"
        )
        if not file:
            return
        try:
            found = engine.install_from_file(Path(file))
        except (engine.EngineError, OSError) as error:
            self.iface.messageBar().pushMessage("Couloir", str(error), Qgis.MessageLevel.Critical)
            return
        text = self.tr("Engine {} is installed in {}.").format(found.version_text, found.path)
        self.iface.messageBar().pushMessage("Couloir", text, Qgis.MessageLevel.Success)
        if self.dock is not None:
            self.dock.engine_changed()
