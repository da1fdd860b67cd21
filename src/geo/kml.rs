//! KML: every document and folder with placemarks of its own is a layer, named as it is.

use std::collections::BTreeMap;

use geojson::{Geometry, GeometryValue, Position};
use roxmltree::Node;
use serde_json::Value;

use super::geojson_layer::{self, Row};
use super::xml_vector::{XmlLayer, child, children, find_numbers, text_of};

/// Attributes every placemark has, as GIS programs call them.
const OWN: [&str; 2] = ["Name", "description"];

/// The layers of a file whose name without its ending is `stem`; what is wrong is said in half a sentence.
pub(super) fn layers(root: Node, stem: &str) -> Result<Vec<XmlLayer>, String> {
    let types = declared_types(root);
    let mut layers: Vec<(roxmltree::NodeId, XmlLayer)> = Vec::new();
    for placemark in root.descendants().filter(|node| node.tag_name().name() == "Placemark") {
        let holds = |node: &Node| matches!(node.tag_name().name(), "Document" | "Folder");
        let container = placemark.ancestors().find(holds).unwrap_or(root);
        let row = row(placemark)?;
        match layers.iter_mut().rev().find(|(id, _)| *id == container.id()) {
            Some((_, layer)) => layer.rows.push(row),
            None => {
                let given = child(container, "name").filter(|_| holds(&container)).and_then(text_of);
                let top = container.ancestors().skip(1).all(|above| !holds(&above));
                let name =
                    given.unwrap_or_else(|| if top { stem.to_string() } else { format!("Layer{}", layers.len()) });
                let same = layers.iter().filter(|(_, layer)| layer.name.split(" (#").next() == Some(&name)).count();
                let name = if same > 0 { format!("{name} (#{})", same + 1) } else { name };
                layers.push((container.id(), XmlLayer { name, rows: vec![row] }));
            }
        }
    }
    let mut layers: Vec<XmlLayer> = layers.into_iter().map(|(_, layer)| layer).collect();
    let is_text = |name: &str| OWN.contains(&name) || types.get(name) == Some(&true);
    layers.iter_mut().for_each(|layer| find_numbers(&mut layer.rows, is_text));
    Ok(layers)
}

/// `SimpleField`s of all schemas: whether their values are text.
fn declared_types(root: Node) -> BTreeMap<String, bool> {
    let fields = root.descendants().filter(|node| node.tag_name().name() == "SimpleField");
    let of = |field: Node| Some((field.attribute("name")?.to_string(), field.attribute("type") == Some("string")));
    fields.filter_map(of).collect()
}

fn row(placemark: Node) -> Result<Row, String> {
    let called = child(placemark, "name").and_then(text_of);
    let text = |text: Option<String>| text.map_or(Value::Null, Value::String);
    let own = [called.clone(), child(placemark, "description").and_then(text_of)];
    let mut properties: Vec<_> = OWN.iter().map(|name| name.to_string()).zip(own.map(text)).collect();
    for extended in children(placemark, "ExtendedData") {
        let simple = children(extended, "SchemaData").flat_map(|data| children(data, "SimpleData"));
        let pairs = children(extended, "Data").map(|data| (data, child(data, "value")));
        for (data, value) in simple.map(|data| (data, Some(data))).chain(pairs) {
            let Some(name) = data.attribute("name") else { continue };
            properties.push((name.to_string(), text(value.and_then(text_of))));
        }
    }
    let whose =
        || called.clone().map_or("a placemark without a name".to_string(), |name| format!("placemark '{name}'"));
    let geometry = geometry_in(placemark).map_err(|what| format!("{} of {}", what, whose()))?;
    let geometry = geometry.map(|geometry| geojson_layer::geometry(&geometry)).transpose();
    Ok(Row { id: None, geometry: geometry.map_err(|what| format!("{what} in {}", whose()))?, properties })
}

/// The first geometry below a node.
fn geometry_in(node: Node) -> Result<Option<Geometry>, String> {
    node.children().map(geometry).find(|found| !matches!(found, Ok(None))).unwrap_or(Ok(None))
}

fn geometry(node: Node) -> Result<Option<Geometry>, String> {
    let line = |node: Node| -> Result<Vec<Position>, String> {
        child(node, "coordinates").map_or(Ok(Vec::new()), coordinates)
    };
    Ok(match node.tag_name().name() {
        "Point" => line(node)?.into_iter().next().map(|coordinates| GeometryValue::Point { coordinates }.into()),
        "LineString" | "LinearRing" => lines(vec![line(node)?]),
        "Track" => lines(vec![track(node)?]),
        "MultiTrack" => lines(children(node, "Track").map(track).collect::<Result<_, _>>()?),
        "Polygon" => {
            let rings = ["outerBoundaryIs", "innerBoundaryIs"].into_iter().flat_map(|side| children(node, side));
            let rings = rings.flat_map(|side| children(side, "LinearRing")).map(line).collect::<Result<Vec<_>, _>>()?;
            let outer = rings.first().is_some_and(|ring| !ring.is_empty());
            outer.then(|| GeometryValue::Polygon { coordinates: rings }.into())
        }
        "MultiGeometry" => {
            let parts = node.children().map(geometry).collect::<Result<Vec<_>, _>>()?;
            together(parts.into_iter().flatten().collect())
        }
        _ => None,
    })
}

/// One line, or several as one.
fn lines(mut lines: Vec<Vec<Position>>) -> Option<Geometry> {
    lines.retain(|line| !line.is_empty());
    match lines.len() {
        0 => None,
        1 => lines.pop().map(|coordinates| GeometryValue::LineString { coordinates }.into()),
        _ => Some(GeometryValue::MultiLineString { coordinates: lines }.into()),
    }
}

/// Parts of one kind as a geometry of many, others as a collection.
fn together(parts: Vec<Geometry>) -> Option<Geometry> {
    if parts.is_empty() {
        return None;
    }
    let (mut points, mut lines, mut polygons) = (Vec::new(), Vec::new(), Vec::new());
    for part in &parts {
        match &part.value {
            GeometryValue::Point { coordinates } => points.push(coordinates.clone()),
            GeometryValue::LineString { coordinates } => lines.push(coordinates.clone()),
            GeometryValue::Polygon { coordinates } => polygons.push(coordinates.clone()),
            _ => {}
        }
    }
    let count = parts.len();
    let value = match () {
        () if points.len() == count => GeometryValue::MultiPoint { coordinates: points },
        () if lines.len() == count => GeometryValue::MultiLineString { coordinates: lines },
        () if polygons.len() == count => GeometryValue::MultiPolygon { coordinates: polygons },
        () => GeometryValue::GeometryCollection { geometries: parts },
    };
    Some(value.into())
}

/// `lon,lat` or `lon,lat,height`, with space between them.
fn coordinates(node: Node) -> Result<Vec<Position>, String> {
    let text = text_of(node).unwrap_or_default();
    text.split_whitespace().map(|tuple| position(tuple, tuple.split(','))).collect()
}

/// `lon lat height` in elements of their own.
fn track(node: Node) -> Result<Vec<Position>, String> {
    let texts = children(node, "coord").filter_map(text_of);
    texts.map(|text| position(&text, text.split_whitespace())).collect()
}

fn position<'a>(text: &str, parts: impl Iterator<Item = &'a str>) -> Result<Position, String> {
    let numbers: Option<Vec<f64>> = parts.map(|part| part.parse().ok().filter(|x: &f64| x.is_finite())).collect();
    match numbers {
        Some(numbers) if (2..=3).contains(&numbers.len()) => Ok(numbers.into()),
        _ => Err(format!("the coordinates '{text}' are not longitude,latitude or longitude,latitude,height")),
    }
}
