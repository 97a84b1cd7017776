//! `coulisse vehicle`.

use crate::common::{call, folder, ok_in};

#[test]
fn it_runs_on_three_roads_with_friction_and_without_and_draws_the_figures() {
    let folder = folder("vehicle");
    let text = ok_in(&folder, &["vehicle", "--stop", "0.05", "--figures", "."]);
    for (road, count) in [("smooth", 2), ("class A", 2), ("class B", 2)] {
        let rows = text.lines().filter(|l| l.trim_start().starts_with(road));
        assert_eq!(rows.count(), count, "{text}");
    }
    // Curves: road and wheel of two roads; six runs; the same in two halves, twice; three forces.
    for (figure, curves) in [(18, 4), (19, 6), (20, 6), (21, 6), (22, 3)] {
        let drawing = std::fs::read_to_string(folder.join(format!("fig{figure}.svg"))).unwrap();
        assert_eq!(drawing.matches("class=\"c\"").count(), curves, "{figure}");
        assert!(!drawing.contains("NaN"));
    }
}

#[test]
fn an_end_before_the_beginning_is_refused() {
    let output = call(&["vehicle", "--stop", "-1"]);
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(
        text.contains("--stop is -1; allowed: a finite number above 0"),
        "{text}"
    );
}
