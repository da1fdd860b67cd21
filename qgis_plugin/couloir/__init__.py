"""Couloir: rockfall hazard maps in QGIS. This plugin drives the separate `couloir` engine."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from qgis.gui import QgisInterface

    from .plugin import CouloirPlugin


def classFactory(iface: QgisInterface) -> CouloirPlugin:  # noqa: N802 (QGIS calls it so)
    from .plugin import CouloirPlugin

    return CouloirPlugin(iface)
