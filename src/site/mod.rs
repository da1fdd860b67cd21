//! A project with everything it names read, checked and brought to one CRS and one grid: ready to simulate.

mod as_read;
mod classes;
mod inputs;
mod layers;
mod lines;
mod look;
mod on_demand;
mod paint;
mod parameter;
mod parameters;
pub(crate) mod prepared;
mod releases;
pub mod rock_file;
mod rocks;
mod terrain;
mod whole;

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use crate::dynamics::Scene;
use crate::geo::datum_shift::DatumShift;
use crate::geo::local_gaps::LocalGaps;
use crate::geo::{Bounds, Crs, Transformer, vector::VectorLayer};
use crate::process::memory;
use crate::project::Project;
use crate::project::file::{BarrierSpec, LineSpec, ObjectSpec, ReleaseSpec, RockSpec, ShapeSpec, VectorSource};
use crate::release::Sources;
use crate::rock::Shape;
use crate::terrain::Surface;
use crate::terrain::blocks::BlockCache;
use crate::{Error, Note, Result};

pub use as_read::AsRead;
pub use classes::PaintedClasses;
pub use inputs::InputFile;
pub use layers::LayerInfo;
pub use paint::nodes_inside;

/// Most bytes of a terrain on demand that are kept before rocks fall.
const BELOW_RELEASES: u64 = 1 << 27;

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
            keys: self.releases.iter().map(|release| release.ground.as_deref()).collect(),
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
    /// A hash of it and of the terrain below it, if that is large.
    pub(crate) ground: Option<String>,
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
    let mut rocks = rocks::read(project)?;
    let mut reading = terrain::read(project, cache)?;
    // Releases lie all over the terrain: what is below them is looked at, not kept.
    cache.spare(BELOW_RELEASES);
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
        let (features, ground) = reading.release(i, spec)?;
        reading.rocks_of_features(&features, spec, &format!("release[{i}]"), &mut rocks)?;
        releases.push(ReleaseLayer { spec: spec.clone(), features, ground });
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
    warnings.extend(prepared::changed(project, &inputs));
    warnings.extend(rocks::one_shape(&rocks)?);
    let simulation = &file.simulation;
    let scene = Scene {
        forest,
        restitution,
        gravity_m_s2: simulation.gravity_m_s2,
        time_step_s: simulation.time_step_s,
        integrator: simulation.integrator,
        contact: simulation.contact,
        terrain_nodes: simulation.terrain_nodes,
        fast_rocks: simulation.fast_rocks,
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
