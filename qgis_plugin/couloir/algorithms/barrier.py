"""Barrier report: what crosses a line, and what a barrier there must withstand, as a sheet to print."""

from __future__ import annotations

import base64
import html
import json
import shutil
from pathlib import Path
from typing import Any

from qgis.core import (
    QgsProcessing,
    QgsProcessingContext,
    QgsProcessingFeedback,
    QgsProcessingOutputFolder,
    QgsProcessingParameterFeatureSource,
    QgsProcessingParameterFile,
    QgsProcessingParameterFileDestination,
    QgsProcessingParameterFolderDestination,
    QgsProcessingParameterNumber,
    QgsProcessingParameterString,
)

from .. import engine, rerun, results
from ..export import Unusable, vector_file
from .base import CouloirAlgorithm, advanced

LINE = QgsProcessing.SourceType.TypeVectorLine
STYLE = (
    "body{font-family:sans-serif;font-size:10pt;max-width:60em;margin:2em auto;color:#222}"
    "table{border-collapse:collapse;margin:.6em 0}td,th{border:1px solid #bbb;padding:.2em .7em;text-align:left}"
    "td.n{text-align:right}h2{border-bottom:2px solid #7f5539;page-break-after:avoid}section{page-break-inside:avoid}"
    ".note{color:#8a4b00}img{max-width:100%}.small{color:#666;font-size:8pt}"
)


class BarrierReport(CouloirAlgorithm):
    ID = "barrier"
    ICON = "barrier"

    def title(self) -> str:
        return self.tr("Barrier report")

    def help(self) -> str:
        return self.tr(
            "A sheet per recording line or barrier of a finished run: rocks and crossings, energy (kJ) and height (m) "
            "quantiles, the design values with every partial factor, the class of the net, and histograms.\n\n"
            "To try a line that the run did not record, give it as a layer (drawn in QGIS, selected, filtered …): the run's "
            "project is run again with this line added, into a folder of its own, with the same seed and so the same rocks. "
            "With a height (m) and a capacity (kJ) the line acts as a barrier, and the sheet shows what it held.\n\n"
            "The new folder holds the inputs, the project file with the line and the run; the earlier run stays as it is."
        )

    def initAlgorithm(self, configuration: dict[str, Any] | None = None) -> None:
        tr = self.tr
        folder = QgsProcessingParameterFile.Behavior.Folder
        self.addParameter(QgsProcessingParameterFile("RUN", tr("Run folder"), behavior=folder))
        self.addParameter(QgsProcessingParameterFeatureSource("LINE", tr("A new line to record"), [LINE], optional=True))
        self.addParameter(
            QgsProcessingParameterString("NAME", tr("Name of the new line"), tr("planned barrier"), optional=True)
        )
        self.addParameter(
            QgsProcessingParameterFolderDestination(
                "NEW_RUN", tr("Folder for the new run"), optional=True, createByDefault=False
            )
        )
        real = QgsProcessingParameterNumber.Type.Double
        for key, words in (
            ("HEIGHT", tr("Height of the new barrier (m)")),
            ("CAPACITY", tr("Capacity of the new barrier (kJ)")),
        ):
            self.addParameter(advanced(QgsProcessingParameterNumber(key, words, real, None, optional=True, minValue=0.1)))
        self.addParameter(QgsProcessingParameterFileDestination("OUTPUT", tr("Barrier sheet"), self.tr("Web page (*.html)")))
        self.addOutput(QgsProcessingOutputFolder("NEW_RUN_FOLDER", tr("New run")))

    def compute(
        self, parameters: dict[str, Any], context: QgsProcessingContext, feedback: QgsProcessingFeedback
    ) -> dict[str, Any]:
        run = results.read(Path(self.parameterAsFile(parameters, "RUN", context)))
        found: dict[str, Any] = {}
        line = self.parameterAsSource(parameters, "LINE", context)
        if line is not None:
            place = self.parameterAsString(parameters, "NEW_RUN", context)
            if not place:
                raise Unusable(self.tr("Choose a folder for the new run."))
            name = self.parameterAsString(parameters, "NAME", context) or self.tr("planned barrier")
            barrier = {
                key: self.parameterAsDouble(parameters, option, context)
                for key, option in (("height_m", "HEIGHT"), ("capacity_kj", "CAPACITY"))
                if parameters.get(option) is not None
            }
            if len(barrier) == 1:
                raise Unusable(self.tr("A barrier needs both a height and a capacity; without both the line is only recorded."))
            run = self._run_with(run, line, {"name": name, **barrier}, Path(place), feedback)
            found["NEW_RUN_FOLDER"] = str(run.folder)
        page = Path(self.parameterAsFileOutput(parameters, "OUTPUT", context))
        page.write_text(self._page(run), encoding="utf-8")
        return {**found, "OUTPUT": str(page)}

    def _run_with(
        self, run: results.Run, line: Any, entry: dict[str, Any], place: Path, feedback: QgsProcessingFeedback
    ) -> results.Run:
        target, inputs, made = place / "run", place / "inputs", not place.exists()
        if target.exists() or inputs.exists():
            raise Unusable(self.tr("“{}” holds a run already; choose another folder.").format(place))
        try:
            origin = rerun.origin_of(run)
            for changed in origin.changed:
                feedback.pushWarning(self.tr("“{}” has changed since the run; the rocks may fall otherwise.").format(changed))
            inputs.mkdir(parents=True)
            file = vector_file(line, inputs, "line", entry["name"])
            section = "barriers" if "height_m" in entry else "lines"
            origin.document.setdefault(section, []).append({**entry, "source": {"file": file.as_posix()}})
            project = rerun.write(origin.document, Path(origin.base), inputs, copy=True)
            arguments = ["run", str(project), "--out", str(target), "--progress", "json"]
            if origin.limit is not None:
                arguments += ["--limit", str(origin.limit)]
            self.run_engine(arguments, feedback)
        except (engine.EngineError, Unusable, OSError):
            for folder in [place] if made else [target, inputs]:
                shutil.rmtree(folder, ignore_errors=True)
            raise
        return results.read(target)

    def _page(self, run: results.Run) -> str:
        sections = []
        for title, folder in run.variants:
            file = folder / "lines" / "dimensioning.json"
            if not file.is_file():
                continue
            if title:
                sections.append(f"<h1>{html.escape(title)}</h1>")
            pictures = {picture.stem[:2]: picture for picture in sorted(file.parent.glob("[0-9][0-9]_*.svg"))}
            for number, sheet in enumerate(json.loads(file.read_text("utf-8")), 1):
                sections.append(self._section(sheet, pictures.get(f"{number:02}")))
        if not sections:
            raise Unusable(self.tr("“{}” recorded no lines or barriers. Give a line layer to record.").format(run.folder))
        manifest = run.manifest
        made = manifest.get("engine", {})
        origin = self.tr("Couloir {}, seed {}, project {}, {} rocks, {}").format(
            made.get("version", "?"),
            manifest.get("seed", "?"),
            str(manifest.get("project", {}).get("sha256", ""))[:12],
            manifest.get("rocks", "?"),
            run.finished,
        )
        title = html.escape(self.tr("Barrier report") + ": " + run.title)
        return (
            f'<!DOCTYPE html><html><head><meta charset="utf-8"><title>{title}</title><style>{STYLE}</style></head>'
            f'<body><h1>{title}</h1>{"".join(sections)}<p class="small">{html.escape(origin)}</p></body></html>\n'
        )

    def _section(self, sheet: dict[str, Any], picture: Path | None) -> str:
        tr = self.tr
        head = f"<section><h2>{html.escape(str(sheet['line']))}</h2><p>{tr('Length')}: {sheet['length_m']:.0f} m</p>"
        values = sheet.get("dimensioning")
        if values is None:
            return head + f"<p>{html.escape(tr('No rock crossed this line.'))}</p></section>"
        quantile = f"{values['quantile'] * 100:g} %"
        rows: list[tuple[str, str]] = [
            (tr("Rocks / crossings"), f"{values['rocks']} / {values['crossings']}"),
            (tr("Kinetic energy, {} quantile").format(quantile), _number(values["characteristic_energy_kj"], "kJ")),
            (tr("… its upper 95 % confidence bound"), _number(values["characteristic_energy_upper95_kj"], "kJ")),
            (tr("Height of the rock's top, {} quantile").format(quantile), _number(values["characteristic_height_m"], "m", 2)),
            (tr("Design energy"), _number(values["design_energy_kj"], "kJ")),
            (tr("Required energy capacity"), _number(values["required_energy_kj"], "kJ")),
            (tr("Class of the net (EAD 340059)"), _number(values["ead_340059_class_kj"], "kJ")),
            (tr("Design height"), _number(values["design_height_m"], "m", 2)),
            (tr("Freeboard"), _number(values["freeboard_m"], "m", 2)),
            (tr("Required height"), _number(values["required_height_m"], "m", 2)),
            (tr("Share of simulated rocks retained"), f"{values['retained_share'] * 100:.1f} %"),
        ]
        barrier, tally = sheet.get("barrier"), sheet.get("tally")
        if barrier:
            rows.append((tr("Existing barrier"), f"{barrier['height_m']:g} m, {barrier['capacity_kj']:g} kJ"))
        if tally:
            held, words = tally["stopped"] + tally["stopped_partly_above"], tr("{} held, {} broke through, {} passed over")
            rows.append((tr("What it did"), words.format(held, tally["broke_through"], tally["passed_over"])))
        table = "".join(f'<tr><td>{html.escape(a)}</td><td class="n">{html.escape(b)}</td></tr>' for a, b in rows)
        factors = "".join(
            f"<tr><td>{html.escape(f['name'])}</td><td class='n'>{f['value']:g}</td><td>{html.escape(f['acts_on'])}</td>"
            f"<td>{html.escape(f['meaning'])}{self._origin(f)}</td></tr>"
            for f in values["factors"]
        )
        notes = "".join(f'<p class="note">{html.escape(str(note))}</p>' for note in values["notes"])
        image = ""
        if picture is not None:
            data = base64.b64encode(picture.read_bytes()).decode("ascii")
            image = f'<p><img alt="" src="data:image/svg+xml;base64,{data}"></p>'
        heads = "".join(f"<th>{html.escape(t)}</th>" for t in (tr("Factor"), tr("Value"), tr("Acts on"), tr("Meaning")))
        return (
            f"{head}<table>{table}</table>{image}<h3>{html.escape(tr('Partial factors'))} "
            f"({html.escape(values['standard'])})</h3><table><tr>{heads}</tr>{factors}</table>{notes}</section>"
        )

    def _origin(self, factor: dict[str, Any]) -> str:
        if factor.get("from_project"):
            return " <i>" + html.escape(self.tr("(from the project)")) + "</i>"
        return " <b>" + html.escape(self.tr("(assumed: check)")) + "</b>" if factor.get("assumption") else ""


def _number(value: float | None, unit: str, decimals: int = 0) -> str:
    return "–" if value is None else f"{value:.{decimals}f} {unit}"
