//! `coulisse profile`.

use crate::common::{self, Folder, ok_in, refused_in};
use crate::mechanism::Mechanism;

/// A folder of the test's own with the road in it.
fn folder(test: &str) -> Folder {
    let folder = common::folder(&format!("profile_{test}"));
    let road = Mechanism::new("Road")
        .step(1e-3)
        .points("a = [0.0, 0.0], b = [100.0, 0.0], wheel = [1.0, 0.0], lift = [1.0, 0.0]")
        .guide("road", ["a", "b"], "elements = 1, order = 1")
        .mass("wheel", 1.0)
        .mass("lift", 1.0)
        .joint("wheel", "cylindrical = { slider = 'wheel', path = ['road'] }, wheel_radius = 0.3")
        .and("roughness.iso8608 = { class = 'A', from = 1.0, to = 10.0, lines = 20 }")
        .slider("lift", "lift", "road", "")
        .text();
    std::fs::write(folder.join("road.toml"), road).unwrap();
    folder
}

#[test]
fn the_profile_of_a_road_is_printed_with_the_roughness_of_its_class_and_drawn() {
    let folder = folder("printed");
    let text = ok_in(&folder, &["profile", "road.toml#wheel", "--svg", "road.svg"]);
    let line = text.lines().find(|l| l.starts_with("rms height")).unwrap();
    let rms: f64 = line.split_whitespace().nth(2).unwrap().parse().unwrap();
    // 0.430 mm for 20 lines from 1 to 10 cycle/m.
    assert!((rms - 0.430e-3).abs() < 2e-6, "{text}");
    let drawing = std::fs::read_to_string(folder.join("road.svg")).unwrap();
    // Profile, wheel, spectrum and target.
    assert_eq!(drawing.matches("class=\"c\"").count(), 4);
}

#[test]
fn what_cannot_be_shown_is_refused_with_what_can() {
    let folder = folder("refused");
    for (subject, length, words) in [
        ("road.toml#lift", "1", "the path of joints.lift is smooth"),
        ("road.toml#wheels", "1", "there are: wheel, lift"),
        ("road.toml", "1", "write MODEL.toml#JOINT"),
        ("road.toml#wheel", "0", "--length is 0; allowed: a finite number above 0"),
        ("road.toml#wheel", "1e9", "look at less with --length"),
    ] {
        let text = refused_in(&folder, &["profile", subject, "--length", length]);
        assert!(text.contains(words), "{text}");
    }
}
