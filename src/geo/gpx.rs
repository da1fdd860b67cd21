//! GPX: way points, routes and tracks, and the points of both, each a layer if there are any.

use geojson::{Geometry, GeometryValue, Position};
use roxmltree::Node;
use serde_json::Value;

use super::geojson_layer::{self, Row};
use super::xml_vector::{XmlLayer, children, find_numbers, text_of};

/// Children that are attributes, in the order of the standard.
const ATTRIBUTES: [&str; 9] = ["ele", "time", "name", "cmt", "desc", "src", "sym", "type", "number"];
const NUMBERS: [&str; 2] = ["ele", "number"];

/// The layers; what is wrong is said in half a sentence.
pub(super) fn layers(root: Node) -> Result<Vec<XmlLayer>, String> {
    let mut layers = ["waypoints", "routes", "tracks", "route_points", "track_points"]
        .map(|name| XmlLayer { name: name.to_string(), rows: Vec::new() });
    for point in children(root, "wpt") {
        layers[0].rows.push(point_row(point, Vec::new())?);
    }
    for (k, route) in children(root, "rte").enumerate() {
        let points = children(route, "rtept").map(position).collect::<Result<Vec<_>, _>>()?;
        layers[1].rows.push(line_row(route, vec![points])?);
        for (n, point) in children(route, "rtept").enumerate() {
            let place =
                [("route_fid", k), ("route_point_id", n)].map(|(name, n)| (name.to_string(), n.into())).to_vec();
            layers[3].rows.push(point_row(point, place)?);
        }
    }
    for (k, track) in children(root, "trk").enumerate() {
        let mut segments = Vec::new();
        for (s, segment) in children(track, "trkseg").enumerate() {
            segments.push(children(segment, "trkpt").map(position).collect::<Result<Vec<_>, _>>()?);
            for (n, point) in children(segment, "trkpt").enumerate() {
                let place = [("track_fid", k), ("track_seg_id", s), ("track_seg_point_id", n)];
                let place = place.map(|(name, n)| (name.to_string(), n.into())).to_vec();
                layers[4].rows.push(point_row(point, place)?);
            }
        }
        layers[2].rows.push(line_row(track, segments)?);
    }
    layers.iter_mut().for_each(|layer| find_numbers(&mut layer.rows, |name| !NUMBERS.contains(&name)));
    Ok(layers.into_iter().filter(|layer| !layer.rows.is_empty()).collect())
}

fn attributes(node: Node) -> impl Iterator<Item = (String, Value)> {
    ATTRIBUTES.iter().filter_map(move |name| {
        let text = children(node, name).next().and_then(text_of)?;
        Some((name.to_string(), Value::String(text)))
    })
}

fn point_row(point: Node, mut properties: Vec<(String, Value)>) -> Result<Row, String> {
    properties.extend(attributes(point));
    let geometry: Geometry = GeometryValue::Point { coordinates: position(point)? }.into();
    Ok(Row { id: None, geometry: Some(geojson_layer::geometry(&geometry)?), properties })
}

/// A route is a line, a track a group of them.
fn line_row(node: Node, mut parts: Vec<Vec<Position>>) -> Result<Row, String> {
    let is_track = node.tag_name().name() == "trk";
    parts.retain(|part| !part.is_empty());
    let value = match (is_track, parts.first()) {
        (_, None) => None,
        (true, _) => Some(GeometryValue::MultiLineString { coordinates: parts }),
        (false, Some(_)) => parts.pop().map(|coordinates| GeometryValue::LineString { coordinates }),
    };
    let geometry = value.map(|value| geojson_layer::geometry(&value.into())).transpose()?;
    Ok(Row { id: None, geometry, properties: attributes(node).collect() })
}

fn position(point: Node) -> Result<Position, String> {
    let angle = |name: &str| {
        let text = point.attribute(name).unwrap_or_default();
        let number = text.trim().parse::<f64>().ok().filter(|x| x.is_finite());
        number.ok_or_else(|| format!("a point's {name} is '{text}', expected a number of degrees"))
    };
    Ok(vec![angle("lon")?, angle("lat")?].into())
}
