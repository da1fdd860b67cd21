use super::*;
use crate::hazard::accumulator::Passage;
use crate::hazard::quantity::Quantity;
use crate::hazard::statistics::{Need, Statistics};
use crate::hazard::traverse::Visit;

fn identity() -> Identity {
    Identity {
        engine_version: "0.1.0".into(),
        project_sha256: "aa".into(),
        inputs: vec![("terrain".into(), "bb".into())],
        seed: 7,
        planned: 10,
        total: 10,
        round: None,
        until: None,
    }
}

#[test]
fn a_state_comes_back_to_the_bit() {
    let header = Header {
        identity: identity(),
        range: (0, 10),
        next: 4,
        variants: vec![None],
        scenarios: vec![None, Some("rare".into())],
        logs: vec![PerLog::try_from_fn(|_| Ok(LogSum { bytes: 4, sha256: "ab".into() })).unwrap()],
        project_path: "site/project.yaml".into(),
        layers: vec!["passages".into()],
        overlays: Vec::new(),
        curve: Vec::new(),
        missing: Vec::new(),
    };
    let lattice = Lattice { nx: 40, ny: 40, x0: 2_600_000.1, y0: 0.1 + 0.2, dx: 0.5, dy: 0.5 };
    let some = PerQuantity::new([true, false, true, false]);
    let squares = Squares { widths_m: vec![3.0], energies_kj: vec![30.0], frequency: true };
    let wanted = Wanted { max: some, histogram: some, energies_kj: vec![0.1], squares, ..Default::default() };
    let mut state = State::new(header, lattice, wanted);
    let visits = [Visit { cell: 77, values: PerQuantity::new([1.0, 2.0, 3.0, 4.0]), energy_line_deg: 33.0 }];
    let passage =
        Passage { visits: &visits, source_cell: 3, deposit: Some(77), frequency_per_year: 0.5, half: 1, weight: 1.5 };
    state.accumulators[0][1].add(&passage);
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.bin");
    state.save(&path).unwrap();
    let back = State::load(&path).unwrap();
    let again = folder.path().join("again.bin");
    back.save(&again).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&again).unwrap());
    assert_eq!((&back.header, back.lattice), (&state.header, lattice));
    // Left in its file it is the same; joined with what has counted nothing, too.
    let left = State::locate(&path).unwrap();
    assert!(left.is_stored() && left.header == state.header);
    left.save(&again).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&again).unwrap());
    left.is_readable().unwrap();
    // Tiles that are gone by the time they are wanted are told.
    let cut = folder.path().join("cut.bin");
    std::fs::copy(&path, &cut).unwrap();
    let left = State::locate(&cut).unwrap();
    std::fs::OpenOptions::new().write(true).open(&cut).unwrap().set_len(40).unwrap();
    let nothing = Need { histogram: PerQuantity::new([false; 4]), sources: false };
    Statistics::new(&left.accumulators[0]).for_each_cell(nothing, |cell| panic!("{cell:?}"));
    left.is_readable().unwrap_err();
    let empty = State::new(state.header.clone(), lattice, state.wanted.clone());
    let nothing = folder.path().join("nothing.bin");
    empty.save(&nothing).unwrap();
    empty.save_merged(&again, &[nothing.clone(), path.clone(), nothing]).unwrap();
    assert_eq!(std::fs::read(&path).unwrap(), std::fs::read(&again).unwrap());
    let other = State::new(state.header.clone(), lattice, Wanted::default());
    assert!(other.save_merged(&again, std::slice::from_ref(&path)).unwrap_err().message.contains("other things"));
    std::fs::write(&path, b"something else entirely").unwrap();
    assert!(State::load(&path).is_err());
    let whole = std::fs::read(&again).unwrap();
    for bit in (0..8 * whole.len()).step_by(7) {
        let mut flipped = whole.clone();
        flipped[bit / 8] ^= 1 << (bit % 8);
        std::fs::write(&path, &flipped).unwrap();
        let refused = State::load(&path).unwrap_err();
        assert!(refused.message.contains("state.bin"), "{refused}");
        assert!(!State::is_intact(&path));
    }
    for cut in [0, 15, 16, 40, whole.len() / 2, whole.len() - 1] {
        std::fs::write(&path, &whole[..cut]).unwrap();
        assert!(State::load(&path).is_err(), "{cut}");
    }
    std::fs::write(&path, [&whole[..], b"x"].concat()).unwrap();
    assert!(State::load(&path).is_err());
}

/// What the bytes of a state mean is settled by the number in its first line. Where this fails, stored results would be
/// misread: raise that number, then note the new hash.
#[test]
fn stored_counts_mean_what_they_meant() {
    let header = Header {
        identity: identity(),
        range: (0, 2),
        next: 2,
        variants: vec![None],
        scenarios: vec![None],
        logs: Vec::new(),
        project_path: "project.yaml".into(),
        layers: vec!["passages".into()],
        overlays: Vec::new(),
        curve: Vec::new(),
        missing: Vec::new(),
    };
    let lattice = Lattice { nx: 70, ny: 70, x0: 2_600_000.5, y0: 1_200_000.5, dx: 1.0, dy: 1.0 };
    let all = PerQuantity::new([true; 4]);
    let squares = Squares { widths_m: vec![15.0], energies_kj: vec![30.0], frequency: true };
    let wanted = Wanted { max: all, histogram: all, mean: all, sources: true, energies_kj: vec![30.0], squares };
    let mut state = State::new(header, lattice, wanted);
    for rock in 1..=40_u8 {
        let grow = f32::from(rock);
        let values = PerQuantity::new([7.3 * grow, 1.1 * grow, 0.03 * grow, 0.5 * grow]);
        let visits = [77, 4821].map(|cell| Visit { cell, values, energy_line_deg: 33.0 });
        let passage = Passage {
            visits: &visits,
            source_cell: 3,
            deposit: Some(4821),
            frequency_per_year: 0.5,
            half: 0,
            weight: 2.0,
        };
        state.accumulators[0][0].add(&passage);
    }
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("state.bin");
    state.save(&path).unwrap();
    // Behind the head, which names its own keys.
    let bytes = std::fs::read(&path).unwrap();
    let head = MAGIC.len() + 8 + u64::from_le_bytes(bytes[16..24].try_into().unwrap()) as usize + 32;
    let counts = &bytes[head..bytes.len() - TAIL as usize];
    assert_eq!(hash::sha256(counts), "c0308ee009409876f3f11508d6676331a3f8ddc31adea6ec47742d6296c20977");
    let back = State::load(&path).unwrap();
    let need = Need { histogram: all, sources: true };
    let mut numbers = Vec::new();
    Statistics::new(&back.accumulators[0]).for_each_cell(need, |cell| {
        numbers.push((cell.index, cell.passages, cell.deposits, cell.sources().len()));
        let [energy, speed, jump] = [Quantity::KineticEnergy, Quantity::Velocity, Quantity::JumpHeight];
        // Interpolated between order statistics, each known to 0.8 %.
        let quantiles = [cell.quantile(energy, 0.9) / 263.53, cell.quantile(speed, 0.5) / 22.55];
        assert!(quantiles.iter().all(|ratio| (ratio - 1.0).abs() < 0.01), "{quantiles:?}");
        assert!((cell.mean(jump) - 0.615).abs() < 1e-4 && (cell.max[Quantity::KineticEnergy] - 292.0).abs() < 1e-3);
        assert!((cell.frequency_above(0) - 18.0).abs() < 1e-6, "{}", cell.frequency_above(0));
    });
    assert_eq!(numbers, [(77, 40, 0, 1), (4821, 40, 40, 1)]);
}

#[test]
fn a_difference_is_named() {
    let mine = identity();
    assert_eq!(mine.difference(&identity()), None);
    let named = |other: Identity| mine.difference(&other).unwrap();
    assert!(named(Identity { seed: 8, ..identity() }).contains("seeds (7 and 8)"));
    assert!(named(Identity { project_sha256: "cc".into(), ..identity() }).contains("project files"));
    assert!(named(Identity { engine_version: "0.2.0".into(), ..identity() }).contains("0.1.0 and 0.2.0"));
    assert!(named(Identity { inputs: vec![("terrain".into(), "xx".into())], ..identity() }).contains("terrain"));
    assert!(named(Identity { inputs: Vec::new(), ..identity() }).contains("numbers of inputs"));
    let (total, planned) = (mine.total + 1, mine.planned + 1);
    assert!(named(Identity { total, ..identity() }).contains("numbers of trajectories"));
    assert!(named(Identity { planned, ..identity() }).contains("numbers of trajectories"));
    assert!(named(Identity { round: Some(3), ..identity() }).contains("numbering"));
}
