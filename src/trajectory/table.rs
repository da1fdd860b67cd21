//! A trajectory as a table: the full state after every step, for comparison with other programs.

use std::fmt::Write;

use super::{Outcome, Start, StopReason, Traced, trace};
use crate::dynamics::{Fall, Scene, friction};
use crate::rock::Rock;
use crate::terrain::GroundScale;

/// Column names; those with a unit end in it. `omega` is in the frame K of the principal axes. `percussions` lists each closed
/// contact as `point:normal:tangent1:tangent2` in N s, the point being the hull vertex, 2³² and more for a DEM node, 2⁶² and
/// more for an edge of the hull.
pub const HEADER: &str = "t_s,x_m,y_m,z_m,qw,qx,qy,qz,vx_m_s,vy_m_s,vz_m_s,omega_x_rad_s,omega_y_rad_s,omega_z_rad_s,\
    slippage_m,mu,scar_depth_m,clearance_m,contacts,pressed,percussion_x_ns,percussion_y_ns,percussion_z_ns,percussions,\
    kinetic_translational_j,kinetic_rotational_j,potential_j,work_contact_j,work_drag_j,energy_residual_j,pushed_out_m,\
    solver,sweeps,residual_m_s,mode";

/// The table with every `every`-th step, the start and the end. Positions are in world coordinates.
pub fn write(scene: &Scene, rock: &Rock, start: &Start, scale: &GroundScale, every: u64) -> (String, Outcome) {
    let mut table = format!("{HEADER}\n");
    let (mut step, mut last) = (0, String::new());
    let outcome = trace(scene, rock, start, scale, |traced| {
        last = row(traced);
        if step % every.max(1) == 0 {
            table.push_str(&last);
            last.clear();
        }
        step += 1;
    });
    table.push_str(&last);
    if outcome.stop == StopReason::AtRest
        && let Some(comma) = table.trim_end().rfind(',')
    {
        table.truncate(comma);
        table.push_str(",rest\n");
    }
    (table, outcome)
}

fn row(traced: &Traced<'_>) -> String {
    let Fall { scene, rock, scale, body, work } = traced.fall;
    let (sample, lattice) = (traced.sample, scene.surface.lattice());
    let (r, q, v, w) = (sample.position, sample.orientation, sample.velocity, sample.omega);
    let ground = &scene.ground;
    let kappa = scale.kappa * ground.kappa_per_m.at(r.x, r.y);
    let mu =
        scale.mu * friction::coefficient(ground.mu_min.at(r.x, r.y), ground.mu_max.at(r.x, r.y), kappa, body.slippage);
    let mut out = String::with_capacity(512);
    let mut put = |value: f64| {
        let _ = write!(out, "{value},");
    };
    put(sample.time_s);
    [r.x + lattice.x0, r.y + lattice.y0, r.z].into_iter().for_each(&mut put);
    [q.w, q.i, q.j, q.k].into_iter().for_each(&mut put);
    [v.x, v.y, v.z, w.x, w.y, w.z].into_iter().for_each(&mut put);
    [body.slippage, mu, body.scar_depth.unwrap_or(0.0)].into_iter().for_each(&mut put);
    put(traced.step.map_or(sample.jump_height_m, |info| info.clearance_m));

    let info = traced.step;
    let percussion = info.map(|i| i.percussion).unwrap_or_default();
    let counts = info.map_or((0, 0), |i| (i.closed, i.pressed));
    let _ = write!(out, "{},{},{},{},{},", counts.0, counts.1, percussion.x, percussion.y, percussion.z);
    if counts.0 > 0 {
        let one = |(key, contact): (u64, &crate::dynamics::solver::Contact)| {
            let p = contact.percussion;
            format!("{key}:{}:{}:{}", p.x, p.y, p.z)
        };
        out.push_str(&work.contacts().map(one).collect::<Vec<_>>().join(" "));
    }
    let rotational = 0.5 * w.dot(&rock.inertia.component_mul(&w));
    let potential = rock.mass_kg * scene.gravity_m_s2 * r.z;
    let energy = info.map(|i| i.energy).unwrap_or_default();
    let _ = write!(out, ",{},{rotational},{potential},", 0.5 * rock.mass_kg * v.norm_squared());
    let _ = write!(out, "{},{},{},", energy.contact, energy.drag, energy.residual());
    let _ = write!(out, "{},", info.map_or(0.0, |i| i.pushed_out_m));
    let _ = match info.and_then(|i| i.solver) {
        None => write!(out, "none,0,0,"),
        Some(s) => {
            write!(out, "{},{},{},", if s.converged { "converged" } else { "not_converged" }, s.sweeps, s.residual)
        }
    };
    out.push_str(match info.and_then(|i| i.mode) {
        Some(mode) => mode.name(),
        None if counts.1 > 0 => "contact",
        None => "flight",
    });
    out.push('\n');
    out
}
