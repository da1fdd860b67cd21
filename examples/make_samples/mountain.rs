//! An alpine slope from crest to stream: bedrock and its gullies, the cliff band's ledges, scree below it, terraced
//! meadows, the valley floor. Height fields only; what people built is in `earthworks`.

use couloir::terrain::grid::{Field, Lattice};

use crate::erosion::{diffuse, drain, erode};
use crate::noise::{fractal, gradient, ridged, smooth_max, smoothstep, uniform};

/// What distinguishes one site from another.
pub struct Plan {
    pub seed: u64,
    /// The finished DEM.
    pub lattice: Lattice,
    /// Where water runs, clockwise from north.
    pub fall_azimuth_deg: f64,
    /// Fall coordinate (metres down the slope from the site's middle) and height of the undisturbed slope.
    pub profile: Vec<(f64, f64)>,
    /// Fall coordinates of the cliff's top and foot, of the meadow's upper edge, of the valley floor's edge and of the stream.
    pub cliff: (f64, f64),
    pub meadow: f64,
    pub floor: f64,
    pub stream: f64,
    /// How far along the slope the cliff band goes on to either side of the middle, m.
    pub cliff_reach: (f64, f64),
}

/// The finished slope with what lies on it, each from 0 to 1.
pub struct Mountain {
    pub frame: Frame,
    pub dem: Field<f64>,
    pub rock: Field<f64>,
    pub scree: Field<f64>,
    pub meadow: Field<f64>,
    pub floor: Field<f64>,
    pub gully: Field<f64>,
}

/// Coordinates along (s, down the slope) and across the slope (t, to the right of someone looking down).
#[derive(Clone, Copy)]
pub struct Frame {
    middle: (f64, f64),
    down: (f64, f64),
}

impl Frame {
    pub fn st(&self, x: f64, y: f64) -> (f64, f64) {
        let (u, v) = (x - self.middle.0, y - self.middle.1);
        (u * self.down.0 + v * self.down.1, u * self.down.1 - v * self.down.0)
    }

    pub fn xy(&self, s: f64, t: f64) -> (f64, f64) {
        (self.middle.0 + s * self.down.0 + t * self.down.1, self.middle.1 + s * self.down.1 - t * self.down.0)
    }
}

/// Land around the DEM that is computed too, so that gullies do not begin at its edge, m.
const MARGIN_M: f64 = 120.0;
/// The valley's own fall, along t.
const VALLEY_GRADE: f64 = 0.03;

pub fn build(plan: &Plan) -> Mountain {
    let frame = frame(plan);
    let fine = with_margin(&plan.lattice);
    let coarse = Lattice { nx: fine.nx / 2 + 1, ny: fine.ny / 2 + 1, dx: 2.0 * fine.dx, dy: 2.0 * fine.dy, ..fine };

    let mut bedrock = fill(&coarse, |x, y| bedrock_height(plan, &frame, x, y));
    let strength: Vec<f64> = over(&coarse, |x, y| 0.011 * erodibility(plan, &frame, x, y));
    let creep: Vec<f64> = over(&coarse, |x, y| 0.03 + 0.07 * meadow_share(plan, &frame, x, y));
    for _ in 0..40 {
        erode(&mut bedrock, &strength, &creep);
    }

    let mut dem = refine(&bedrock, &fine);
    let rock = fill(&fine, |x, y| rock_share(plan, &frame, x, y));
    for (cell, height) in dem.values.iter_mut().enumerate() {
        let (x, y) = position(&fine, cell);
        let valley = smoothstep(plan.meadow - 100.0, plan.meadow + 50.0, frame.st(x, y).0);
        *height += 1.3 * rock.values[cell] * fractal(plan.seed + 31, x / 26.0, y / 26.0, 4, 0.55)
            + (0.4 + 0.9 * (1.0 - valley)) * fractal(plan.seed + 32, x / 48.0, y / 48.0, 4, 0.55);
        *height = ledges(plan, &frame, x, y, *height, rock.values[cell]);
    }
    let strength: Vec<f64> = over(&fine, |x, y| 0.004 * erodibility(plan, &frame, x, y));
    let creep: Vec<f64> = rock.values.iter().map(|rock| 0.03 + 0.09 * (1.0 - rock)).collect();
    for _ in 0..8 {
        erode(&mut dem, &strength, &creep);
    }
    let area = drain(&dem).area;
    let gully = Field { lattice: fine, values: area.iter().map(|a| smoothstep(1500.0, 9000.0, *a)).collect() };

    let scree = lay_scree(plan, &frame, &mut dem, &area);
    let meadow = fill(&fine, |x, y| meadow_share(plan, &frame, x, y));
    let mut dry = Field { lattice: fine, values: area.iter().map(|a| smoothstep(1600.0, 600.0, *a)).collect() };
    for _ in 0..40 {
        diffuse(&mut dry, &vec![0.2; fine.len()]);
    }
    for (cell, height) in dem.values.iter_mut().enumerate() {
        let (x, y) = position(&fine, cell);
        let share = meadow.values[cell] * smoothstep(0.45, 0.98, dry.values[cell]);
        *height = terraces(plan, &frame, x, y, *height, share);
    }
    let rock = Field {
        lattice: fine,
        values: rock.values.iter().zip(&scree.values).map(|(rock, scree)| rock * (1.0 - scree)).collect(),
    };
    let floor = fill(&fine, |x, y| floor_share(plan, &frame, x, y));
    roughen(plan, &mut dem, &rock, &scree, &meadow, &floor);

    let crop = |field: &Field<f64>| crop(field, &plan.lattice);
    Mountain {
        frame,
        dem: crop(&dem),
        rock: crop(&rock),
        scree: crop(&scree),
        meadow: crop(&meadow),
        floor: crop(&floor),
        gully: crop(&gully),
    }
}

fn frame(plan: &Plan) -> Frame {
    let (west, south, east, north) = plan.lattice.extent();
    let azimuth = plan.fall_azimuth_deg.to_radians();
    Frame { middle: (0.5 * (west + east), 0.5 * (south + north)), down: (azimuth.sin(), azimuth.cos()) }
}

/// Fall coordinate of the *geology*: the slope bends in and out, so that no edge runs straight.
fn bent(plan: &Plan, x: f64, y: f64, s: f64) -> f64 {
    let swing = 1.0 - 0.75 * smoothstep(plan.meadow, plan.floor, s);
    s + swing
        * (46.0 * gradient(plan.seed + 1, x / 410.0, y / 410.0)
            + 22.0 * gradient(plan.seed + 2, x / 170.0, y / 170.0)
            + 7.0 * fractal(plan.seed + 3, x / 70.0, y / 70.0, 3, 0.5))
}

/// Whether the cliff band exists at this place along the slope.
fn cliff_share(plan: &Plan, x: f64, y: f64, t: f64) -> f64 {
    let t = t + 60.0 * gradient(plan.seed + 5, x / 150.0, y / 150.0);
    smoothstep(-plan.cliff_reach.0 - 90.0, -plan.cliff_reach.0 + 40.0, t)
        * smoothstep(plan.cliff_reach.1 + 90.0, plan.cliff_reach.1 - 40.0, t)
}

/// The profile, its corners rounded over some 25 m; without a cliff, its height is spread over the slope above and below.
fn profile_height(plan: &Plan, s: f64, cliff: f64) -> f64 {
    let straight = |s: f64| {
        let upper = plan.profile.iter().rposition(|p| p.0 <= s).unwrap_or(0).min(plan.profile.len() - 2);
        let ((s0, z0), (s1, z1)) = (plan.profile[upper], plan.profile[upper + 1]);
        z0 + (z1 - z0) * (s - s0) / (s1 - s0)
    };
    let (from, to) = (plan.cliff.0 - 130.0, plan.cliff.1 + 190.0);
    let at = |s: f64| {
        let with = straight(s);
        if s <= from || s >= to {
            return with;
        }
        let without = straight(from) + (straight(to) - straight(from)) * (s - from) / (to - from);
        with * cliff + without * (1.0 - cliff)
    };
    let width = 5.0 + 14.0 * smoothstep(plan.cliff.1 + 20.0, plan.cliff.1 + 120.0, s);
    [-2.0, -1.0, 0.0, 1.0, 2.0].iter().map(|k| at(s + k * width * 0.7)).sum::<f64>() / 5.0
}

fn bedrock_height(plan: &Plan, frame: &Frame, x: f64, y: f64) -> f64 {
    let (s, t) = frame.st(x, y);
    let slope = 1.0 - smoothstep(plan.meadow, plan.floor, s);
    let high = 1.0 - smoothstep(plan.cliff.1, plan.cliff.1 + 200.0, s);
    profile_height(plan, bent(plan, x, y, s), cliff_share(plan, x, y, t)) - VALLEY_GRADE * t
        + (1.5 + 7.0 * slope) * fractal(plan.seed + 11, x / 260.0, y / 260.0, 5, 0.5)
        + 9.0 * high * (ridged(plan.seed + 12, x / 150.0, y / 150.0, 4, 0.5) - 0.8)
}

/// The cliff band, and outcrops on the slope above it.
fn rock_share(plan: &Plan, frame: &Frame, x: f64, y: f64) -> f64 {
    let (s, t) = frame.st(x, y);
    let s = bent(plan, x, y, s);
    let band = smoothstep(plan.cliff.0 - 28.0, plan.cliff.0 - 4.0, s)
        * smoothstep(plan.cliff.1 + 22.0, plan.cliff.1 + 6.0, s)
        * cliff_share(plan, x, y, t);
    let outcrop = smoothstep(plan.cliff.0 - 20.0, plan.cliff.0 - 70.0, s)
        * smoothstep(0.35, 0.7, fractal(plan.seed + 16, x / 140.0, y / 140.0, 3, 0.5));
    band.max(0.8 * outcrop)
}

fn meadow_share(plan: &Plan, frame: &Frame, x: f64, y: f64) -> f64 {
    let (s, _) = frame.st(x, y);
    smoothstep(plan.meadow - 15.0, plan.meadow + 25.0, bent(plan, x, y, s)) * (1.0 - floor_share(plan, frame, x, y))
}

fn floor_share(plan: &Plan, frame: &Frame, x: f64, y: f64) -> f64 {
    let (s, _) = frame.st(x, y);
    let s = bent(plan, x, y, s);
    let beyond = 2.0 * plan.stream - plan.floor;
    smoothstep(plan.floor - 10.0, plan.floor + 15.0, s) * smoothstep(beyond + 15.0, beyond - 10.0, s)
}

/// Hard where the cliff is, tough under grass, soft in the till between.
fn erodibility(plan: &Plan, frame: &Frame, x: f64, y: f64) -> f64 {
    let (rock, meadow) = (rock_share(plan, frame, x, y), meadow_share(plan, frame, x, y));
    let patchy = 1.0 + 0.7 * gradient(plan.seed + 15, x / 90.0, y / 90.0);
    let floor = floor_share(plan, frame, x, y);
    // Water sinks into scree and till below the cliff and only the larger gullies go on.
    let (s, _) = frame.st(x, y);
    let dry = smoothstep(plan.cliff.1 - 10.0, plan.cliff.1 + 25.0, bent(plan, x, y, s));
    patchy * (1.0 - 0.45 * rock) * (1.0 - 0.72 * dry) * (1.0 - 0.4 * meadow) * (1.0 - floor)
}

/// A staircase with soft edges: `depth` 0 leaves the height, 1 makes level treads.
fn staircase(height: f64, rise: f64, depth: f64) -> f64 {
    height - depth * rise * (std::f64::consts::TAU * height / rise).sin() / std::f64::consts::TAU
}

/// Beds of the cliff, dipping along the slope: ledges of two sizes.
fn ledges(plan: &Plan, frame: &Frame, x: f64, y: f64, height: f64, share: f64) -> f64 {
    let (s, t) = frame.st(x, y);
    let bed = height + 0.13 * t + 0.06 * s + 5.0 * fractal(plan.seed + 21, x / 160.0, y / 160.0, 3, 0.5);
    let strong = 0.55 + 0.3 * gradient(plan.seed + 22, x / 120.0, y / 120.0);
    let bed_height = staircase(bed, 24.0, share * strong);
    height + (staircase(bed_height, 8.5, share * 0.8 * strong) - bed)
}

/// Terraces of the old fields: walls every few metres of height, fading out here and there.
fn terraces(plan: &Plan, frame: &Frame, x: f64, y: f64, height: f64, share: f64) -> f64 {
    let (_, t) = frame.st(x, y);
    let level = height + VALLEY_GRADE * t + 4.0 * fractal(plan.seed + 41, x / 210.0, y / 210.0, 2, 0.4);
    let kept = smoothstep(0.0, 0.5, gradient(plan.seed + 42, x / 190.0, y / 190.0));
    let rise = 3.2;
    let u = level / rise - (level / rise).floor();
    let terraced = (level / rise).floor() + 0.35 * u + 0.65 * smoothstep(0.6, 1.0, u);
    height + share * kept * (terraced * rise - level)
}

/// Cones of scree under the cliff, large where a gully ends, and the apron between them. Returns where it lies.
fn lay_scree(plan: &Plan, frame: &Frame, dem: &mut Field<f64>, area: &[f64]) -> Field<f64> {
    const REACH_M: f64 = 400.0;
    let lattice = dem.lattice;
    let apexes = scree_apexes(plan, frame, dem, area);
    let mut share = Field { lattice, values: vec![0.0; lattice.len()] };
    for cell in 0..lattice.len() {
        let (x, y) = position(&lattice, cell);
        let (s, t) = frame.st(x, y);
        if s < plan.cliff.0 - 80.0 || s > plan.meadow {
            continue;
        }
        let ground = dem.values[cell];
        let uneven = 1.0 + 0.03 * fractal(plan.seed + 51, x / 130.0, y / 130.0, 2, 0.5);
        let mut surface = f64::NEG_INFINITY;
        for apex in &apexes {
            let r2 = (x - apex.x).powi(2) + (y - apex.y).powi(2);
            if r2 < REACH_M * REACH_M {
                // 37° at the top, 34° three hundred metres down, 5 m of rounding.
                let cone = apex.height - uneven * (0.765 * (r2 + 49.0).sqrt() - 0.00018 * r2);
                if cone > ground - 8.0 {
                    surface = if surface.is_finite() { smooth_max(surface, cone, 1.5) } else { cone };
                }
            }
        }
        if surface.is_finite() {
            // Runnels and levees of small debris flows.
            surface += 0.6 * gradient(plan.seed + 52, t / 21.0, s / 110.0)
                + 0.35 * gradient(plan.seed + 53, t / 9.0, s / 45.0);
            let depth = surface - ground;
            dem.values[cell] = smooth_max(surface, ground, 1.2);
            share.values[cell] = smoothstep(-0.1, 0.7, depth);
        }
    }
    share
}

struct Apex {
    x: f64,
    y: f64,
    height: f64,
}

/// Every few metres along the cliff's foot, the more scree the more water (and so debris) comes down there.
fn scree_apexes(plan: &Plan, frame: &Frame, dem: &Field<f64>, area: &[f64]) -> Vec<Apex> {
    let lattice = dem.lattice;
    let mut apexes = Vec::new();
    let mut t = -plan.cliff_reach.0 - 60.0;
    while t < plan.cliff_reach.1 + 60.0 {
        let foot = (-60..=60).map(|k| plan.cliff.1 + f64::from(k)).find(|s| {
            let (x, y) = frame.xy(*s, t);
            bent(plan, x, y, *s) >= plan.cliff.1 - 4.0
        });
        if let Some(s) = foot {
            let (x, y) = frame.xy(s, t);
            if let (Some(ground), Some((column, row))) = (dem.at(x, y), lattice.cell_at(x, y)) {
                let water = (-2_i64..=2)
                    .flat_map(|i| (-2_i64..=2).map(move |j| (column as i64 + i, row as i64 + j)))
                    .filter(|(i, j)| *i >= 0 && *j >= 0 && *i < lattice.nx as i64 && *j < lattice.ny as i64)
                    .map(|(i, j)| area[j as usize * lattice.nx + i as usize])
                    .fold(0.0, f64::max);
                let cone = 19.0 * smoothstep(900.0, 26000.0, water);
                let apron = 8.0 + 3.5 * gradient(plan.seed + 61, t / 45.0, 0.5);
                let height = ground + cliff_share(plan, x, y, t) * (cone + apron) - 1.0;
                apexes.push(Apex { x, y, height });
            }
        }
        t += 4.0;
    }
    apexes
}

/// What is smaller than the erosion sees: blocks on scree, joints in rock, hummocks in the wood, hardly anything in a meadow.
fn roughen(
    plan: &Plan,
    dem: &mut Field<f64>,
    rock: &Field<f64>,
    scree: &Field<f64>,
    meadow: &Field<f64>,
    floor: &Field<f64>,
) {
    let lattice = dem.lattice;
    for cell in 0..lattice.len() {
        let (x, y) = position(&lattice, cell);
        let (rock, scree) = (rock.values[cell], scree.values[cell]);
        let soil = (1.0 - rock) * (1.0 - scree);
        let wood = soil * (1.0 - meadow.values[cell]) * (1.0 - floor.values[cell]);
        let fine = fractal(plan.seed + 71, x / 9.0, y / 9.0, 2, 0.6);
        dem.values[cell] += fine * (0.45 * rock + 0.22 * scree + 0.13 * wood + 0.02 * soil)
            + 0.5 * wood * fractal(plan.seed + 72, x / 31.0, y / 31.0, 2, 0.5);
    }
    let tilled = meadow.values.iter().zip(&floor.values).map(|(meadow, floor)| meadow + floor).collect();
    scatter_blocks(plan, dem, scree, &Field { lattice, values: tilled });
}

/// Single large blocks, most of them near the end of the scree where the largest ones come to rest.
fn scatter_blocks(plan: &Plan, dem: &mut Field<f64>, scree: &Field<f64>, tilled: &Field<f64>) {
    let lattice = dem.lattice;
    let (west, south, east, north) = lattice.extent();
    let spacing = 11.0;
    for i in (west / spacing) as i64..(east / spacing) as i64 {
        for j in (south / spacing) as i64..(north / spacing) as i64 {
            let draw = |k: u64| uniform(plan.seed + 80 + k, i, j);
            let (x, y) = ((i as f64 + draw(0)) * spacing, (j as f64 + draw(1)) * spacing);
            let Some((column, row)) = lattice.cell_at(x, y) else { continue };
            let (scree, tilled) = (scree.values[row * lattice.nx + column], tilled.values[row * lattice.nx + column]);
            let patch = smoothstep(-0.2, 0.7, gradient(plan.seed + 79, x / 70.0, y / 70.0));
            let chance = if scree > 0.5 { 0.08 + 0.4 * patch } else { (0.12 * patch) * (1.0 - tilled) };
            if draw(2) > chance {
                continue;
            }
            let (radius, height) = (1.8 + 2.2 * draw(3), 0.3 + 1.3 * draw(4) * draw(4));
            for l in row.saturating_sub(3)..(row + 4).min(lattice.ny) {
                for k in column.saturating_sub(3)..(column + 4).min(lattice.nx) {
                    let (cx, cy) = lattice.centre(k, l);
                    let r = (cx - x).hypot(cy - y);
                    dem.values[l * lattice.nx + k] += height * smoothstep(radius, 0.4 * radius, r);
                }
            }
        }
    }
}

fn with_margin(lattice: &Lattice) -> Lattice {
    let cells = (MARGIN_M / lattice.dx).ceil();
    Lattice {
        nx: lattice.nx + 2 * cells as usize,
        ny: lattice.ny + 2 * cells as usize,
        x0: lattice.x0 - cells * lattice.dx,
        y0: lattice.y0 - cells * lattice.dy,
        ..*lattice
    }
}

fn crop(field: &Field<f64>, lattice: &Lattice) -> Field<f64> {
    let cells = (MARGIN_M / lattice.dx).ceil() as usize;
    let rows = (0..lattice.ny).map(|row| (row + cells) * field.lattice.nx + cells);
    Field { lattice: *lattice, values: rows.flat_map(|from| &field.values[from..from + lattice.nx]).copied().collect() }
}

/// The coarse field on the fine lattice, its bilinear creases smoothed away.
fn refine(coarse: &Field<f64>, fine: &Lattice) -> Field<f64> {
    let mut field = fill(fine, |x, y| {
        let east = coarse.lattice.x0 + (coarse.lattice.nx - 1) as f64 * coarse.lattice.dx;
        let north = coarse.lattice.y0 + (coarse.lattice.ny - 1) as f64 * coarse.lattice.dy;
        coarse.at(x.min(east), y.min(north)).unwrap_or(f64::NAN)
    });
    let number = vec![0.15; fine.len()];
    for _ in 0..3 {
        diffuse(&mut field, &number);
    }
    field
}

pub fn position(lattice: &Lattice, cell: usize) -> (f64, f64) {
    lattice.centre(cell % lattice.nx, cell / lattice.nx)
}

pub fn over(lattice: &Lattice, value: impl Fn(f64, f64) -> f64) -> Vec<f64> {
    (0..lattice.len()).map(|cell| position(lattice, cell)).map(|(x, y)| value(x, y)).collect()
}

pub fn fill(lattice: &Lattice, value: impl Fn(f64, f64) -> f64) -> Field<f64> {
    Field { lattice: *lattice, values: over(lattice, value) }
}
