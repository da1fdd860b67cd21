"""Create hazard map layout: the sheet to hand in, as a print layout, PDF and PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis import core
from qgis.core import QgsMapLayer, QgsProcessingFeedback, QgsProject, QgsRasterLayer
from qgis.PyQt.QtCore import QDate, QLocale

from .. import results
from ..errors import Unusable
from ..hazard_map import MapSheet, compose
from ..i18n import tr
from ..map_table import rows_of
from ..run_folders import input_of_run
from .base import CouloirAlgorithm
from .parameters import Values

TEMPLATES = Path(__file__).parents[1] / "templates"
#: On a layer of ours: the DEM it shades.
SHADED = "couloir/hillshade"


class HazardMapLayout(CouloirAlgorithm):
    ID = "layout"
    NEEDS_ENGINE = False

    def flags(self) -> Any:
        # Layouts and layers belong to the main thread.
        return super().flags() | core.QgsProcessingAlgorithm.Flag.FlagNoThreading

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        context = values.context
        project = context.project() or QgsProject.instance()
        run = results.read(values["RUN"])
        layer = values["LAYER"] or results.find_layer(run, values["THEME"].split(), project)
        if layer is None:
            words = tr("“{}” holds no such map; choose another one, or classify the run first.")
            raise Unusable(words.format(run.folder))
        extra = values["EXTRA"] or []
        base = values["BASE"] or self._hillshade(run, values["DEM"], project)
        if base is None:
            feedback.pushWarning(tr("The run's DEM was not found: the map has no hillshade. Name a DEM or a base layer."))
        areas = values["AREAS"]
        atlas = areas is not None and values["ATLAS"]
        self._keep([layer, *extra, *([base] if base else []), *([areas] if atlas else [])], project, context)
        title = values["TITLE"] or str(run.manifest.get("project", {}).get("title", "")) or run.folder.name
        sheet = MapSheet(
            name=f"{title} – {layer.name()}",
            texts=self._texts(values, run, layer, title, atlas),
            layers=[*extra, layer, *([base] if base else [])],
            legend_layers=[layer, *extra],
            extent=self._extent(layer, areas, project),
            template=values["TEMPLATE"] or TEMPLATES / f"{values['PAPER']}-{values['ORIENTATION']}.qpt",
            logo=str(values["LOGO"] or ""),
            table=rows_of(run),
            matrix=self._matrix(layer),
            coverage=areas if atlas else None,
            page_name=values["AREA_NAME"],
        )
        layout = compose(sheet, project)
        project.layoutManager().addLayout(layout)
        found = {"LAYOUT": layout.name()}
        for key in ("PDF", "PNG"):
            if values[key] is not None:
                found[key] = str(values[key])
                self._export(layout, found[key], key == "PDF", values["DPI"], atlas)
        if context.project() is None:
            # qgis_process without a project: nobody keeps the layout, and layers must go before QGIS does.
            project.layoutManager().clear()
            project.clear()
        return found

    def _texts(self, values: Values, run: results.Run, layer: QgsMapLayer, title: str, atlas: bool) -> dict[str, str]:
        """What the labels of the template say."""
        study = run.document.get("study") or {}
        final = (values["STATUS"] or study.get("status")) == "final"
        details = (
            (tr("Plan"), values["PLAN"] or study.get("plan_number")),
            (tr("Client"), values["CLIENT"] or study.get("client")),
            (tr("Office"), values["OFFICE"] or study.get("office")),
            (tr("Author"), values["AUTHOR"] or study.get("author")),
            (tr("Date"), values["DATE"] or _today()),
            (tr("Status"), tr("final") if final else tr("draft")),
        )
        theme, crs = tr("Rockfall: {}").format(layer.name()), layer.crs()
        place = [tr("Coordinates: {} ({})").format(crs.description(), crs.authid()), values["REMARKS"]]
        warnings = run.warnings
        note = [f"⚠ {warning}" for warning in warnings[:3]]
        if len(warnings) > len(note):
            note.append(tr("{} more warnings: see the parameter pages.").format(len(warnings) - len(note)))
        number = "regexp_replace(format_number(item_variables('map')['map_scale'], 0), '[^0-9-]', ' ')"
        return {
            "title": title,
            "theme": f"{theme}\n[% @atlas_pagename %]" if atlas else theme,
            "details": "\n".join(f"{name}: {value}" for name, value in details if value),
            "crs": "\n".join(filter(None, place)),
            "status": "" if final else tr("DRAFT"),
            "note": "\n".join(note),
            "scale": f"{tr('Scale')} 1 : [% {number} %]",
            "provenance": self._origin(run) + " " + tr("Parameters: next page."),
        }

    @staticmethod
    def _matrix(layer: QgsMapLayer) -> str:
        """That of a map of hazard zones, as the engine drew it."""
        file = Path(layer.source().split("|")[0])
        picture = file.with_name("matrix.svg")
        return str(picture) if file.stem == "hazard" and picture.is_file() else ""

    def _hillshade(self, run: results.Run, dem: QgsRasterLayer | None, project: QgsProject) -> QgsRasterLayer | None:
        source = dem.source() if dem is not None else str(input_of_run(run.folder, run.manifest, "terrain") or "")
        for layer in project.mapLayers().values():
            if layer.customProperty(SHADED) == source and isinstance(layer, QgsRasterLayer):
                return layer
        shade = QgsRasterLayer(source, tr("Hillshade"))
        if not shade.isValid():
            return None
        shade.setCustomProperty(SHADED, source)
        if dem is not None:
            shade.setCrs(dem.crs())
        renderer = core.QgsHillshadeRenderer(shade.dataProvider(), 1, 315.0, 45.0)
        renderer.setMultiDirectional(True)
        shade.setRenderer(renderer)
        # Shaded at the DEM's own cells and then smoothed: shading finer ones leaves seams where QGIS' tiles of pixels meet.
        shade.setResamplingStage(core.Qgis.RasterResamplingStage.ResampleFilter)
        shade.resampleFilter().setZoomedInResampler(core.QgsCubicRasterResampler())
        shade.resampleFilter().setZoomedOutResampler(core.QgsBilinearRasterResampler())
        shade.resampleFilter().setMaxOversampling(4)
        # A pale ground: the zones are what is read.
        shade.setOpacity(0.38)
        return shade

    @staticmethod
    def _keep(wanted: list[QgsMapLayer], project: QgsProject, context: core.QgsProcessingContext) -> None:
        """Layers of a layout must live in the project."""
        for layer in wanted:
            if project.mapLayer(layer.id()) is None:
                store = context.temporaryLayerStore()
                if store.mapLayer(layer.id()) is not None:
                    layer = store.takeMapLayer(layer)
                project.addMapLayer(layer, False)
                project.layerTreeRoot().addLayer(layer).setItemVisibilityChecked(False)

    def _extent(self, layer: QgsMapLayer, areas: QgsMapLayer | None, project: QgsProject) -> core.QgsRectangle:
        if areas is not None:
            transform = core.QgsCoordinateTransform(areas.crs(), layer.crs(), project)
            extent = transform.transformBoundingBox(areas.extent())
        else:
            extent = results.extent_of_data(layer) if isinstance(layer, QgsRasterLayer) else layer.extent()
        if extent.isEmpty():
            raise Unusable(tr("“{}” is empty: there is nothing to map.").format(layer.name()))
        extent.scale(1.06)
        return extent

    def _origin(self, run: results.Run) -> str:
        manifest = run.manifest
        engine, project = manifest.get("engine", {}), manifest.get("project", {})
        return tr(
            "Simulated with Couloir {version} ({revision}), seed {seed}, {rocks} rocks{variant}, {when}; project {file}, "
            "SHA-256 {hash}."
        ).format(
            version=engine.get("version", "?"),
            revision=str(engine.get("git_revision", "?"))[:8],
            seed=manifest.get("seed", "?"),
            rocks=manifest.get("rocks", "?"),
            variant=f", {run.variants[0][0]}" if run.variants[0][0] else "",
            when=run.finished,
            file=project.get("file", "?"),
            hash=str(project.get("sha256", "?"))[:16],
        )

    @staticmethod
    def _export(layout: core.QgsPrintLayout, file: str, pdf: bool, dpi: int, atlas: bool) -> None:
        exporter = core.QgsLayoutExporter
        settings = exporter.PdfExportSettings() if pdf else exporter.ImageExportSettings()
        settings.dpi = dpi
        if pdf:
            # Searchable text rather than outlines.
            settings.textRenderFormat = core.Qgis.TextRenderFormat.AlwaysText
        if atlas and pdf:
            result, _ = exporter.exportToPdf(layout.atlas(), file, settings)
        elif atlas:
            name = core.QgsExpression.quotedString(f"{Path(file).stem}-")
            layout.atlas().setFilenameExpression(f"{name} || @atlas_featurenumber")
            result, _ = exporter.exportToImage(layout.atlas(), str(Path(file).with_suffix("")), "png", settings)
        else:
            made = exporter(layout)
            result = made.exportToPdf(file, settings) if pdf else made.exportToImage(file, settings)
        if result != exporter.ExportResult.Success:
            words = tr("“{}” could not be written. Is it open in another program, or the disk full?")
            raise Unusable(words.format(file))


def _today() -> str:
    """As people write it, with the whole year."""
    form = QLocale().dateFormat(QLocale.FormatType.ShortFormat)
    return QLocale().toString(QDate.currentDate(), form if "yyyy" in form else form.replace("yy", "yyyy"))
