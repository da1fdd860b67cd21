//! `couloir prepare`: from any sources to a run-ready folder.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use clap::ValueEnum;

use crate::geo::gdal_glue::shell_quoted;
use crate::geo::warp::Resampling;
use crate::prepare::request::{BarrierEntry, FeatureEntry, FillHoles, LayerEntry, OneOrMany, PrepareFile};
use crate::process::console::{is_hidden, say};
use crate::process::progress::{Mode, Progress};
use crate::project::file::VerticalUnit;
use crate::texts::in_words;
use crate::{Error, Note, Result, files, prepare};

/// Mosaic, clip, reproject and mend DEM tiles, align parameter layers, and write a run-ready project folder.
#[derive(clap::Args)]
#[command(
    after_help = "Example:\n  couloir prepare --dem tiles/*.tif --aoi area.geojson --buffer 200 --crs EPSG:2056 --cell 2 \\\n      \
    --layer forest=forest.gpkg --layer ground=soil.shp:class --release release.shp --out site/"
)]
pub(super) struct Args {
    /// Recipe in YAML with the same settings; options on the command line are stronger.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Elevation rasters, any CRS and cell size. Where they overlap, the first named one that has a height gives it.
    #[arg(long, value_name = "FILE", num_args = 1..)]
    dem: Vec<String>,
    /// CRS of elevation rasters that do not say theirs.
    #[arg(long, value_name = "CRS")]
    dem_crs: Option<String>,
    /// Value that marks missing heights, if the files do not say it.
    #[arg(long, value_name = "VALUE", allow_negative_numbers = true)]
    dem_nodata: Option<f64>,
    /// Band of the elevation rasters [default: 1].
    #[arg(long, value_name = "N")]
    band: Option<usize>,
    /// Unit of the heights [default: what the files say, else metres].
    #[arg(long, value_name = "UNIT")]
    vertical_unit: Option<Unit>,
    /// Area of interest: polygon layer, xmin,ymin,xmax,ymax[,CRS], or another raster [default: the whole DEM].
    #[arg(long, value_name = "AREA", allow_hyphen_values = true)]
    aoi: Option<String>,
    /// Run-out buffer around the area, m [default: 0].
    #[arg(long, value_name = "M")]
    buffer: Option<f64>,
    /// Blank the DEM outside the buffered area instead of keeping the rectangle around it.
    #[arg(long)]
    mask: bool,
    /// CRS of the project, in metres, or `utm` [default: the DEM's own if metric, else the local UTM zone].
    #[arg(long, value_name = "CRS")]
    crs: Option<String>,
    /// Cell size, m [default: that of the finest tile].
    #[arg(long, value_name = "M")]
    cell: Option<f64>,
    /// Resampling of heights [default: average, bilinear or cubic, from the ratio of cell sizes].
    #[arg(long, value_name = "METHOD")]
    resampling: Option<Resampling>,
    /// Fill nodata holes up to this size across: cells (10) or metres (20m); 0 fills none [default: 10].
    #[arg(long, value_name = "SIZE")]
    fill_holes: Option<String>,
    /// Parameter layer NAME=FILE[:ATTRIBUTE]; NAME is ground, forest or a parameter such as mu_min or height_m. FILE is a
    /// raster or polygons (file.gpkg|layername=x). FILE:=CLASS gives every polygon that class.
    #[arg(long, value_name = "NAME=FILE[:ATTR]")]
    layer: Vec<String>,
    /// What codes of a class layer mean, e.g. ground:1=hard,2=soft.
    #[arg(long, value_name = "LAYER:CODE=CLASS,…")]
    codes: Vec<String>,
    /// The same from a file with lines CODE,CLASS or LAYER,CODE,CLASS.
    #[arg(long, value_name = "FILE")]
    class_table: Option<PathBuf>,
    /// CRS of layers and features that do not say theirs.
    #[arg(long, value_name = "CRS")]
    layer_crs: Option<String>,
    /// Where rocks start: points, lines or polygons; may be repeated [default: all cells steeper than 45°].
    #[arg(long, value_name = "FILE")]
    release: Vec<String>,
    /// Line where crossings are recorded, NAME=FILE.
    #[arg(long, value_name = "NAME=FILE")]
    line: Vec<String>,
    /// Barrier NAME=FILE[:HEIGHT_M,CAPACITY_KJ] [default: 4 m, 1000 kJ].
    #[arg(long, value_name = "NAME=FILE[:H,KJ]")]
    barrier: Vec<String>,
    /// Title of the project.
    #[arg(long)]
    title: Option<String>,
    /// Folder to write; it appears only when everything succeeded.
    #[arg(long, value_name = "FOLDER", value_parser = super::output_text)]
    out: Option<String>,
    /// Replace a folder that an earlier `prepare` wrote.
    #[arg(long)]
    overwrite: bool,
    #[command(flatten)]
    force: super::Force,
    /// How progress is shown.
    #[arg(long, value_enum, default_value_t = Mode::Auto)]
    progress: Mode,
}

#[derive(Clone, Copy, ValueEnum)]
#[value(rename_all = "snake_case")]
enum Unit {
    #[value(alias = "m")]
    Metre,
    #[value(alias = "ft")]
    Foot,
    UsSurveyFoot,
}

pub(super) fn run(args: Args) -> Result<()> {
    args.force.heed();
    let progress = Progress::new(args.progress);
    let file = args.config.as_deref().map(PrepareFile::load).transpose()?.unwrap_or_default();
    let request = file.overridden_by(typed(args)?);
    let command: Vec<String> = std::env::args().map(|a| shell_quoted(Path::new(&a))).collect();
    let done = prepare::prepare(&request, &command.join(" "), &progress)?;
    for warning in &done.warnings {
        say(&format!("warning: {}", in_words(warning)));
    }
    let project = done.out.join("project.yaml");
    let next = format!("next:  couloir check {}", shell_quoted(&project));
    let lines: Vec<String> = done
        .notes
        .iter()
        .map(Note::to_string)
        .chain([format!("ready: {}", project.display()), next])
        .map(|l| l + "\n")
        .collect();
    super::print(&lines.concat())
}

fn typed(args: Args) -> Result<PrepareFile> {
    let mut layers = args.layer.iter().map(|t| parse_layer(t)).collect::<Result<Vec<_>>>()?;
    let mut codes = args.codes.iter().map(|t| parse_codes(t)).collect::<Result<Vec<_>>>()?;
    if let Some(path) = &args.class_table {
        codes.extend(read_class_table(path)?);
    }
    for (name, table) in codes {
        let mut mine = layers.iter_mut().filter(|l| name.as_ref().is_none_or(|n| *n == l.name)).peekable();
        if mine.peek().is_none() {
            let name = name.unwrap_or_default();
            return Err(Error::usage(format!(
                "--codes speaks of the layer '{name}', but there is no --layer {name}=…"
            )));
        }
        mine.for_each(|l| l.codes.extend(table.clone()));
    }
    let release = |source: &String| FeatureEntry { source: source.clone(), ..Default::default() };
    Ok(PrepareFile {
        title: args.title,
        dem: OneOrMany::Many(args.dem),
        dem_crs: args.dem_crs,
        dem_nodata: args.dem_nodata,
        band: args.band,
        vertical_unit: args.vertical_unit.map(|unit| match unit {
            Unit::Metre => VerticalUnit::Metre,
            Unit::Foot => VerticalUnit::Foot,
            Unit::UsSurveyFoot => VerticalUnit::UsSurveyFoot,
        }),
        aoi: args.aoi,
        buffer_m: args.buffer,
        mask: args.mask,
        crs: args.crs,
        cell_m: args.cell,
        resampling: args.resampling,
        fill_holes: args.fill_holes.map(FillHoles::Text),
        layers,
        layer_crs: args.layer_crs,
        ground_classes: BTreeMap::new(),
        forest_classes: BTreeMap::new(),
        release: args.release.iter().map(release).collect(),
        lines: args.line.iter().map(|t| parse_line(t)).collect::<Result<_>>()?,
        barriers: args.barrier.iter().map(|t| parse_barrier(t)).collect::<Result<_>>()?,
        out: args.out,
        overwrite: args.overwrite,
    })
}

fn named<'a>(text: &'a str, option: &str, form: &str) -> Result<(&'a str, &'a str)> {
    match text.split_once('=') {
        Some((name, _)) if name.chars().any(is_hidden) => {
            Err(Error::usage(format!("{option} {name:?} is no name: expected text that can be seen, on one line")))
        }
        Some((name, rest)) if !name.trim().is_empty() && !rest.trim().is_empty() => Ok((name.trim(), rest)),
        _ => Err(Error::usage(format!("{option} '{text}' is not understood: expected {form}"))),
    }
}

/// Splits `FILE:SUFFIX` at the last colon that can be one: not a drive letter's, nothing of a path behind it.
fn split_suffix(text: &str) -> (&str, Option<&str>) {
    if Path::new(text).exists() {
        return (text, None);
    }
    match text.rsplit_once(':') {
        Some((file, suffix)) if file.len() > 1 && !suffix.is_empty() && !suffix.contains(['/', '\\', '|']) => {
            (file, Some(suffix))
        }
        _ => (text, None),
    }
}

fn parse_layer(text: &str) -> Result<LayerEntry> {
    let (name, rest) = named(text, "--layer", "NAME=FILE or NAME=FILE:ATTRIBUTE")?;
    let (file, suffix) = split_suffix(rest);
    let class = suffix.and_then(|s| s.strip_prefix('=')).map(str::to_owned);
    let attribute = suffix.filter(|s| !s.starts_with('=')).map(str::to_owned);
    Ok(LayerEntry { name: name.into(), source: file.into(), attribute, class, ..Default::default() })
}

fn parse_line(text: &str) -> Result<FeatureEntry> {
    let (name, file) = named(text, "--line", "NAME=FILE")?;
    Ok(FeatureEntry { source: file.into(), name: Some(name.into()), ..Default::default() })
}

fn parse_barrier(text: &str) -> Result<BarrierEntry> {
    let form = "NAME=FILE or NAME=FILE:HEIGHT_M,CAPACITY_KJ";
    let (name, rest) = named(text, "--barrier", form)?;
    let (file, suffix) = split_suffix(rest);
    let (mut height_m, mut capacity_kj) = (4.0, 1000.0);
    if let Some(suffix) = suffix {
        let numbers: Vec<f64> = suffix.split(',').filter_map(|n| n.trim().parse().ok()).collect();
        let [height, capacity] = numbers.as_slice() else {
            return Err(Error::usage(format!("--barrier '{text}' is not understood: expected {form}")));
        };
        (height_m, capacity_kj) = (*height, *capacity);
    }
    Ok(BarrierEntry { name: name.into(), source: file.into(), crs: None, height_m, capacity_kj })
}

/// A layer's name (`None`: all class layers) and its table.
type Codes = (Option<String>, BTreeMap<String, String>);

fn parse_codes(text: &str) -> Result<Codes> {
    let wrong = || Error::usage(format!("--codes '{text}' is not understood: expected ground:1=hard,2=soft"));
    let (name, list) = text.split_once(':').ok_or_else(wrong)?;
    let mut table = BTreeMap::new();
    for pair in list.split(',') {
        let (code, class) = pair.rsplit_once('=').ok_or_else(wrong)?;
        let code = code.trim().trim_matches(['\'', '"']);
        table.insert(code.to_owned(), class.trim().to_owned());
    }
    Ok((Some(name.trim().to_owned()), table))
}

fn read_class_table(path: &Path) -> Result<Vec<Codes>> {
    let shown = path.display();
    let text = files::read_text(path, "the class table", 16 << 20)?;
    let mut tables: BTreeMap<Option<String>, BTreeMap<String, String>> = BTreeMap::new();
    for (k, line) in text.trim_start_matches('\u{feff}').lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let cells: Vec<String> = line.split([',', ';', '\t']).map(|c| c.trim().trim_matches('"').to_owned()).collect();
        let heading = k == 0 && cells.last().is_some_and(|c| c.eq_ignore_ascii_case("class"));
        match cells.as_slice() {
            _ if heading => {}
            [code, class] => {
                tables.entry(None).or_default().insert(code.clone(), class.clone());
            }
            [layer, code, class] => {
                tables.entry(Some(layer.clone())).or_default().insert(code.clone(), class.clone());
            }
            _ => {
                return Err(Error::input(format!(
                    "line {} of the class table '{shown}' is '{line}': expected CODE,CLASS or LAYER,CODE,CLASS",
                    k + 1
                )));
            }
        }
    }
    if tables.is_empty() {
        return Err(Error::input(format!("the class table '{shown}' is empty: expected lines CODE,CLASS")));
    }
    Ok(tables.into_iter().collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attributes_are_told_from_drive_letters_and_layer_names() {
        let parsed = |text: &str| {
            let layer = parse_layer(text).unwrap();
            (layer.source, layer.attribute, layer.class)
        };
        assert_eq!(parsed("ground=soil.shp:class"), ("soil.shp".into(), Some("class".into()), None));
        assert_eq!(parsed("forest=forest.gpkg"), ("forest.gpkg".into(), None, None));
        assert_eq!(parsed(r"ground=C:\d\soil.shp"), (r"C:\d\soil.shp".into(), None, None));
        assert_eq!(parsed(r"ground=C:\d\soil.shp:typ"), (r"C:\d\soil.shp".into(), Some("typ".into()), None));
        assert_eq!(
            parsed("forest=a b.gpkg|layername=wald:art"),
            ("a b.gpkg|layername=wald".into(), Some("art".into()), None)
        );
        assert_eq!(parsed("forest=a.gpkg:=dense"), ("a.gpkg".into(), None, Some("dense".into())));
    }

    #[test]
    fn codes_are_pairs_after_the_layer() {
        let (name, table) = parse_codes("ground:1=hard,2=soft").unwrap();
        assert_eq!(name.as_deref(), Some("ground"));
        assert_eq!(table, BTreeMap::from([("1".into(), "hard".into()), ("2".into(), "soft".into())]));
        assert!(parse_codes("1=hard").is_err());
    }
}
