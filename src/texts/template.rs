//! Files with places to be filled.

/// The template with each place filled by its value. What stands in a value is never a place, whatever it looks like: values
/// are names of users and their folders.
pub(crate) fn filled(template: &str, places: &[(&str, &str)]) -> String {
    let (mut text, mut rest) = (String::with_capacity(template.len()), template);
    let first = |rest: &str| {
        let found = places.iter().filter_map(|(place, value)| Some((rest.find(place)?, *place, *value)));
        found.min_by_key(|(at, ..)| *at)
    };
    while let Some((at, place, value)) = first(rest) {
        text.push_str(&rest[..at]);
        text.push_str(value);
        rest = &rest[at + place.len()..];
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::filled;

    #[test]
    fn a_value_that_looks_like_a_place_stays_as_it_is() {
        let places = [("@A@", "'@B@'"), ("@B@", "b; @A@"), ("@C@", "@C@")];
        assert_eq!(filled("x @A@ @B@@C@ @D@ @A@", &places), "x '@B@' b; @A@@C@ @D@ '@B@'");
        assert_eq!(filled("nothing", &places), "nothing");
        assert_eq!(filled("@A@", &[]), "@A@");
    }
}
