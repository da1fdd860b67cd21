//! A site on the Swiss–Austrian border, delivered badly: two DEM tiles in different CRS and cell sizes with holes,
//! release areas in degrees, forest in a third CRS with its office's own words.

use std::path::Path;

use couloir::Result;
use couloir::geo::write_vector::{FieldType, Format, GeometryKind, Value};
use couloir::geo::{Crs, Transformer};
use couloir::terrain::grid::{Field, Lattice};
use geo::{Coord, Geometry};

use crate::contour::polygons;
use crate::earthworks::{blurred, grade_along, trace_stream};
use crate::mountain::{Mountain, Plan, build, fill, position};
use crate::noise::{fractal, gradient, smoothstep};
use crate::write::{Layer, dem, layer, text};

const SEED: u64 = 31287;

fn plan() -> Plan {
    Plan {
        seed: SEED,
        lattice: Lattice { nx: 400, ny: 350, x0: 2_829_001.0, y0: 1_197_001.0, dx: 2.0, dy: 2.0 },
        fall_azimuth_deg: 200.0,
        profile: vec![
            (-700.0, 1720.0),
            (-290.0, 1510.0),
            (-230.0, 1478.0),
            (-185.0, 1392.0),
            (-40.0, 1305.0),
            (120.0, 1218.0),
            (260.0, 1176.0),
            (300.0, 1168.0),
            (420.0, 1168.0),
            (600.0, 1230.0),
        ],
        cliff: (-230.0, -185.0),
        meadow: 130.0,
        floor: 285.0,
        stream: 350.0,
        cliff_reach: (260.0, 300.0),
    }
}

pub fn make(folder: &Path) -> Result<()> {
    let (swiss, austrian, utm) = (Crs::from_epsg(2056)?, Crs::from_epsg(31287)?, Crs::from_epsg(25832)?);
    let plan = plan();
    let mut site = build(&plan);
    let stream = trace_stream(&site.dem, &site.frame, SEED + 5, plan.stream, 600.0);
    grade_along(&mut site.dem, &stream, 2.5, 0.7, f64::INFINITY);

    dem(&folder.join("dem_ch.tif"), &swiss_tile(&site.dem), &swiss, -9999.0)?;
    dem(&folder.join("dem_at.tif"), &austrian_tile(&site.dem, &swiss, &austrian)?, &austrian, -32768.0)?;
    layer(&folder.join("release.geojson"), Format::GeoJson, &swiss, &release(&site))?;
    layer(&folder.join("area.geojson"), Format::GeoJson, &swiss, &area(&site))?;
    let to_utm = Transformer::new(&swiss, &utm)?;
    let mut forest = forest(&site);
    for (geometry, _) in &mut forest.features {
        *geometry = to_utm.geometry(geometry)?;
    }
    layer(&folder.join("forest.shp"), Format::Shapefile, &utm, &forest)
}

/// Small holes where the laser saw no ground: under overhangs and in the stream's wood.
fn is_hole(x: f64, y: f64) -> bool {
    gradient(SEED + 95, x / 17.0, y / 17.0) > 0.72 && gradient(SEED + 96, x / 130.0, y / 130.0) > 0.15
}

/// The western part on the site's own lattice.
fn swiss_tile(whole: &Field<f64>) -> Field<f64> {
    let nx = 240;
    let lattice = Lattice { nx, ..whole.lattice };
    let values = whole.values.chunks_exact(whole.lattice.nx).flat_map(|row| row[..nx].iter().copied()).collect();
    let mut tile = Field { lattice, values };
    for cell in 0..lattice.len() {
        let (x, y) = position(&lattice, cell);
        if is_hole(x, y) {
            tile.values[cell] = f64::NAN;
        }
    }
    tile
}

/// The eastern part at 2.5 m in the Austrian CRS; it lies askew, so its corners see nothing.
fn austrian_tile(whole: &Field<f64>, swiss: &Crs, austrian: &Crs) -> Result<Field<f64>> {
    let (to_austrian, to_swiss) = (Transformer::new(swiss, austrian)?, Transformer::new(austrian, swiss)?);
    let (_, south, east, north) = whole.lattice.extent();
    let west = whole.lattice.x0 + 170.0 * whole.lattice.dx;
    let mut corners = [(west, south), (west, north), (east, south), (east, north)].map(Coord::from);
    to_austrian.points(&mut corners)?;
    let reach = |of: fn(&Coord<f64>) -> f64| {
        corners.iter().map(of).fold((f64::MAX, f64::MIN), |(low, high), v| (low.min(v), high.max(v)))
    };
    let ((x_low, x_high), (y_low, y_high)) = (reach(|c| c.x), reach(|c| c.y));
    let cell = 2.5;
    let (x0, y0) = ((x_low / cell).floor() * cell + 0.5 * cell, (y_low / cell).floor() * cell + 0.5 * cell);
    let (nx, ny) = (((x_high - x0) / cell) as usize + 1, ((y_high - y0) / cell) as usize + 1);
    let lattice = Lattice { nx, ny, x0, y0, dx: cell, dy: cell };
    let mut places: Vec<Coord<f64>> = (0..lattice.len()).map(|cell| position(&lattice, cell).into()).collect();
    to_swiss.points(&mut places)?;
    let height = |&Coord { x, y }: &Coord<f64>| {
        if x < west || is_hole(x + 500.0, y) { f64::NAN } else { whole.at(x, y).unwrap_or(f64::NAN) }
    };
    Ok(Field { lattice, values: places.iter().map(height).collect() })
}

/// Two release areas in the cliff, with a block volume each.
fn release(site: &Mountain) -> Layer<'static> {
    let mut features = Vec::new();
    for (name, (from, to), volume) in [("Westwand", (40.0, 170.0), 0.8), ("Ostpfeiler", (-190.0, -60.0), 0.4)] {
        let mut area = site.rock.clone();
        for (cell, share) in area.values.iter_mut().enumerate() {
            let (x, y) = position(&site.rock.lattice, cell);
            let (s, t) = site.frame.st(x, y);
            let band = smoothstep(-300.0, -290.0, s);
            *share *= band * smoothstep(from - 4.0, from + 4.0, t) * smoothstep(to + 4.0, to - 4.0, t);
        }
        if let Some(polygon) = polygons(&blurred(&area, 1, 2), 300.0).into_iter().next() {
            features.push((Geometry::Polygon(polygon), vec![text(name), Value::Real(volume)]));
        }
    }
    Layer {
        name: "release",
        kind: GeometryKind::Polygon,
        fields: &[("name", FieldType::Text), ("volume_m3", FieldType::Real)],
        features,
    }
}

/// The area of interest: the whole slope without the rim of the tiles.
fn area(site: &Mountain) -> Layer<'static> {
    let (west, south, east, north) = site.dem.lattice.extent();
    let rectangle = geo::Rect::new((west + 40.0, south + 40.0), (east - 40.0, north - 40.0));
    Layer {
        name: "area",
        kind: GeometryKind::Polygon,
        fields: &[("name", FieldType::Text)],
        features: vec![(Geometry::Polygon(rectangle.to_polygon()), vec![text("Perimeter")])],
    }
}

/// Forest as the forest office writes it: its own words for the density.
fn forest(site: &Mountain) -> Layer<'static> {
    let lattice = site.dem.lattice;
    let gully = blurred(&site.gully, 4, 2);
    let mut loose = fill(&lattice, |_, _| 0.0);
    let mut dense = loose.clone();
    for cell in 0..lattice.len() {
        let (x, y) = position(&lattice, cell);
        let bare = site.scree.values[cell].max(site.rock.values[cell]).max(site.meadow.values[cell]);
        let free = 1.0 - bare.max(site.floor.values[cell]).max((2.2 * gully.values[cell]).min(1.0));
        let growth = fractal(SEED + 91, x / 190.0, y / 190.0, 3, 0.5);
        dense.values[cell] = free * smoothstep(-0.05, 0.05, growth);
        loose.values[cell] = free * smoothstep(-0.75, -0.65, growth) * smoothstep(0.05, -0.05, growth);
    }
    let mut features = Vec::new();
    for (field, word) in [(&loose, "locker"), (&dense, "dicht")] {
        for polygon in polygons(&blurred(field, 2, 2), 700.0) {
            features.push((Geometry::Polygon(polygon), vec![text(word)]));
        }
    }
    Layer { name: "forest", kind: GeometryKind::Polygon, fields: &[("bestand", FieldType::Text)], features }
}
