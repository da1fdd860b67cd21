//! All notes and warnings, in the order in which a run may give them.

use serde::{Deserialize, Serialize};

use super::{first_of, metres, notes, of_variant, percent, rocks, share};

notes! {
    /// From another version: its text is all that is known.
    Told { sentence: String } => "{sentence}";

    // Geodata that is read.
    FeatureWithoutGeometry { feature: i64, layer: String } => "feature {feature} of '{layer}' has no geometry and is left out";
    PolygonRepaired { feature: i64, layer: String, fault: String } => "polygon {feature} of '{layer}' was repaired: {fault}";
    OutsideAreaOfUse { what: String, west: f64, east: f64, south: f64, north: f64, crs: String, area: String } =>
        "{what} has coordinates x {west} to {east}, y {south} to {north}, outside the area of use of {crs} ({area}); they are \
         used all the same, as --force insists";
    HeightUnitOverruled { dem: String, found_m: f64, declared_m: f64 } =>
        "DEM '{dem}' says its heights are in units of {found_m} m; the declared unit of {declared_m} m is used instead";
    EmptyCollar { raster: String, percent: f64 } =>
        "{raster}: {share} of the cells have no height; they lie around a complete piece of terrain, as reprojecting or \
         cutting out leaves them, and are no holes to fill: rocks that get there leave the terrain",
        share = self::percent(*percent);
    TerrainMissingAtEdge { raster: String, percent: f64 } =>
        "{raster}: {share} of the cells have no height and are connected to the raster's edge: a part of the terrain is \
         missing there, and rocks that get there leave it; look for the missing tiles",
        share = self::percent(*percent);
    HolesInside { raster: String, holes: usize, percent: f64, largest_cells: u64, across_cells: usize, x: f64, y: f64 } =>
        "{raster}: {found} no height ({share} of the cells), the largest with {largest_cells} cells, {across_cells} cells \
         across, around ({x:.1}, {y:.1}): rocks stop there; fill those that are small with `couloir prepare` (--fill-holes)",
        found = if *holes == 1 { "1 hole inside has".to_string() } else { format!("{holes} holes inside have") },
        share = self::percent(*percent);
    ChangedSincePrepared { files: String, list: String } =>
        "{files}: no longer what `couloir prepare` wrote according to {list}, and used as found; if nobody edited that, it is damaged: prepare \
         the folder again";
    PreparedListDamaged { list: String } =>
        "{list}: damaged or edited: it no longer matches the checksum that `couloir prepare` wrote with it, so nobody can tell whether the inputs \
         beside it are still those; look through them, or prepare the folder again";
    MapTooLarge { cells: u64 } =>
        "no zones were made: rocks pass so much of this map ({cells} cells together) that they cannot be drawn in one piece; classify \
         parts of it, each with a project of its own";
    TerrainOnDemand { cells: u64 } =>
        "terrain.dem has {cells} cells: heights are read where rocks get, not all of them; `couloir check` looks at all (of up to \
         17,000 million), for holes, missing parts and steps";
    StepsBetweenCells { raster: String, step_m: f64, x: f64, y: f64, places: u64 } =>
        "{raster}: neighbouring cells differ by {step_m:.0} m at ({x:.1}, {y:.1}), and as much as no slope explains in {places} \
         places: look whether that is a cliff, or a value such as 0 that means no height (declare it as nodata)";
    DatumShift {
        from: String, to: String, operation: String,
        accuracy_m: Option<f64>, better_m: Option<f64>, missing_grids: Vec<String>,
    } =>
        "{from} → {to} by \"{operation}\", accuracy {accuracy}{better}",
        accuracy = metres(*accuracy_m),
        better = if missing_grids.is_empty() { String::new() } else {
            let (better, grids) = (metres(*better_m), missing_grids.join(", "));
            format!("; a better one (accuracy {better}) needs grid files that PROJ lacks here: {grids}")
        };

    // Geodata that is written.
    FieldNamesShortened { path: String, names: Vec<(String, String)> } =>
        "'{path}': shapefiles hold at most 10 characters, shortened field names: {list}",
        list = names.iter().map(|(asked, name)| format!("{asked} → {name}")).collect::<Vec<_>>().join(", ");
    FileTruncated { path: String, features: u64 } =>
        "'{path}' reached the size limit of its format after {features} features; the rest is left out: choose GeoPackage";
    TextsCut { path: String, texts: u64 } => "'{path}': {texts} texts were cut to 254 bytes";
    CellsKept { columns: u64, rows: u64, of_columns: u64, of_rows: u64 } =>
        "{columns} × {rows} of {of_columns} × {of_rows} cells kept";
    FeaturesKept { kept: u64, of: u64 } => "{kept} of {of} features kept";
    RasterReprojected { from: String, to: String, resampling: String } => "{from} → {to}, {resampling} resampling";
    VectorReprojected { from: String, to: String } => "{from} → {to}";
    NodataOutsidePolygon { value: String } =>
        "the source declares no nodata value: {value} marks cells outside the polygon";
    NodataWithoutSource { value: String } =>
        "the source declares no nodata value: {value} marks cells where the source has no cells";
    CloudGroundOnly { ground: u64, all: u64 } => "{ground} of {all} points are classified as ground and count";
    CloudUnclassified =>
        "no point is classified as ground, so all count: plants and wires would be taken for roughness";
    RoughnessNearFinest { part_m: f64 } =>
        "the spacing is near the finest that can be seen here ({part_m:.2} m): the ground may be rough on a smaller scale, too";
    RoughnessFilled { cells: usize, of: usize } => "{cells} of {of} cells have too few points and got the median height";
    AreasFound { areas: usize, area_m2: f64 } => "{areas} areas, {area_m2:.0} m²";

    // Layers of a project.
    LayerWithoutEffect { key: String, layer: String } =>
        "{key}: the layer ({layer}) does not overlap the DEM and has no effect";
    RasterWithoutEffect { key: String, raster: String } =>
        "{key}: the raster ({raster}) does not overlap the DEM and has no effect";
    FeatureWithoutValue { feature: i64, layer: String, attribute: String } =>
        "feature {feature} of layer {layer:?} has no value in attribute {attribute:?} and is left out";
    CodesWithoutClass { key: String, cells: u64, codes: Vec<String> } =>
        "{key}: {cells} cells have codes without a class ({list}) and keep the weaker class; name them under `codes`",
        list = codes.join(", ");
    RoughnessWithoutEffect =>
        "the ground's roughness has no effect with `simulation.contact: rocfall3` and `lumped`, whose rocks see the terrain \
         model only";
    RasterWithGaps { key: String, raster: String, gaps: usize, cells: usize, x: f64, y: f64 } =>
        "{key}: raster {raster:?} has no value in {gaps} of {cells} cells, which keep the weaker source, the first at \
         ({x:.1}, {y:.1}); fill it there if rocks get that far";
    CellsOutsidePolygons { key: String, layer: String, outside: usize, cells: usize } =>
        "{key}: {outside} of {cells} cells lie in no polygon of layer {layer:?} and keep the built-in value";

    // Releases.
    FlatRelease { key: String, flat: usize, cells: usize, limit_deg: f64 } =>
        "{key}.source: {flat} of {cells} cells under the release features are flatter than {limit_deg}°; rocks may stay where \
         they are, check the layer or use `min_slope_deg: 35`";
    ReleaseWithoutHeight { key: String, without_height: usize, cells: usize, beyond_edge: usize } =>
        "{key}.source: {without_height} of {cells} cells under the release features have no height (nodata) and release \
         nothing; {remedy}",
        remedy = if *beyond_edge == 0 { "fill the holes with `couloir prepare`".to_string() } else {
            format!("{beyond_edge} of them lie beyond the terrain's edge: use a larger DEM or cut the layer back")
        };
    ReleaseBesideNodata { key: String, beside: usize, cells: usize } =>
        "{key}.source: {beside} of {cells} cells under the release features border on cells without height: rocks from there \
         may end at once; look at the DEM there";
    ReleaseBeyondDem { key: String, beyond: usize, features: usize } =>
        "{key}.source: {beyond} of {features} release features reach beyond the DEM; only the part on it releases rocks";
    PositionsWithoutGround { release: usize, layer: String, positions: usize } =>
        "release[{release}] ({layer}): {positions} positions have no ground below them (nodata or outside the DEM) and \
         release nothing";
    NoPositions { release: usize, layer: String } =>
        "release[{release}] ({layer}): no position was found for this placement";

    // Before a run.
    UnusualValue { key: String, min: f64, max: f64, unit: String, low: f64, high: f64 } =>
        "{key}: {value}{space}{unit} is out of the usual range {low} to {high}{space}{unit}",
        value = if min == max { format!("{min}") } else { format!("{min} to {max}") },
        space = if unit.is_empty() { "" } else { " " };
    OneAngularShape { shape: String, sphericity: f64, edge_deg: f64 } =>
        "all rocks have one very angular shape ({shape}: sphericity {sphericity:.2}, faces meet at {edge_deg:.0}° in the mean): such rocks stop \
         early, and run-out may be far too short; use `shape: natural` unless the blocks at the site are like that";
    OneRoundShape { shape: String, sphericity: f64, edge_deg: f64 } =>
        "all rocks have one very round shape ({shape}: sphericity {sphericity:.2}, faces meet at {edge_deg:.0}° in the mean): such rocks roll on, and \
         run-out may be far too long; use `shape: natural` unless the blocks at the site are like that";
    CoarseCells { cell_m: f64, rock_m: f64 } =>
        "the DEM's cells ({cell_m} m) are much larger than the rocks (from {rock_m:.2} m): the terrain is too smooth for them, \
         use a finer DEM if there is one";
    TooMuchMemory { needed_gb: f64, available_gb: f64, limited_by: String } =>
        "the run needs about {needed_gb:.1} GB of memory, but {limited_by} allows {available_gb:.1} GB: release fewer rocks, \
         cut the DEM with `couloir clip`, compute it in parts (`--shard`), or insist with `--force`";
    NoReturnPeriod { release: usize } =>
        "classification: release[{release}] has no `frequency_per_year` and its scenario no return period; without one it is \
         not in the hazard map, only in the intensity maps";
    LeftInFolder { folder: String, files: String } => "left in '{folder}', as couloir did not write them: {files}";
    OneThread { why: String } => "only one thread works: {why}";

    // Of a run.
    Diverged { count: usize, variant: Option<String>, first: Vec<u64> } =>
        "{count} trajectories diverged and are in no statistic{place}: numbers {numbers}; look at one with `couloir trace`",
        place = variant.as_ref().map_or(String::new(), |name| format!(" ({name})")),
        numbers = first_of(first, *count);
    SomeTracks { written: u64, of: u64, most: u64 } =>
        "{written} of {of} trajectories are in the trajectory files, spread evenly over the releases \
         (outputs.max_trajectories = {most}); layers and deposits hold all of them";
    FirstTracks { written: u64, of: u64, most: u64 } =>
        "{written} of {of} trajectories are in the trajectory files, those of the first rounds over all release positions \
         (outputs.max_trajectories = {most}); layers and deposits hold all of them";
    NotConverged { rocks: u64, zones: String, zones_most: String, p95: String, p95_most: String, lines: String, lines_most: String } =>
        "the map has not converged: after {rocks} rocks the zones of two independent halves differ on {zones} % of the zoned area \
         ({zones_most} % asked for), p95 of the energy is known to ± {p95} % ({p95_most} %), energies at lines differ by {lines} % \
         ({lines_most} %)";
    SparsePoints { every_s: f64 } =>
        "the point records are taken every {every_s} s; layers hold the largest values on the whole path, which may be larger";
    PartsMissing { rocks: u64, of: u64 } =>
        "{rocks} of {of} rocks are missing, whose parts were not there (merge --allow-missing): counts, probabilities and yearly \
         frequencies are too low, and places may look safe that are not; for a look only";
    Limited { released: u64, planned: u64 } =>
        "only {released} of {planned} planned rocks were released (--limit), each standing for {each:.1} in yearly \
         frequencies: a quick look, not a result to hand in",
        each = *planned as f64 / *released as f64;
    // What is out of the ordinary; thresholds in `hazard::plausibility`.
    FastContacts { rocks: u64, of: u64, limit_m_s: f64, fastest_m_s: f64, trajectory: u64, x: f64, y: f64 } =>
        "{rocks} of {of} rocks ({share}) touch the ground at more than {limit_m_s} m/s, the fastest at {fastest_m_s:.1} m/s \
         (trajectory {trajectory}, at ({x:.1}, {y:.1})): rocks of field experiments stay below about 30 m/s; look whether the ground \
         there is softer or rougher than the project says (class, scarring, roughness)",
        share = share(*rocks, *of);
    HighJumps { rocks: u64, of: u64, limit_m: f64, highest_m: f64, trajectory: u64, x: f64, y: f64 } =>
        "{rocks} of {of} rocks ({share}) jump more than {limit_m} m, the highest {highest_m:.1} m (trajectory {trajectory}, at \
         ({x:.1}, {y:.1})): look whether there is a cliff or an error of the DEM",
        share = share(*rocks, *of);
    FlatEnergyLines { rocks: u64, of: u64, limit_deg: f64, flattest_deg: f64, trajectory: u64, x: f64, y: f64 } =>
        "{rocks} of {of} rocks ({share}) run farther than an energy line of {limit_deg}° lets rocks run, the farthest to \
         {flattest_deg:.1}° (trajectory {trajectory}, at ({x:.1}, {y:.1})): look whether the ground on the way takes too little \
         energy (class, scarring, roughness)",
        share = share(*rocks, *of);
    CreepingRocks {
        rocks: u64, of: u64, slower_than_m_s: f64, limit_s: f64, longest_s: f64, trajectory: u64, x: f64, y: f64,
    } =>
        "{rocks} of {of} rocks ({share}) move more slowly than {slower_than_m_s} m/s for more than {limit_s} s, the longest for \
         {longest_s:.0} s (trajectory {trajectory}, at ({x:.1}, {y:.1})): they creep on ground that takes hardly any energy, and \
         their run-out means little; look at the friction there",
        share = share(*rocks, *of);
    LeftTerrain { rocks: u64, of: u64, side: String, x: f64, y: f64 } =>
        "{rocks} of {of} rocks ({share}) left the terrain model while moving, over its {side}ern edge, the first at ({x:.1}, {y:.1}): \
         run-out is cut off there; use a DEM that reaches farther {side}",
        share = share(*rocks, *of);
    LeftIntoCollar { rocks: u64, of: u64, side: String, x: f64, y: f64 } =>
        "{rocks} of {of} rocks ({share}) left the terrain model while moving, to the {side} into the collar without height that \
         reprojecting or cutting out leaves, the first at ({x:.1}, {y:.1}): run-out is cut off there; use a DEM that reaches \
         farther {side}",
        share = share(*rocks, *of);
    LeftWhereTerrainIsMissing { rocks: u64, of: u64, side: String, x: f64, y: f64 } =>
        "{rocks} of {of} rocks ({share}) left the terrain model while moving, to the {side} where a part of it has no height, the \
         first at ({x:.1}, {y:.1}): run-out is cut off there; look for the missing tiles of the DEM",
        share = share(*rocks, *of);
    EndedInHole { rocks: u64, of: u64, x: f64, y: f64 } =>
        "{rocks} of {of} rocks ({share}) ended at a hole of the DEM (cells without height inside it), the first at ({x:.1}, {y:.1}): \
         fill it with `couloir prepare` (--fill-holes)",
        share = share(*rocks, *of);
    /// Of the few rocks `check` lets fall.
    Pilot { note: Box<Note> } => "pilot: {note}";
    EndedAtMaxTime { rocks: u64 } => "{some} still moved at stop.max_time_s: raise it", some = self::rocks(*rocks);
    EndedAtMaxDistance { rocks: u64 } =>
        "{some} ended at stop.max_distance_m: raise it or leave it out", some = self::rocks(*rocks);

    // Of a line and its barrier.
    OfLine { line: String, variant: Option<String>, note: Box<Note> } =>
        "line {line}{place}: {note}", place = of_variant(variant);
    FewRocks { percent: f64, rocks: usize, needed: usize } =>
        "The {percent:.0} % quantile rests on {rocks} rocks only; below {needed} not even the largest of them bounds it with \
         95 % confidence. Release more rocks before using these values.";
    BeyondBarrierClasses { required_kj: f64 } =>
        "The required energy of {required_kj:.0} kJ is beyond the largest tabulated class (4500 kJ): class 8 kits or another \
         kind of protection need a proof of their own.";
    HigherThanBarriers { required_m: f64, highest_m: f64 } =>
        "No barrier of the required height of {required_m:.1} m exists: net fences are built up to about {highest_m} m. Look for \
         another place or another kind of protection.";
    FreeboardRaised => "The freeboard was raised to half the height of the rocks.";
    FactorsAssumed { factors: Vec<String> } =>
        "Assumed, to be checked against the standard's own text and set in the project (lines.dimensioning.factors): {list}.",
        list = factors.join(", ");
    SheetScope =>
        "Every simulated rock counts alike; the elongation of the net, its foundations and the wear by smaller rocks are not \
         part of this sheet.";

    // Of a classification.
    SchemeToFillIn { scheme: String, what: String } => "the scheme \"{scheme}\" is a frame: {what}";
    CellsDecide { scheme: String, cell_m: f64 } =>
        "the scheme \"{scheme}\" takes the frequency of rocks that pass one cell of the DEM ({cell_m} m): on cells half as wide it is \
         about half, and zones change with it; set reference_width_m in the scheme or under classification";
    SquareOfCells { scheme: String, width_m: f64, cell_m: f64, side_m: f64 } =>
        "the scheme \"{scheme}\" refers to an object {width_m} m wide, but the nearest square of whole cells of {cell_m} m is {side_m} m \
         wide: reach and frequency are those of {side_m} m";
    OfClassification { name: String, note: Box<Note> } => "classification {name}: {note}";
    NoHazardMap { by_scenario: bool } =>
        "No hazard map: the project gives no release frequency, and reach alone is not a return period. Set \
         frequency_per_year under each release (rocks per year from each feature){or} and run again; the intensity maps below \
         need none.",
        or = if *by_scenario { ", or classification.scenario_return_periods_years," } else { "" };
    HazardMapIncomplete { scenarios: Vec<String>, by_scenario: bool } =>
        "The hazard map leaves out what has no frequency_per_year{and}: {list}. It understates the hazard there.",
        and = if *by_scenario { " and no return period" } else { "" },
        list = scenarios.join(", ");
    NoReferenceWidth =>
        "Frequencies are those of rocks whose centre passes a cell of the DEM; a larger object is hit more often. Set \
         reference_width_m in a scheme of your own to refer them to an object's width.";

    // Of preparing a site.
    TilesUsed { used: usize, of: usize } => "{used} of {of} tiles touch the area; the others are not used";
    TilesOverlap { tiles: usize } =>
        "DEM: {tiles} tiles; where they overlap, the first named one that has a height gives it";
    ExtentInDegrees =>
        "the extent looks like degrees and is read as EPSG:4326 (add its CRS as a fifth value to be sure)";
    StretchedCrs { crs: String } =>
        "{crs} stretches distances: slopes and run-out will be wrong; use a national grid or UTM";
    CrsAsked { crs: String } => "CRS: {crs}, as asked";
    CrsOfDem { crs: String } => "CRS: {crs}, that of the DEM (another one with --crs)";
    CrsLocal { crs: String } => "CRS: {crs}, the local UTM zone (another one with --crs)";
    CellAsked { cell_m: f64, finest_m: f64 } => "cells: {cell_m} m, as asked (finest source: {finest_m:.3} m)";
    CellTooFine { cell_m: f64, finest_m: f64 } =>
        "cells of {cell_m} m are much finer than the {finest_m:.2} m of the DEM: they add size, not detail";
    CellOfSource { cell_m: f64, finest_m: f64 } =>
        "cells: {cell_m} m, from the finest source ({finest_m:.3} m; another size with --cell)";
    GridOfDem => "grid: that of the DEM, so heights are taken over unchanged";
    GridAtMultiples { cell_m: f64 } => "grid: cell edges at multiples of {cell_m} m";
    WholeDem => "area: the whole DEM (clip it with --aoi and --buffer)";
    AreaMasked { buffer_m: f64 } => "area: the area of interest plus {buffer_m} m, blanked outside";
    AreaAsRectangle { buffer_m: f64 } =>
        "area: the area of interest plus {buffer_m} m, kept as the rectangle around it (--mask blanks outside)";
    DemEndsInside { percent: f64 } =>
        "the DEM ends inside the area: only {percent:.0} % of its rectangle is covered";
    HeightsTakenOver { tiles: String, crs: String, cell_m: f64 } =>
        "heights of {tiles} ({crs}, {cell_m:.3} m): taken over cell by cell";
    HeightsResampled { tiles: String, crs: String, cell_m: f64, resampling: String, ratio: f64 } =>
        "heights of {tiles} ({crs}, {cell_m:.3} m): {resampling} resampling (new cell / source cell = {ratio:.2})";
    Seam { first: String, second: String, mean_m: f64, most_m: f64, offset_m: f64, cells: usize } =>
        "seam: tiles '{first}' and '{second}' differ by {mean_m:.2} m on average and {most_m:.2} m at most (second − first \
         {offset_m:+.2} m; {cells} cells compared)";
    SeamSteps { first: String, second: String, mean_m: f64, most_m: f64, offset_m: f64, cells: usize } =>
        "tiles '{first}' and '{second}' differ by {mean_m:.2} m on average and {most_m:.2} m at most (second − first \
         {offset_m:+.2} m; {cells} cells compared): a step may show at the seam; check their vertical datum and unit";
    HolesFilled { holes: usize, cells: u64, limit_cells: usize, limit_m: f64 } =>
        "holes: {holes} filled, {cells} cells in all, each up to {limit_cells} cells ({limit_m} m) across";
    NoHolesToFill { limit_cells: usize, limit_m: f64 } =>
        "holes: none to fill (limit {limit_cells} cells ({limit_m} m) across)";
    HolesRemain {
        holes: usize, limit_cells: usize, limit_m: f64, largest_cells: u64, across_cells: usize, x: f64, y: f64,
    } =>
        "nodata holes larger than {limit_cells} cells ({limit_m} m) across remain ({holes}), the largest with {largest_cells} \
         cells, {across_cells} cells across, around ({x:.1}, {y:.1}): rocks stop there (fill it with --fill-holes \
         {across_cells})";
    DemWritten { columns: usize, rows: usize, cell_m: f64, lowest_m: f32, highest_m: f32 } =>
        "dem.tif: {columns} × {rows} cells of {cell_m} m, heights {lowest_m:.1} to {highest_m:.1} m";
    LayerOutside { layer: String, source: String, extent: String, area: String, swapped: bool } =>
        "layer {layer}: '{source}' ({extent}) lies outside the area ({area}){hint}; it is left out",
        hint = if *swapped { "; its x and y seem to be swapped" } else { "" };
    RasterOutside { layer: String, source: String } =>
        "layer {layer}: raster '{source}' does not touch the area; it is left out";
    ForestWithoutClass { source: String } =>
        "layer forest: '{source}' has no attribute 'class', so all of it counts as medium forest; name its attribute (--layer \
         forest={source}:ATTRIBUTE) or another class (--layer forest={source}:=dense)";
    PolygonsWithoutClass { layer: String, source: String, polygons: usize } =>
        "layer {layer}: {polygons} polygons of '{source}' have no class and are left out";
    PolygonsWithoutValue { layer: String, source: String, polygons: usize } =>
        "layer {layer}: {polygons} polygons of '{source}' have no value and are left out";
    LayerWritten { file: String, source: String, crs: String, method: String, classes: Vec<String> } =>
        "{file}: from '{source}' ({crs}), {method}{list}",
        list = if classes.is_empty() { String::new() } else { format!(" ({})", classes.join(", ")) };
    FeaturesOutside { source: String, outside: usize, of: usize } =>
        "{outside} of {of} features of '{source}' lie outside the area and are left out";
    FeaturesWritten { file: String, source: String, crs: String, features: usize } =>
        "{file}: {features} features from '{source}' ({crs})";
    NoReleaseNamed =>
        "no release is named: rocks start from every cell of the area steeper than 45° (name one with --release)";
}
