"""Create hazard map layout: the sheet to hand in, as a print layout, PDF and PNG."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from qgis.core import (
    Qgis,
    QgsCoordinateTransform,
    QgsHillshadeRenderer,
    QgsLayoutExporter,
    QgsMapLayer,
    QgsPrintLayout,
    QgsProcessing,
    QgsProcessingAlgorithm,
    QgsProcessingContext,
    QgsProcessingException,
    QgsProcessingFeedback,
    QgsProcessingOutputString,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterMapLayer,
    QgsProcessingParameterRasterLayer,
    QgsProcessingParameterVectorLayer,
    QgsProject,
    QgsRasterDataProvider,
    QgsRasterLayer,
    QgsRectangle,
)
from qgis.PyQt.QtCore import QDate, QLocale

from .. import layers, results, schemes
from ..export import Unusable
from ..hazard_map import HazardMap, MapSheet
from ..map_helpers import extent_of
from ..map_tables import rows_of
from ..project_file import project_of_run
from .base import CouloirAlgorithm
from .parameters import (
    ANY_GEOMETRY,
    Values,
    advanced,
    attribute,
    choice,
    file,
    flag,
    many_layers,
    number,
    run_folder,
    text,
)

PAPERS = ("A4", "A3")
#: What to map: files of a run folder, best first.
THEMES = (
    ("classification/*/hazard.gpkg",),
    ("classification/*/intensity_*.gpkg",),
    ("layers/kinetic_energy_kj_p95.tif", "layers/kinetic_energy_kj_*.tif"),
    ("layers/reach_probability.tif",),
    ("layers/jump_height_m_p95.tif", "layers/jump_height_m_*.tif"),
    ("layers/velocity_ms_p95.tif", "layers/velocity_ms_*.tif"),
)


class HazardMapLayout(CouloirAlgorithm):
    ID = "layout"
    NEEDS_ENGINE = False

    def title(self) -> str:
        return self.tr("Create hazard map layout")

    def help(self) -> str:
        return self.tr(
            "Composes a print layout: the map over a hillshade or a base layer of yours, title block, legend with units, scale "
            "bar, north arrow, coordinate grid, the coordinate reference system, a line on the origin of the result (engine "
            "version, seed, project hash) and a second page with the parameters of the run.\n\n"
            "The layout stays in the QGIS project (Project ▸ Layouts), to be changed by hand; PDF and PNG are written if "
            "files are named. With a polygon layer as map areas the map shows them all; tick “one map per "
            "area” to get an atlas.\n\n"
            "Without a map layer of your choice the run's hazard zones are shown, or the kinetic energy if it has none."
        )

    def flags(self) -> Any:
        # Layouts and layers belong to the main thread.
        return super().flags() | QgsProcessingAlgorithm.Flag.FlagNoThreading

    def declare(self) -> list[Any]:
        tr = self.tr
        themes = [
            tr("hazard zones (else kinetic energy)"), tr("intensity"), tr("kinetic energy"), tr("reach probability"),
            tr("jump height"), tr("velocity"),
        ]  # fmt: skip
        return [
            run_folder(),
            choice("THEME", tr("What to map"), themes),
            QgsProcessingParameterMapLayer("LAYER", tr("… or a layer of your choice"), optional=True),
            QgsProcessingParameterRasterLayer("DEM", tr("Another DEM for the hillshade"), optional=True),
            QgsProcessingParameterMapLayer("BASE", tr("Base layer instead of the hillshade"), optional=True),
            many_layers("EXTRA", tr("More layers on top"), QgsProcessing.SourceType.TypeMapLayer),
            choice("PAPER", tr("Paper"), list(PAPERS)),
            choice("ORIENTATION", tr("Orientation"), [tr("landscape"), tr("portrait")]),
            text("TITLE", tr("Project")),
            text("OFFICE", tr("Office")),
            text("AUTHOR", tr("Author")),
            text("DATE", tr("Date (empty: today)")),
            file("LOGO", tr("Logo"), tr("Pictures (*.svg *.png *.jpg *.jpeg)")),
            QgsProcessingParameterVectorLayer("AREAS", tr("Map areas"), [ANY_GEOMETRY], optional=True),
            flag("ATLAS", tr("One map per area (atlas)"), False),
            attribute("AREA_NAME", tr("Attribute with the area's name"), "AREAS"),
            advanced(text("REMARKS", tr("Remarks (data sources …)"))),
            advanced(number("DPI", tr("Resolution (dpi)"), 300, least=72, most=1200, whole=True)),
            QgsProcessingParameterFileDestination("PDF", "PDF", "PDF (*.pdf)", optional=True, createByDefault=True),
            QgsProcessingParameterFileDestination("PNG", "PNG", "PNG (*.png)", optional=True, createByDefault=False),
            QgsProcessingOutputString("LAYOUT", tr("Name of the layout")),
        ]

    def compute(self, values: Values, feedback: QgsProcessingFeedback) -> dict[str, Any]:
        context, text = values.context, values.text
        project = context.project() or QgsProject.instance()
        run = results.read(values.path("RUN"))
        layer = values.layer("LAYER") or self._theme(run, values.choice("THEME"), project)
        extra = values.layers("EXTRA")
        base = values.layer("BASE") or self._hillshade(run, values.raster("DEM"))
        if base is None:
            feedback.pushWarning(self.tr("The run's DEM was not found: the map has no hillshade. Name a DEM or a base layer."))
        self._keep([layer, *extra, *([base] if base else [])], project, context)
        areas = self.parameterAsVectorLayer(values.parameters, "AREAS", context)
        atlas = areas is not None and values.flag("ATLAS")
        if atlas:
            self._keep([areas], project, context)
        title = text("TITLE") or str(run.manifest.get("project", {}).get("title", "")) or run.folder.name
        sheet = MapSheet(
            name=f"{title} – {layer.name()}",
            title=title,
            theme=self.tr("Rockfall: {}").format(layer.name()),
            layers=[*extra, layer, *([base] if base else [])],
            legend_layers=[layer, *extra],
            extent=self._extent(layer, areas, project),
            paper=PAPERS[values.choice("PAPER")],
            landscape=values.choice("ORIENTATION") == 0,
            author=text("AUTHOR"),
            office=text("OFFICE"),
            date=text("DATE") or _today(),
            logo=text("LOGO"),
            remarks=text("REMARKS"),
            origin=self._origin(run),
            table=rows_of(run.manifest),
            scheme=self._scheme(layer),
            coverage=areas if atlas else None,
            page_name=text("AREA_NAME"),
        )
        layout = HazardMap(sheet, project).compose()
        project.layoutManager().addLayout(layout)
        made = {"LAYOUT": layout.name()}
        for key, export in (("PDF", self._pdf), ("PNG", self._png)):
            file = values.target(key)
            if file:
                export(layout, file, values.whole("DPI"), atlas)
                made[key] = file
        if context.project() is None:
            # qgis_process without a project: nobody keeps the layout, and layers must go before QGIS does.
            project.layoutManager().clear()
            project.clear()
        return made

    def _theme(self, run: results.Run, theme: int, project: QgsProject) -> QgsMapLayer:
        folder = run.variants[0][1]
        wanted = [*THEMES[theme], *(THEMES[2] if theme == 0 else ())]
        order = layers.ordered_schemes(folder, run.scheme)
        for pattern in wanted:
            found = sorted(folder.glob(pattern))
            # Of several schemes the one the project asks for.
            for best in sorted(found, key=lambda place: order.index(place.parent.name) if place.parent.name in order else 0):
                return results.open_layer(best, project)
        raise Unusable(self.tr("“{}” holds no such map; choose another one, or classify the run first.").format(run.folder))

    @staticmethod
    def _scheme(layer: QgsMapLayer) -> schemes.Scheme:
        """That of a map of hazard zones."""
        file = Path(layer.source().split("|")[0])
        return schemes.read(file.parent / "scheme.json") if file.stem == "hazard" else schemes.Scheme()

    def _hillshade(self, run: results.Run, dem: QgsRasterLayer | None) -> QgsRasterLayer | None:
        if dem is None:
            file = project_of_run(run.folder, run.manifest)
            terrain = next((i for i in run.manifest.get("inputs", []) if i.get("role") == "terrain"), None)
            if terrain is None:
                return None
            place = (file.parent if file else run.folder.parent / "inputs") / terrain["path"]
            source = str(place)
        else:
            source = dem.source()
        shade = QgsRasterLayer(source, self.tr("Hillshade"))
        if not shade.isValid():
            return None
        if dem is not None:
            shade.setCrs(dem.crs())
        renderer = QgsHillshadeRenderer(shade.dataProvider(), 1, 315.0, 45.0)
        renderer.setMultiDirectional(True)
        shade.setRenderer(renderer)
        # Smooth heights first, then shade them: shading coarse steps leaves stripes in print.
        provider = shade.dataProvider()
        provider.enableProviderResampling(True)
        provider.setZoomedInResamplingMethod(QgsRasterDataProvider.ResamplingMethod.Cubic)
        provider.setZoomedOutResamplingMethod(QgsRasterDataProvider.ResamplingMethod.Bilinear)
        shade.setResamplingStage(Qgis.RasterResamplingStage.Provider)
        # A pale ground: the zones are what is read.
        shade.setOpacity(0.38)
        return shade

    @staticmethod
    def _keep(layers: list[QgsMapLayer], project: QgsProject, context: QgsProcessingContext) -> None:
        """Layers of a layout must live in the project."""
        for layer in layers:
            if project.mapLayer(layer.id()) is None:
                store = context.temporaryLayerStore()
                if store.mapLayer(layer.id()) is not None:
                    layer = store.takeMapLayer(layer)
                project.addMapLayer(layer, False)
                node = project.layerTreeRoot().addLayer(layer)
                node.setItemVisibilityChecked(False)

    def _extent(self, layer: QgsMapLayer, areas: QgsMapLayer | None, project: QgsProject) -> QgsRectangle:
        if areas is not None:
            transform = QgsCoordinateTransform(areas.crs(), layer.crs(), project)
            extent = transform.transformBoundingBox(areas.extent())
        elif isinstance(layer, QgsRasterLayer):
            extent = results.extent_of_data(layer)
        else:
            extent = extent_of(layer, layer, project)
        if extent.isEmpty():
            raise Unusable(self.tr("“{}” is empty: there is nothing to map.").format(layer.name()))
        extent.scale(1.06)
        return extent

    def _origin(self, run: results.Run) -> str:
        manifest = run.manifest
        made, project = manifest.get("engine", {}), manifest.get("project", {})
        variant = f", {run.variants[0][0]}" if run.variants[0][0] else ""
        return self.tr(
            "Simulated with Couloir {version} ({revision}), seed {seed}, {rocks} rocks{variant}, {when}; project {file}, "
            "SHA-256 {hash}."
        ).format(
            version=made.get("version", "?"),
            revision=str(made.get("git_revision", "?"))[:8],
            seed=manifest.get("seed", "?"),
            rocks=manifest.get("rocks", "?"),
            variant=variant,
            when=run.finished,
            file=project.get("file", "?"),
            hash=str(project.get("sha256", "?"))[:16],
        )

    def _pdf(self, layout: QgsPrintLayout, file: str, dpi: int, atlas: bool) -> None:
        settings = QgsLayoutExporter.PdfExportSettings()
        settings.dpi = dpi
        # Searchable text rather than outlines.
        settings.textRenderFormat = Qgis.TextRenderFormat.AlwaysText
        if atlas:
            result, _ = QgsLayoutExporter.exportToPdf(layout.atlas(), file, settings)
        else:
            result = QgsLayoutExporter(layout).exportToPdf(file, settings)
        self._check(result, file)

    def _png(self, layout: QgsPrintLayout, file: str, dpi: int, atlas: bool) -> None:
        settings = QgsLayoutExporter.ImageExportSettings()
        settings.dpi = dpi
        if atlas:
            layout.atlas().setFilenameExpression(f"'{Path(file).stem}-' || @atlas_featurenumber")
            result, _ = QgsLayoutExporter.exportToImage(layout.atlas(), str(Path(file).with_suffix("")), "png", settings)
        else:
            result = QgsLayoutExporter(layout).exportToImage(file, settings)
        self._check(result, file)

    def _check(self, result: Any, file: str) -> None:
        if result != QgsLayoutExporter.ExportResult.Success:
            raise QgsProcessingException(
                self.tr("“{}” could not be written. Is it open in another program, or the disk full?").format(file)
            )


def _today() -> str:
    """As people write it, with the whole year."""
    form = QLocale().dateFormat(QLocale.FormatType.ShortFormat)
    return QLocale().toString(QDate.currentDate(), form if "yyyy" in form else form.replace("yy", "yyyy"))
