"""The plugin's entry: provider, panel, menu."""

from __future__ import annotations

from pathlib import Path

from qgis.core import Qgis, QgsApplication, QgsSettings
from qgis.gui import QgisInterface
from qgis.PyQt.QtCore import QCoreApplication, QLocale, Qt, QTranslator
from qgis.PyQt.QtGui import QIcon

from . import dialogs, engine, install
from .algorithms.base import ICONS
from .errors import EngineError, sentence_of
from .i18n import tr
from .provider import CouloirProvider

try:
    from qgis.PyQt.QtGui import QAction
except ImportError:  # Qt 5
    from qgis.PyQt.QtWidgets import QAction

HERE = Path(__file__).parent


class CouloirPlugin:
    def __init__(self, iface: QgisInterface | None) -> None:
        self.iface = iface
        self.provider: CouloirProvider | None = None
        self.dock = None
        self.actions: list[QAction] = []
        self.translator: QTranslator | None = None
        self._translate()

    def _translate(self) -> None:
        settings = QgsSettings()
        override = str(settings.value("locale/overrideFlag", "false")).lower() == "true"
        locale = str(settings.value("locale/userLocale", "")) if override else QLocale.system().name()
        file = HERE / "translations" / f"couloir_{locale[:2]}.qm"
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
        show = QAction(QIcon(str(ICONS / "couloir.svg")), tr("Couloir panel"), self.iface.mainWindow())
        show.setCheckable(True)
        show.triggered.connect(self.dock.setUserVisible)
        self.dock.visibilityChanged.connect(show.setChecked)
        self.iface.addToolBarIcon(show)
        self.actions = [show]
        for words, action in dialogs.engine_actions(self):
            self.actions.append(QAction(words, self.iface.mainWindow()))
            self.actions[-1].triggered.connect(lambda _checked=False, do=action: do())
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
        """From a file or folder; or back to the engine before."""
        dialog, place, back = dialogs.install_question(self.iface.mainWindow(), install.kept().is_file())
        if not dialog.exec():
            return
        try:
            found, checked = install.go_back() if back.isChecked() else install.install(Path(place.filePath()))
        except (EngineError, OSError) as error:
            self._say(sentence_of(error), Qgis.MessageLevel.Critical)
            return
        words = tr("Engine {} is installed in {}.").format(found.version_text, found.path)
        if not checked:
            words += " " + tr("Its checksum was not compared: there is no SHA256SUMS or versions.json beside the file.")
        self._say(words, Qgis.MessageLevel.Success if checked else Qgis.MessageLevel.Warning)
        self._engine_changed()

    def locate_engine(self) -> None:
        """The executable or its folder; an empty answer means the QGIS profile and PATH."""
        dialog, place = dialogs.engine_question(self.iface.mainWindow(), engine.configured())
        if not dialog.exec():
            return
        engine.configure(str(place.filePath() or ""))
        try:
            found = engine.find()
        except (EngineError, OSError) as error:
            self._say(sentence_of(error), Qgis.MessageLevel.Critical)
        else:
            self._say(tr("Engine {} found: {}.").format(found.version_text, found.path), Qgis.MessageLevel.Success)
        self._engine_changed()

    def _say(self, text: str, level: Qgis.MessageLevel) -> None:
        self.iface.messageBar().pushMessage("Couloir", text, level)

    def _engine_changed(self) -> None:
        if self.dock is not None:
            self.dock.changed()
