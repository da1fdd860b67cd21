use crate::files::worked_out;
use crate::{project, site, store};

/// What was found once is not looked for again, and is as soon as something it depends on is different.
#[test]
fn the_ground_below_releases_is_looked_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let write = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).unwrap();
    let row = |k: usize| (0..40).map(|c| format!("{} ", 900 + c * 3 + (c * k) % 5)).collect::<String>() + "\n";
    let rows: String = (0..40).map(row).collect();
    let head = "ncols 40\nnrows 40\nxllcorner 2600000\nyllcorner 1200000\ncellsize 2\nNODATA_value -9999\n";
    write("dem.asc", &format!("{head}{}", rows.replacen("900", "-9999", 2)));
    let ring = "[[2600020,1200020],[2600040,1200020],[2600040,1200060],[2600020,1200020]]";
    let point = "[2600001.5,1200077.5]";
    let setting = |placement: &str, seed: u32| {
        let text = format!(
            "terrain: {{dem: dem.asc, crs: EPSG:2056}}\nrocks: [{{shape: eota_111, mass_kg: 300}}]\nsimulation: {{seed: {seed}}}\n\
             release:\n- source: {{geojson: {{type: Polygon, coordinates: [{ring}]}}}}\n  placement: {placement}\n  min_slope_deg: 50\n\
             - source: {{geojson: {{type: MultiPoint, coordinates: [{point}, [2600050, 1200050]]}}}}\n"
        );
        write("project.yaml", &text);
        project::load(&folder.path().join("project.yaml")).unwrap()
    };
    // So little memory that the terrain is in blocks.
    let look = |placement: &str, seed: u32| {
        let site = site::load_within(&setting(placement, seed), 4000).unwrap();
        let setup = store::set_up(&site, None).unwrap();
        let read = site.scene.surface.blocks().unwrap().cache().blocks_read();
        let starts: Vec<_> = (0..setup.identity.total).map(|k| setup.plan.get(k).unwrap().position).collect();
        let said = format!("{:?} {:?} {:?}", site.warnings, setup.plan.warnings, site.layers);
        ((starts, said), read)
    };
    worked_out::keep();
    let (first, read) = look("auto", 1);
    assert!(first.0.len() > 20 && read > 0 && first.1.contains("PositionsWithoutGround"), "{first:?}");
    let list = folder.path().join("releases.bin");
    let hash = worked_out::write(&list).unwrap().unwrap();
    worked_out::rely_on(&list, &hash).unwrap();
    assert_eq!(look("auto", 1), (first, 0));
    for (placement, seed) in [("{grid_m: 3}", 1), ("auto", 2), ("{count: 30}", 1)] {
        let fresh = look(placement, seed);
        worked_out::rely_on(&list, &hash).unwrap();
        assert!(fresh.1 > 0 && look(placement, seed) == fresh, "{placement} {seed}");
    }
}
