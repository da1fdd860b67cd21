//! A project with everything it names read, checked and brought to one CRS and one grid: ready to simulate.

mod as_read;
mod classes;
mod inputs;
mod layers;
mod lines;
mod on_demand;
mod paint;
mod parameters;
mod releases;
pub mod rock_file;
mod whole;

use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use nalgebra::Vector3;

use crate::dynamics::Scene;
use crate::geo::datum_shift::DatumShift;
use crate::geo::dem::DemParts;
use crate::geo::gaps::Gaps;
use crate::geo::local_gaps::LocalGaps;
use crate::geo::{Bounds, Crs, Transformer, jumps, raster, vector::VectorLayer};
use crate::process::memory;
use crate::project::Project;
use crate::project::file::{BarrierSpec, LineSpec, ObjectSpec, ReleaseSpec, RockSpec, ShapeSpec, VectorSource};
use crate::release::Sources;
use crate::rock::Shape;
use crate::terrain::Surface;
use crate::terrain::blocks::{BlockCache, Blocks, Values};
use crate::{Error, Note, Result};

pub use as_read::AsRead;
pub use classes::PaintedClasses;
pub use inputs::InputFile;
pub use layers::LayerInfo;
use on_demand::WHOLE_CELLS;
pub use paint::nodes_inside;

/// Everything a run needs, in the project CRS and SI units.
#[derive(Debug, Clone)]
pub struct Site {
    /// What the user asked for.
    pub project: Project,
    /// The project CRS: projected, in metres.
    pub crs: Crs,
    /// Terrain, ground, forest and how to step.
    pub scene: Scene,
    /// The rocks in the project's order with their shapes, then those that only attributes of release features name.
    pub rocks: Vec<(RockSpec, Shape)>,
    /// Where rocks start.
    pub releases: Vec<ReleaseLayer>,
    /// Where crossings are recorded.
    pub lines: Vec<LineLayer>,
    /// What may stop rocks.
    pub barriers: Vec<BarrierLayer>,
    /// Objects at risk.
    pub objects: Vec<ObjectLayer>,
    /// Every file that was read, with its hash.
    pub inputs: Vec<InputFile>,
    /// What was read from them: by this two runs know whether they are the same.
    pub as_read: Vec<AsRead>,
    /// How layers in other CRSs were brought to the project's.
    pub datum_shifts: Vec<DatumShift>,
    /// Every layer that was read, for tables.
    pub layers: Vec<LayerInfo>,
    /// Classes of ground and forest where layers paint them, for maps of the inputs.
    pub painted: [Option<PaintedClasses>; 2],
    /// Sentences the user should read although the project can be run.
    pub warnings: Vec<Note>,
    /// Where the DEM has no height.
    pub(crate) gaps: LocalGaps,
    /// Files that are read on demand, as they were when they were hashed.
    states: Vec<(PathBuf, FileState)>,
}

/// Length and time of a file.
type FileState = Option<(u64, SystemTime)>;

fn state_of(path: &Path) -> FileState {
    let metadata = std::fs::metadata(path).ok()?;
    Some((metadata.len(), metadata.modified().ok()?))
}

impl Site {
    /// # Errors
    /// When a part of the terrain or of a raster on it could not be read: what was computed since is worth nothing.
    pub(crate) fn is_readable(&self) -> Result<()> {
        self.scene.surface.blocks().map_or(Ok(()), |blocks| blocks.cache().check())
    }

    /// # Errors
    /// When a file that is read on demand is not the one that was hashed.
    pub(crate) fn is_unchanged(&self) -> Result<()> {
        let changed = |(path, state): &&(PathBuf, FileState)| state_of(path) != *state;
        match self.states.iter().find(changed) {
            None => Ok(()),
            Some((path, _)) => Err(Error::input(format!(
                "'{}' was changed while the run was reading it: run the project again in a new folder",
                path.display()
            ))),
        }
    }

    /// What [`crate::release::plan`] plans from.
    pub(crate) fn release_sources(&self) -> Sources<'_> {
        Sources {
            surface: &self.scene.surface,
            layers: self.releases.iter().map(|release| (&release.spec, &release.features)).collect(),
            rocks: &self.rocks,
            listed: self.project.file.rocks.len(),
            ground: &self.project.file.ground,
            seed: self.project.file.simulation.seed,
        }
    }
}

/// A release layer in the project CRS; every feature touches the DEM.
#[derive(Debug, Clone)]
pub struct ReleaseLayer {
    /// As in the project.
    pub spec: ReleaseSpec,
    /// As read.
    pub features: VectorLayer,
}

/// A line layer in the project CRS: lines or multi-part lines only.
#[derive(Debug, Clone)]
pub struct LineLayer {
    /// As in the project.
    pub spec: LineSpec,
    /// As read.
    pub features: VectorLayer,
}

/// A barrier layer in the project CRS: lines or multi-part lines only.
#[derive(Debug, Clone)]
pub struct BarrierLayer {
    /// As in the project.
    pub spec: BarrierSpec,
    /// As read.
    pub features: VectorLayer,
}

/// A layer of objects at risk in the project CRS: lines or polygons.
#[derive(Debug, Clone)]
pub struct ObjectLayer {
    /// What the project says of it.
    pub spec: ObjectSpec,
    /// Footprints or lines.
    pub features: VectorLayer,
}

/// What is collected while a project's layers are read.
struct Reading<'a> {
    project: &'a Project,
    crs: Crs,
    surface: Surface,
    /// Outer edges of the DEM.
    extent: Bounds,
    /// Vector layers as they were read: several scenarios often start from the same one.
    known: Vec<(VectorSource, VectorLayer)>,
    inputs: Vec<InputFile>,
    as_read: Vec<AsRead>,
    datum_shifts: Vec<DatumShift>,
    layers: Vec<LayerInfo>,
    warnings: Vec<Note>,
    /// Of ground and forest.
    painted: [Option<PaintedClasses>; 2],
    /// Where the DEM has no height.
    gaps: LocalGaps,
}

impl Reading<'_> {
    /// Refuses another value for every node where it would not fit; `run` and `check` estimate the rest when all is read.
    fn expect_room(&self, key: &str) -> Result<()> {
        const PER_NODE: u64 = 8;
        const WORTH_ASKING: u64 = 16 << 20;
        let bytes = PER_NODE * self.surface.lattice().len() as u64;
        match memory::lack(bytes).filter(|_| bytes >= WORTH_ASKING) {
            None => Ok(()),
            Some(sentence) => Err(self.project.error_at(key, sentence)),
        }
    }

    /// Notes how a layer comes to the project CRS; `extent` is its rectangle there.
    fn note_datum_shift(&mut self, from: &Crs, extent: &Bounds) {
        if self.datum_shifts.iter().any(|known| known.from == from.label()) {
            return;
        }
        let centre = Transformer::new(&self.crs, from).and_then(|way| way.xy(extent.centre().0, extent.centre().1));
        let shift = centre.ok().and_then(|centre| DatumShift::at(from, &self.crs, centre));
        self.datum_shifts.extend(shift);
    }
}

/// Reads every layer and shape of a project.
///
/// # Errors
/// One sentence that names the key (with line and column), the file and the feature at fault.
pub fn load(project: &Project) -> Result<Site> {
    load_within(project, memory::for_terrain())
}

/// [`load`] with so many bytes for what is known of the terrain: a smaller DEM is kept as a whole, of a larger one what rocks touch.
pub fn load_within(project: &Project, limit: u64) -> Result<Site> {
    let cache = Arc::new(BlockCache::new(limit));
    let loaded = load_with(project, &cache);
    // What cannot be read looks like nodata: the reason is said, not what follows from it.
    cache.check()?;
    loaded
}

fn load_with(project: &Project, cache: &Arc<BlockCache>) -> Result<Site> {
    let file = &project.file;
    let mut rocks = rocks(project)?;
    let mut reading = terrain(project, cache)?;
    for (i, rock) in file.rocks.iter().enumerate() {
        if let ShapeSpec::File(shape) = &rock.shape {
            let key = format!("rocks[{i}].shape");
            reading.plain_input("rocks", &key, &shape.file, &project.resolve(&shape.file))?;
        }
    }
    let ground = reading.ground(&file.ground)?;
    let forest = reading.forest(&file.forest)?;
    let restitution = reading.restitution(&file.restitution)?;
    let mut releases = Vec::new();
    for (i, spec) in file.release.iter().enumerate() {
        let features = reading.release(i, spec)?;
        reading.rocks_of_features(&features, spec, &format!("release[{i}]"), &mut rocks)?;
        releases.push(ReleaseLayer { spec: spec.clone(), features });
    }
    let mut lines = Vec::new();
    for (i, spec) in file.lines.iter().enumerate() {
        let features = reading.lines(&spec.source, &format!("lines[{i}].source"))?;
        lines.push(LineLayer { spec: spec.clone(), features });
    }
    let mut barriers = Vec::new();
    for (i, spec) in file.barriers.iter().enumerate() {
        let features = reading.lines(&spec.source, &format!("barriers[{i}].source"))?;
        barriers.push(BarrierLayer { spec: spec.clone(), features });
    }
    let mut objects = Vec::new();
    for (i, spec) in file.objects.iter().enumerate() {
        let features = reading.objects(&spec.source, &format!("objects[{i}].source"))?;
        objects.push(ObjectLayer { spec: spec.clone(), features });
    }
    let Reading { crs, surface, inputs, as_read, datum_shifts, layers, mut warnings, painted, gaps, .. } = reading;
    warnings.extend(one_shape(&rocks)?);
    let simulation = &file.simulation;
    let scene = Scene {
        forest,
        restitution,
        gravity_m_s2: simulation.gravity_m_s2,
        time_step_s: simulation.time_step_s,
        integrator: simulation.integrator,
        contact: simulation.contact,
        terrain_nodes: simulation.terrain_nodes,
        stepping: simulation.stepping,
        stop: file.stop.clone(),
        ..Scene::new(surface, ground)
    };
    let in_blocks = scene.surface.blocks().is_some();
    // Statistics and smaller copies that GIS programs write beside a raster change nothing of it.
    let beside = |path: &Path| [".aux.xml", ".ovr"].iter().any(|end| path.to_string_lossy().ends_with(end));
    let files = inputs.iter().map(|input| &input.path).filter(|path| in_blocks && !beside(path));
    let states = files.map(|path| (path.clone(), state_of(path))).collect();
    let project = project.clone();
    Ok(Site {
        project,
        crs,
        scene,
        rocks,
        releases,
        lines,
        barriers,
        objects,
        inputs,
        as_read,
        datum_shifts,
        layers,
        painted,
        warnings,
        gaps,
        states,
    })
}

/// An error with the place of a key; the sentence may already begin with the key or one below it.
fn located(project: &Project, key: &str, error: Error) -> Error {
    let below = error.message.strip_prefix(key).filter(|rest| rest.starts_with(['.', ':']));
    let (key, sentence) = match below.and_then(|rest| rest.split_once(": ")) {
        Some((step, sentence)) => (format!("{key}{step}"), sentence),
        None => (key.to_string(), error.message.as_str()),
    };
    Error { kind: error.kind, ..project.error_at(&key, sentence) }
}

/// Where every rock has the same shape, and one that slopes hardly shed.
fn one_shape(rocks: &[(RockSpec, Shape)]) -> Result<Option<Note>> {
    let [(first, shape), others @ ..] = rocks else { return Ok(None) };
    let differs = |(spec, other): &(RockSpec, Shape)| other != shape || spec.axes_m != first.axes_m;
    if shape.differs_from_rock_to_rock() || others.iter().any(differs) {
        return Ok(None);
    }
    let look = shape.appearance(first.axes_m)?;
    let (name, sphericity, edge_deg) = (shape.name.clone(), look.sphericity, look.edge_deg);
    Ok(if look.is_very_angular() {
        Some(Note::OneAngularShape { shape: name, sphericity, edge_deg })
    } else if look.is_very_round() {
        Some(Note::OneRoundShape { shape: name, sphericity, edge_deg })
    } else {
        None
    })
}

fn rocks(project: &Project) -> Result<Vec<(RockSpec, Shape)>> {
    let shape = |(i, rock): (usize, &RockSpec)| {
        let key = format!("rocks[{i}].shape");
        let (key, shape) = match &rock.shape {
            ShapeSpec::Preset(name) => (key, Shape::from_preset(name)),
            ShapeSpec::File(shape) => (format!("{key}.file"), rock_file::shape(&project.resolve(&shape.file))),
            ShapeSpec::Points(shape) => {
                let points: Vec<_> = shape.points_m.iter().map(|p| Vector3::from(*p)).collect();
                (format!("{key}.points_m"), Shape::from_points(&points))
            }
        };
        let shape = shape.map_err(|e| located(project, &key, e))?;
        if let Some(axes) = rock.axes_m {
            let sized = shape.with_axes(axes, rock.density_kg_m3);
            sized.map_err(|e| located(project, &format!("rocks[{i}].axes_m"), e))?;
        }
        Ok((rock.clone(), shape))
    };
    project.file.rocks.iter().enumerate().map(shape).collect()
}

/// Reads the DEM and settles the project CRS.
fn terrain<'p>(project: &'p Project, cache: &Arc<BlockCache>) -> Result<Reading<'p>> {
    let terrain = &project.file.terrain;
    let stated = |key: &str, text: &Option<String>| {
        text.as_ref().map(|text| Crs::from_user(text).map_err(|e| located(project, key, e))).transpose()
    };
    let project_crs = stated("crs", &project.file.crs)?;
    let dem_crs = stated("terrain.crs", &terrain.crs)?;
    let path = project.resolve(&terrain.dem);
    let at = |e| located(project, "terrain.dem", e);
    let info = raster::info(&path).map_err(at)?;
    if terrain.band > info.bands.len() {
        let sentence = format!("found {}, but {:?} has bands 1 to {}", terrain.band, terrain.dem, info.bands.len());
        return Err(project.error_at("terrain.band", sentence));
    }
    let options = raster::ReadRaster {
        band: project.states("terrain.band").then_some(terrain.band),
        purpose: raster::Purpose::Numbers,
        // The project CRS also speaks for a DEM that does not say.
        crs: dem_crs.or(if info.crs.is_none() { project_crs.clone() } else { None }),
        vertical_unit: terrain.vertical_unit,
        window: None,
    };
    let parts = DemParts::open(&path, &options).map_err(at)?;
    let (lattice, crs) = (*parts.lattice(), parts.crs().clone());
    if let Some(wanted) = project_crs
        && !wanted.same_as(&crs)
    {
        let command = raster::prepare_command(&path, wanted.epsg());
        let sentence = format!(
            "found {wanted}, but the DEM is in {crs}; remove the key to work in the DEM's CRS, or bring the DEM to this one \
             with `{command}`"
        );
        return Err(project.error_at("crs", sentence));
    }
    let whole = lattice.len() <= WHOLE_CELLS;
    let mut warnings = parts.warnings.clone();
    let (mut gaps, mut nodata_cells, mut as_read, mut field) = (LocalGaps::unknown(), None, Vec::new(), None);
    if whole {
        let dem = raster::read_dem(&path, &options).map_err(at)?;
        let found = Gaps::of(&dem.field);
        as_read.push(AsRead::new("terrain", &terrain.dem, as_read::dem(&dem)));
        warnings.extend(found.notes("terrain.dem"));
        warnings.extend(jumps::note(&dem.field, "terrain.dem"));
        (gaps, nodata_cells, field) = (LocalGaps::Known(Arc::new(found)), Some(dem.nodata_cells), Some(dem.field));
    } else {
        warnings.push(Note::TerrainOnDemand { cells: lattice.len() as u64 });
    }
    let extent = Bounds::from(lattice.extent());
    let layer = LayerInfo {
        role: "terrain".into(),
        source: terrain.dem.clone(),
        crs: crs.label().to_string(),
        features: None,
        cells: Some((lattice.nx, lattice.ny)),
        cell_m: Some((lattice.dx, lattice.dy)),
        extent,
        overlap_percent: 100.0,
        nodata_cells,
    };
    let fits = 8 * lattice.len() as u64 <= cache.limit();
    let surface = match field.filter(|_| fits) {
        Some(field) => Surface::new(field),
        None => {
            let read =
                move |columns: Range<usize>, rows: Range<usize>| Ok(Values::packed(parts.read(columns, rows)?.0));
            Surface::in_blocks(Arc::new(Blocks::new(lattice, cache, read)))
        }
    };
    let mut reading = Reading {
        project,
        crs,
        surface: surface.map_err(at)?,
        extent,
        known: Vec::new(),
        inputs: Vec::new(),
        as_read,
        datum_shifts: Vec::new(),
        layers: vec![layer],
        warnings,
        painted: [None, None],
        gaps,
    };
    reading.input("terrain", &path)?;
    if !whole {
        let unit = terrain.vertical_unit.map(|unit| unit.to_m());
        let how = [format!("{:?} {unit:?} {lattice:?}", options.band), reading.crs.definition().to_string()];
        let hash = reading.hash_of_sources(&path, &how.each_ref().map(String::as_str))?;
        reading.as_read.push(AsRead::new("terrain", &terrain.dem, hash));
    }
    Ok(reading)
}
