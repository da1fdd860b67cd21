use super::*;
use std::sync::atomic::AtomicUsize;

const LATTICE: Lattice = Lattice { nx: 3000, ny: 900, x0: 0.0, y0: 0.0, dx: 1.0, dy: 1.0 };

fn value(column: usize, row: usize) -> f64 {
    if (column + row).is_multiple_of(97) { f64::NAN } else { column as f64 + 0.5 * row as f64 }
}

fn blocks(limit: u64, loads: &'static AtomicUsize) -> Arc<Blocks> {
    let load = move |columns: Range<usize>, rows: Range<usize>| {
        loads.fetch_add(1, Ordering::Relaxed);
        let row = |row: usize| columns.clone().map(move |column| value(column, row)).collect::<Vec<_>>();
        Ok(Values::packed(rows.flat_map(row).collect()))
    };
    Arc::new(Blocks::new(LATTICE, &Arc::new(BlockCache::new(limit)), load))
}

/// Whatever is forgotten in between, and whoever asks beside it, every node has its value.
#[test]
fn values_do_not_depend_on_what_is_in_memory() {
    static LOADS: AtomicUsize = AtomicUsize::new(0);
    // Three blocks of 48 fit.
    let blocks = blocks(3 * 4 * (SIDE * SIDE) as u64 + 1000, &LOADS);
    std::thread::scope(|scope| {
        for thread in 0..4_usize {
            let blocks = blocks.clone();
            scope.spawn(move || {
                let view = View::new(blocks);
                for k in 0..40_000_usize {
                    let k = k * 7919 + thread * 104_729;
                    let (column, row) = (k % LATTICE.nx, (k / 13) % LATTICE.ny);
                    let (found, expected) = (view.at(column, row), value(column, row));
                    assert!(found == expected || found.is_nan() && expected.is_nan(), "{column} {row}");
                }
            });
        }
    });
    assert!(LOADS.load(Ordering::Relaxed) > 48, "some were read again");
    let held = blocks.cache.held();
    assert!(held.bytes <= blocks.cache.limit(), "{} of {}", held.bytes, blocks.cache.limit());
    assert_eq!(held.bytes, held.blocks.values().map(|entry| entry.bytes).sum::<u64>());
}

/// Four neighbours and pieces of rows are the values one by one, within blocks and across their borders, in whatever kind of number.
#[test]
fn neighbours_at_once_are_those_one_by_one() {
    let kinds: [fn(usize, usize) -> f64; 4] = [
        value,
        |column, row| 0.1 * (column * row) as f64,
        |column, row| if column < SIDE { 7.0 } else { (column + row) as f64 },
        |column, row| ((column + row) % 5) as f64,
    ];
    for (kind, value) in kinds.into_iter().enumerate() {
        let load = move |columns: Range<usize>, rows: Range<usize>| {
            let row = |row: usize| columns.clone().map(move |column| value(column, row)).collect::<Vec<_>>();
            let values: Vec<f64> = rows.flat_map(row).collect();
            let codes = || Values::codes(values.iter().map(|value| *value as u8).collect());
            Ok(if kind == 3 { codes() } else { Values::packed(values.clone()) })
        };
        let view = View::new(Arc::new(Blocks::new(LATTICE, &Arc::new(BlockCache::new(1 << 30)), load)));
        let bits = |values: &[f64]| values.iter().map(|value| value.to_bits()).collect::<Vec<_>>();
        let rows = [0, 7, SIDE - 2, SIDE - 1, SIDE, 3 * SIDE - 1, LATTICE.ny - 2];
        for row in rows {
            for column in rows.into_iter().chain([LATTICE.nx - 2, 11 * SIDE - 1, 2100]) {
                let one_by_one =
                    [(0, 0), (1, 0), (0, 1), (1, 1)].map(|(east, north)| view.at(column + east, row + north));
                assert_eq!(bits(&view.corners(column, row)), bits(&one_by_one), "{kind}: {column} {row}");
            }
            let (mut found, columns) = (vec![1.0], 200..LATTICE.nx - 3);
            view.extend(row, columns.clone(), &mut found);
            let expected: Vec<f64> = columns.map(|column| view.at(column, row)).collect();
            assert_eq!(bits(&found[1..]), bits(&expected), "{kind}: {row}");
        }
    }
}

/// What is not touched is not read.
#[test]
fn memory_follows_what_is_touched() {
    static LOADS: AtomicUsize = AtomicUsize::new(0);
    let view = View::new(blocks(1 << 30, &LOADS));
    for column in 0..600 {
        view.at(column, 300);
    }
    assert_eq!((LOADS.load(Ordering::Relaxed), view.blocks().cache().blocks_read()), (3, 3));
}

#[test]
fn numbers_are_kept_exactly() {
    assert_eq!(Values::packed(vec![2.5; 9]), Values::Same(2.5));
    assert!(matches!(Values::packed(vec![f64::NAN; 9]), Values::Same(value) if value.is_nan()));
    assert_eq!(Values::packed(vec![0.5, 1234.625]), Values::Narrow([0.5, 1234.625].into()));
    assert_eq!(Values::packed(vec![0.5, 0.1]), Values::Wide([0.5, 0.1].into()));
    assert!(matches!(Values::packed(vec![0.0, -0.0]), Values::Narrow(kept) if kept[1].is_sign_negative()));
}

/// A block that cannot be read shows as nodata, and the run learns why.
#[test]
fn a_failure_is_not_lost() {
    let cache = Arc::new(BlockCache::new(1 << 20));
    let fails = |_: Range<usize>, _: Range<usize>| Err(Error::input("row 7 is damaged"));
    let view = View::new(Arc::new(Blocks::new(LATTICE, &cache, fails)));
    assert!(cache.check().is_ok() && view.at(3, 3).is_nan());
    assert_eq!(cache.check(), Err(Error::input("row 7 is damaged")));
}

/// For the time being less is kept than may be, and as much again afterwards.
#[test]
fn what_is_kept_may_be_held_down_for_a_while() {
    static LOADS: AtomicUsize = AtomicUsize::new(0);
    let blocks = blocks(1 << 30, &LOADS);
    let look_at_all = || {
        // A view has some at hand: a fresh one asks the cache for all.
        let view = View::new(blocks.clone());
        for k in 0..12 {
            view.at(k * SIDE, 300);
        }
    };
    let loads = || {
        look_at_all();
        look_at_all();
        LOADS.swap(0, Ordering::Relaxed)
    };
    let block = 4 * (SIDE * SIDE) as u64 + 128;
    blocks.cache().spare(3 * block);
    assert!(loads() > 20, "nearly all of them are read twice");
    assert!(blocks.cache.held().bytes <= 3 * block && blocks.cache().limit() == 1 << 30);
    blocks.cache().spare(u64::MAX);
    assert!(loads() <= 12);
    assert_eq!(loads(), 0);
}
