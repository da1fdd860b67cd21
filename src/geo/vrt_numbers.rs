//! Numbers in virtual rasters. GDAL takes a decimal comma, a word or nothing at all for some number there.

use super::text_numbers::{Checked, is_blank, plain_number, words};

/// Elements that hold one number, if anything.
const NUMBERS: [&str; 19] = [
    "ScaleOffset",
    "ScaleRatio",
    "Exponent",
    "SrcMin",
    "SrcMax",
    "DstMin",
    "DstMax",
    "Offset",
    "Scale",
    "NoDataValue",
    "NODATA",
    "ImageOffset",
    "PixelOffset",
    "LineOffset",
    "SrcNoDataReal",
    "DstNoDataReal",
    "BlockXSize",
    "BlockYSize",
    "WarpMemoryLimit",
];
/// Attributes that hold one number.
const ATTRIBUTES: [&str; 11] = [
    "rasterXSize",
    "rasterYSize",
    "RasterXSize",
    "RasterYSize",
    "xOff",
    "yOff",
    "xSize",
    "ySize",
    "BlockXSize",
    "BlockYSize",
    "band",
];

/// The line of a word that is no number where one belongs, and what is wrong.
pub(super) fn check(text: &str) -> std::result::Result<(), (u64, String)> {
    let mut at = 0;
    while let Some(start) = text[at..].find('<').map(|found| at + found) {
        let fail = |fault: String| (1 + text[..start].matches('\n').count() as u64, fault);
        let rest = &text[start..];
        if rest.starts_with("<!--") {
            at = rest.find("-->").map_or(text.len(), |end| start + end + 3);
            continue;
        }
        let Some(end) = rest.find('>') else { break };
        let tag = rest[1..end].trim_end_matches('/');
        let content = rest[end + 1..].split('<').next().unwrap_or_default().trim_matches(is_blank);
        let name = tag.split_whitespace().next().unwrap_or_default();
        attributes(tag).and_then(|()| element(name, content)).map_err(fail)?;
        at = start + end + 1;
    }
    Ok(())
}

fn attributes(tag: &str) -> Checked {
    for name in ATTRIBUTES {
        let places = tag.match_indices(name).filter(|(at, _)| tag[..*at].ends_with(char::is_whitespace));
        for (place, _) in places {
            let value = tag[place + name.len()..].trim_start().strip_prefix('=').map(str::trim_start);
            let quoted = value.and_then(|value| {
                let quote = value.chars().next().filter(|c| ['"', '\''].contains(c))?;
                value[1..].split(quote).next()
            });
            if let Some(value) = quoted {
                number(value).map_err(|fault| format!("{name}: {fault}"))?;
            }
        }
    }
    Ok(())
}

fn element(name: &str, content: &str) -> Checked {
    let all =
        |words: &mut dyn Iterator<Item = &str>| words.map(|word| word.trim_matches(is_blank)).try_for_each(number);
    let checked = match name {
        _ if content.is_empty() => Ok(()),
        "GeoTransform" => {
            let words: Vec<&str> = content.split(',').map(|word| word.trim_matches(is_blank)).collect();
            match words.len() {
                6 => all(&mut words.into_iter()),
                count => Err(format!("found {count} numbers, expected 6")),
            }
        }
        "LUT" => all(&mut content.split([',', ':'])),
        "Coefs" => all(&mut words(content)),
        _ if NUMBERS.contains(&name) => number(content),
        _ => Ok(()),
    };
    checked.map_err(|fault| format!("{name}: {fault}"))
}

/// A plain number, or one of those that mean something in GDAL's own files.
fn number(word: &str) -> Checked {
    let bare = word.trim_matches(is_blank).trim_start_matches(['+', '-']).to_ascii_lowercase();
    if ["nan", "inf", "infinity"].contains(&bare.as_str()) {
        Ok(())
    } else {
        plain_number(word.trim_matches(is_blank)).map(|_| ())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const WHOLE: &str = "<VRTDataset rasterXSize=\"20\" rasterYSize='20'>\n<GeoTransform> 2.6e6, 4, 0, 1200080, 0, -4</GeoTransform>\n\
        <!-- <ScaleOffset>1,5</ScaleOffset> -->\n<VRTRasterBand dataType=\"Float32\" band=\"1\">\n<NoDataValue>nan</NoDataValue>\n\
        <ComplexSource><SourceFilename relativeToVRT=\"1\">a 1,5.tif</SourceFilename><SrcRect xOff=\"0\" yOff=\"0\" xSize=\"20\" \
        ySize=\"20\"/><ScaleRatio>0.1</ScaleRatio><LUT>1:2,3:4</LUT></ComplexSource></VRTRasterBand></VRTDataset>";

    #[test]
    fn words_in_virtual_rasters_that_are_no_numbers_are_found() {
        assert_eq!(check(WHOLE), Ok(()));
        for (good, wrong, line) in [
            ("rasterXSize=\"20\"", "rasterXSize=\"20,5\"", 1),
            ("rasterYSize='20'", "rasterYSize='2x'", 1),
            ("2.6e6, 4", "2,6e6, 4", 2),
            ("2.6e6, 4", "2'600'000, 4", 2),
            ("2.6e6, 4", "2.6e6, four", 2),
            (">nan<", ">abc<", 5),
            (">nan<", ">-9999,5<", 5),
            (">0.1<", ">0,1<", 6),
            ("1:2,3:4", "1:2,3:y", 6),
            ("xOff=\"0\"", "xOff=\"0,5\"", 6),
            ("band=\"1\"", "band=\"one\"", 4),
        ] {
            let changed = WHOLE.replace(good, wrong);
            assert!(changed != WHOLE, "{good}");
            assert_eq!(check(&changed).unwrap_err().0, line, "{wrong}");
        }
        for cut in 0..WHOLE.len() {
            let _ = check(&WHOLE[..cut]);
        }
    }
}
