//! The simulation allocates when a rock starts, not while it moves.

use std::alloc::{GlobalAlloc, Layout, System};
use std::cell::Cell;

use couloir::dynamics::{Integrator, Stepping};
use couloir::terrain::GroundScale;
use couloir::trajectory::{Unobserved, simulate};
use couloir::validate::ramp1000;

thread_local! {
    static ALLOCATIONS: Cell<u64> = const { Cell::new(0) };
}

/// The system's allocator, with a count for each thread.
struct Counting;

// SAFETY: every call is handed on to the system's allocator.
unsafe impl GlobalAlloc for Counting {
    unsafe fn alloc(&self, layout: Layout) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.alloc(layout) }
    }

    unsafe fn dealloc(&self, pointer: *mut u8, layout: Layout) {
        unsafe { System.dealloc(pointer, layout) }
    }

    unsafe fn realloc(&self, pointer: *mut u8, layout: Layout, size: usize) -> *mut u8 {
        ALLOCATIONS.with(|count| count.set(count.get() + 1));
        unsafe { System.realloc(pointer, layout, size) }
    }
}

#[global_allocator]
static COUNTING: Counting = Counting;

/// Buffers of a trajectory: faces, edges, vertices, heights, rates, contacts and what the solver keeps, each grown a few times.
const BUFFERS: u64 = 56; // measured 35 to 51, whether a rock takes 5,000 or 12,000 steps

#[test]
fn steps_do_not_allocate() {
    let rock = ramp1000::rock().unwrap();
    for (integrator, stepping) in [
        (Integrator::Implicit, Stepping::Fast),
        (Integrator::Implicit, Stepping::Plain),
        (Integrator::Explicit, Stepping::Fast),
    ] {
        let mut scene = ramp1000::scene(integrator).unwrap();
        scene.stepping = stepping;
        for k in 0..10 {
            let start = ramp1000::start(&rock, k);
            let before = ALLOCATIONS.with(Cell::get);
            let outcome = simulate(&scene, &rock, &start, &GroundScale::default(), &mut Unobserved);
            let allocations = ALLOCATIONS.with(Cell::get) - before;
            println!("{integrator:?} {stepping:?}, {k}: {allocations} allocations in {} steps", outcome.steps);
            assert!(outcome.steps > 2000 && allocations > 0, "{} steps, {allocations} allocations", outcome.steps);
            assert!(allocations <= BUFFERS, "{allocations} allocations in {} steps", outcome.steps);
        }
    }
}
