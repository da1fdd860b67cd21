//! One rock on its way down: what does not change, where it is, and what it keeps from step to step.

use nalgebra::Vector3;

use super::body::{Body, Pose};
use super::contact::{ContactSetup, Look, Survey};
use super::hold::{CLOSED_M, Seen};
use super::lanes;
use super::percussions::{Lead, Previous};
use super::scene::Scene;
use super::solver::{self, Contact};
use super::start::Start;
use crate::rock::Rock;
use crate::terrain::{Ceiling, GroundScale, Relief, Surface};

/// Few rocks ever have more contacts, or more points so near to the ground that they are looked at for an impact.
const USUAL_CONTACTS: usize = 16;

/// A rock that falls over a scene.
pub struct Fall<'a> {
    /// Terrain, ground and how to step.
    pub scene: &'a Scene,
    /// The rock that falls.
    pub rock: &'a Rock,
    /// How the ground of this rock differs from the scene's.
    pub scale: &'a GroundScale,
    /// Where it is and how it moves.
    pub body: Body,
    /// Memory that steps share.
    pub work: Workspace,
}

/// What one trajectory keeps from step to step: buffers, the solver's first guess, what is known of the surroundings.
#[derive(Debug, Clone, Default)]
pub struct Workspace {
    pub(super) setup: ContactSetup,
    pub(super) survey: Survey,
    /// The rough ground around the rock, where there is roughness.
    pub(super) relief: Option<Relief>,
    /// For looks at the DEM instead.
    over_dem: (ContactSetup, Survey, Option<Ceiling>),
    /// Covers the rock's surroundings, if it can be had and is wanted.
    pub(super) ceiling: Option<Ceiling>,
    /// How fast the vertices leave the ceiling, m/s.
    pub(super) rates: Vec<[f64; lanes::WIDTH]>,
    /// How fast their rates change, m/s².
    pub(super) bends: Vec<[f64; lanes::WIDTH]>,
    pub(super) contacts: Vec<Contact>,
    /// [`Contact::rebound`] of a plastic impact, which only takes energy, in the order of `contacts`.
    pub(super) inelastic: Vec<Vector3<f64>>,
    /// Whether a contact has restitution.
    pub(super) restitution: bool,
    /// Keys of `contacts`, in their order.
    pub(super) keys: Vec<u64>,
    /// Percussions of the step before: the warm start, and which contacts are new.
    pub(super) previous: Vec<Previous>,
    /// A copy of these, for when a longer step is tried and not taken.
    remembered: Vec<Previous>,
    /// Contacts of nodes and edges at the midpoint of the next step, as the last step saw them, and as this one does.
    pub(super) seen: Vec<Seen>,
    pub(super) seen_next: Vec<Seen>,
    pub(super) unseen: Vec<Seen>,
    /// How long after the end of the last step that midpoint would have been, s.
    pub(super) seen_after: f64,
    /// What contacts made of energy beside what they took.
    pub(super) lead: Lead,
    /// Whether the rock counts as in contact for its slippage.
    pub(super) touches: bool,
    /// Smallest gap at the next midpoint as the last step left it, m; not positive, only of contacts that hold.
    pub(super) deepest: f64,
    /// Whether the rock slid on all its contacts in the last step.
    pub(crate) slid: bool,
    /// How many steps the next glide may take.
    pub(super) glide: u64,
    /// [`StepInfo::clearance_m`](super::StepInfo::clearance_m) of the last step, or a lower bound of it.
    pub(super) clearance: f64,
    /// It is a bound: see [`Fall::clearance_in_flight`].
    pub(super) clearance_is_bound: bool,
    /// How long the next step is, s, if the last one ended at an impact.
    pub(super) impact_next: Option<f64>,
    /// Whether it lay still at the end of the last step.
    pub(super) still: bool,
    pub(super) scratch: solver::Scratch,
}

impl<'a> Fall<'a> {
    /// At the start.
    pub fn new(scene: &'a Scene, rock: &'a Rock, scale: &'a GroundScale, start: &Start) -> Self {
        let rough = scene.ground.roughness.as_ref();
        let relief = rough.map(|roughness| Relief::new(&scene.surface, roughness, scale.seed));
        let ground = relief.as_ref().map_or(&scene.surface, Relief::surface);
        let setup = ContactSetup::new(ground.lattice(), scene.terrain_nodes, rock);
        let over_dem = match relief {
            None => Default::default(),
            Some(_) => (ContactSetup::new(scene.surface.lattice(), scene.terrain_nodes, rock), Survey::default(), None),
        };
        let work = Workspace { setup, relief, over_dem, ..Workspace::for_contacts(USUAL_CONTACTS) };
        Self { scene, rock, scale, body: Body::new(start), work }
    }

    /// Sets the rock onto the ground if it starts below it; returns how far it was lifted, and its clearance then. On the ground it is
    /// in contact, as high as contacts that hold are closed.
    pub fn begin(&mut self) -> (f64, f64) {
        let (lifted, clearance) = self.lift_onto_ground();
        self.work.touches = clearance <= CLOSED_M;
        if !self.work.touches || !self.scene.holds_contacts() || self.scene.ground.scarring.is_some() {
            return (lifted, clearance);
        }
        self.body.position.z += CLOSED_M - clearance;
        self.work.clearance = CLOSED_M;
        (lifted, CLOSED_M)
    }

    fn lift_onto_ground(&mut self) -> (f64, f64) {
        let start = self.body.position.z;
        let mut clearance = self.clearance();
        // Once for a polyhedron: its vertical gaps shift with it. A sphere's nearest point moves while it rises.
        for _ in 0..20 {
            if !clearance.is_finite() || clearance >= 0.0 {
                break;
            }
            self.body.position.z -= clearance;
            clearance = self.clearance();
            if clearance > -1e-9 {
                break;
            }
        }
        (self.body.position.z - start, clearance)
    }

    /// Smallest vertical gap between the rock and the ground, m.
    pub fn clearance(&mut self) -> f64 {
        let pose = Pose::new(&self.body.position, &self.body.orientation);
        self.work.clearance = self.look(&pose, |look, survey| look.clearance(survey));
        self.work.clearance_is_bound = false;
        self.work.clearance
    }

    /// [`Fall::clearance`] of a rock that is clear of the ground; of one that is not, any number that is not positive.
    pub(super) fn height_above_ground(&mut self) -> f64 {
        let pose = Pose::new(&self.body.position, &self.body.orientation);
        self.work.clearance = self.look(&pose, |look, survey| look.clearance_above(0.0, survey));
        self.work.clearance_is_bound = false;
        self.work.clearance
    }

    /// [`Fall::height_above_ground`] of a rock that flies, or a bound of it: if the rock is above the ceiling, that is all the next leap may need to
    /// know. See [`Fall::jump_height`].
    #[inline(always)]
    pub(super) fn clearance_in_flight(&mut self) -> f64 {
        let pose = Pose::new(&self.body.position, &self.body.orientation);
        self.look(&pose, |look, survey| look.measure(survey));
        if self.work.survey.lowest <= 0.0 {
            return self.height_above_ground();
        }
        (self.work.clearance, self.work.clearance_is_bound) = (self.work.survey.lowest, true);
        self.work.clearance
    }

    /// No smaller than the clearance, if that is known as a bound from below: the ground around is no deeper below the ceiling.
    #[inline(always)]
    pub(super) fn clearance_at_most(&self) -> f64 {
        let Workspace { clearance, clearance_is_bound, ceiling, survey, .. } = &self.work;
        match (clearance_is_bound, ceiling.filter(|ceiling| ceiling.complete)) {
            (true, Some(ceiling)) => survey.lowest + ceiling.depth,
            (true, None) => f64::INFINITY,
            (false, _) => *clearance,
        }
    }

    /// Puts the clearance itself in the place of a bound.
    #[inline(always)]
    pub(super) fn measure_clearance(&mut self) {
        if self.work.clearance_is_bound {
            self.height_above_ground();
        }
    }

    /// The centre of mass is over terrain: certain if the ceiling over it is complete, for which all ground below it has to be there.
    #[inline(always)]
    pub fn is_over_known_ground(&self) -> bool {
        let (x, y) = (self.body.position.x, self.body.position.y);
        self.work.ceiling.as_ref().is_some_and(|ceiling| ceiling.complete && ceiling.covers(x, y, 0.0))
    }

    /// Kinetic energy and that of its height, J.
    pub fn energy(&self) -> f64 {
        self.body.kinetic_energy(self.rock) + self.weight() * self.body.position.z
    }

    /// N.
    pub fn weight(&self) -> f64 {
        self.rock.mass_kg * self.scene.gravity_m_s2
    }

    /// Slippage decays at this rate where the rock is, 1/s.
    pub(super) fn beta(&self) -> f64 {
        self.scale.beta * self.scene.ground.beta_per_s.at(self.body.position.x, self.body.position.y)
    }

    /// Sees to a ceiling over the rock at a pose and looks at the ground from there.
    pub(super) fn look<T>(&mut self, pose: &Pose, see: impl FnOnce(Look<'_>, &mut Survey) -> T) -> T {
        self.cover(&pose.position, 0.0);
        let Workspace { setup, ceiling, survey, relief, .. } = &mut self.work;
        let surface = relief.as_ref().map_or(&self.scene.surface, Relief::surface);
        let (rock, ceiling) = (self.rock, ceiling.as_ref());
        see(Look { surface, rock, setup, pose, ceiling }, survey)
    }

    /// The ground that contacts see, where it is known.
    pub(super) fn surface(&self) -> &Surface {
        self.work.relief.as_ref().map_or(&self.scene.surface, Relief::surface)
    }

    /// Gets to know the ground around a point.
    fn look_around(&mut self, x: f64, y: f64, reach: f64) {
        if let (Some(relief), Some(roughness)) = (&mut self.work.relief, &self.scene.ground.roughness)
            && !relief.covers(x, y, reach)
        {
            relief.look_around(&self.scene.surface, roughness, x, y, reach);
        }
    }

    /// Smallest vertical gap between the rock and the DEM, m, which is what jump heights are measured from; if it is not larger than `enough`,
    /// which is not negative, any number between the two. `clearance` is that to the ground its contacts see, or a bound of it, as the last step left it.
    #[inline]
    pub fn jump_height(&mut self, clearance: f64, enough: f64) -> f64 {
        if self.work.relief.is_none() {
            let at_most = self.clearance_at_most();
            if !self.work.clearance_is_bound || at_most <= enough {
                return if self.work.clearance_is_bound { at_most } else { clearance };
            }
        }
        self.measured_jump_height(enough)
    }

    #[cold]
    fn measured_jump_height(&mut self, enough: f64) -> f64 {
        let Workspace { relief, over_dem, survey, .. } = &mut self.work;
        let pose = Pose::new(&self.body.position, &self.body.orientation);
        let (surface, rock, position) = (&self.scene.surface, self.rock, &pose.position);
        // What was lowest is often low enough yet.
        let nearest = if relief.is_some() { over_dem.1.nearest } else { survey.nearest };
        let vertex = nearest.filter(|_| enough > 0.0).map(|vertex| pose.place(&rock.vertices[vertex]));
        if let Some(gap) = vertex.and_then(|vertex| surface.ground_gap(&vertex)).filter(|gap| *gap <= enough) {
            return gap;
        }
        if relief.is_none() {
            return self.height_above_ground();
        }
        let (setup, survey, ceiling) = over_dem;
        let reach = rock.bounding_radius;
        if !self.scene.is_plain() && !ceiling.is_some_and(|ceiling| ceiling.covers(position.x, position.y, reach)) {
            let around = Ceiling::around(surface, position.x, position.y, 1.5 * reach);
            *ceiling = (around.complete && around.covers(position.x, position.y, reach)).then_some(around);
        }
        Look { surface, rock, setup, pose: &pose, ceiling: ceiling.as_ref() }.clearance_above(enough, survey)
    }

    /// Renews the ceiling where it does not reach `beyond` metres further than the rock; true if it was renewed.
    pub(super) fn cover(&mut self, position: &Vector3<f64>, beyond: f64) -> bool {
        let (x, y, reach) = (position.x, position.y, self.rock.bounding_radius + beyond);
        let covered = self.work.ceiling.as_ref().is_some_and(|ceiling| ceiling.covers(x, y, reach));
        if covered {
            return false;
        }
        // A little more, so that it lasts for many steps.
        let margin = 0.1 * self.rock.bounding_radius + 0.5 * beyond;
        self.look_around(x, y, reach + margin);
        if self.scene.is_plain() {
            return false;
        }
        let mut ceiling = Ceiling::around(self.surface(), x, y, reach + margin);
        if !ceiling.complete {
            // Beside nodata it would not be above the continued ground.
            ceiling = Ceiling::at_the_rim(self.surface(), x, y, reach + margin);
        }
        self.work.ceiling = ceiling.covers(x, y, reach).then_some(ceiling);
        true
    }
}

impl Workspace {
    /// With room for so many contacts, of a rock in the air.
    fn for_contacts(count: usize) -> Self {
        let mut survey = Survey::default();
        survey.touches.reserve(count);
        Self {
            survey,
            contacts: Vec::with_capacity(count),
            inelastic: Vec::with_capacity(count),
            keys: Vec::with_capacity(count),
            previous: Vec::with_capacity(count),
            remembered: Vec::with_capacity(count),
            clearance: f64::INFINITY,
            ..Self::default()
        }
    }

    /// Contacts of the last step with their percussions (N, T1, T2): vertex index, DEM node from 2³² on, or edge from 2⁶² on.
    pub fn contacts(&self) -> impl Iterator<Item = (u64, &Contact)> {
        self.keys.iter().copied().zip(&self.contacts)
    }

    /// Keeps what a trial changes.
    pub(super) fn remember(&mut self) {
        self.remembered.clone_from(&self.previous);
    }

    /// Whether the contacts found are those of the step before.
    pub(super) fn touches_what_it_did(&self) -> bool {
        let (touches, previous) = (&self.survey.touches, &self.previous);
        touches.len() == previous.len()
            && touches.iter().all(|touch| previous.iter().any(|previous| previous.key == touch.key))
    }

    /// Whether a contact that pressed before [`Workspace::remember`] does not any more.
    pub(super) fn lifts_what_it_pressed(&self) -> bool {
        let presses = |key: u64| self.previous.iter().any(|now| now.key == key && now.presses());
        self.remembered.iter().any(|before| before.presses() && !presses(before.key))
    }

    /// As if there had been no trial since [`Workspace::remember`].
    pub(super) fn recall(&mut self) {
        std::mem::swap(&mut self.previous, &mut self.remembered);
    }

    /// As after a step without contact.
    pub(super) fn forget_contacts(&mut self) {
        self.contacts.clear();
        self.keys.clear();
        self.previous.clear();
        self.seen.clear();
        self.touches = false;
        self.slid = false;
        self.still = false;
        self.impact_next = None;
    }
}
