//! Broken inputs by the thousand: valid files are mutated, structurally and byte by byte, and read. Whatever comes of it:
//! no panic, no hang, bounded memory, and a refusal is one sentence.
//!
//! `make test` runs a quick share with fixed seeds; `make fuzz` runs for as long as FUZZ_SECONDS says (each target), from the
//! seed FUZZ_SEED. A failure names the seed and the smallest set of edits that shows it.

mod edit;
mod library;
mod program;
mod site;

use std::time::{Duration, Instant};

use proptest::strategy::Strategy;
use proptest::test_runner::{Config, RngAlgorithm, TestCaseError, TestRng, TestRunner};

/// Runs a target: the quick share, or for as long as asked.
pub fn fuzz<S: Strategy>(
    target: &str,
    strategy: &S,
    quick_cases: u32,
    test: impl Fn(S::Value) -> Result<(), TestCaseError>,
) {
    let number = |name: &str| std::env::var(name).ok().and_then(|text| text.parse::<u64>().ok());
    let (seed, budget) = (number("FUZZ_SEED").unwrap_or(1), number("FUZZ_SECONDS").map(Duration::from_secs));
    let begun = Instant::now();
    let mut cases = 0;
    for round in 0u64.. {
        let mut bytes = [0; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        bytes[8..16].copy_from_slice(&round.to_le_bytes());
        let config =
            Config { cases: quick_cases, failure_persistence: None, max_shrink_time: 60_000, ..Config::default() };
        let rng = TestRng::from_seed(RngAlgorithm::ChaCha, &bytes);
        if let Err(failure) = TestRunner::new_with_rng(config, rng).run(strategy, &test) {
            panic!("{target}, FUZZ_SEED={seed}, round {round}: {failure}");
        }
        cases += quick_cases;
        if budget.is_none_or(|budget| begun.elapsed() >= budget) {
            break;
        }
    }
    println!("{target}: {cases} cases, seed {seed}, {:.0} s", begun.elapsed().as_secs_f64());
}

/// A refusal is one sentence for people: no panic, no debugging output, no end in sight.
pub fn is_a_sentence(message: &str) -> Result<(), TestCaseError> {
    let bad = ["panicked", "couloir made a mistake", "unwrap", "Some(", "None)", "Err(", "Error {", "RUST_BACKTRACE"];
    let complaint = bad.iter().find(|word| message.contains(**word));
    if message.trim().is_empty() || message.trim_end().contains('\n') || complaint.is_some() {
        return Err(TestCaseError::fail(format!("this is no sentence ({complaint:?}): {message:?}")));
    }
    Ok(())
}
