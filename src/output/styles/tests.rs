use super::*;
use crate::store::layers::Layer;

/// Lines may have any name; the style stays XML, and the map tip an expression.
#[test]
fn names_of_lines_broke_neither_style_nor_map_tip() {
    let folder = tempfile::tempdir().unwrap();
    let name = "it's 100 %] <\\b> \"&\" \u{1}";
    let picture = Histogram { line: name.into(), scenario: None, file: "01_line.svg".into() };
    write_crossings(folder.path(), &[picture]).unwrap();
    let style = std::fs::read_to_string(folder.path().join("crossings.qml")).unwrap();
    let tip = style.split("<mapTip>").nth(1).unwrap().split("</mapTip>").next().unwrap();
    assert!(!tip.contains(['<', '>', '\u{1}']), "{tip}");
    let plain = tip.replace("&#60;", "<").replace("&#62;", ">").replace("&#34;", "\"").replace("&#39;", "'");
    let plain = plain.replace("&#38;", "&");
    assert!(plain.contains(r#"= 'it''s 100 %' || '] <\\b> "&" '"#), "{plain}");
    assert_eq!((plain.matches("[%").count(), plain.matches("%]").count()), (4, 4), "{plain}");
}

#[test]
fn differences_are_classed_around_zero() {
    let folder = tempfile::tempdir().unwrap();
    write_difference(folder.path(), "d", &Layer::ReachProbability).unwrap();
    let style = std::fs::read_to_string(folder.path().join("d.qml")).unwrap();
    assert!(style.contains("&#60; −10 %") || style.contains("< −10 %"), "{style}");
    assert!(style.contains("about the same (± 0.1 %)") && style.matches("<item ").count() == 9);
}
