//! What a single run says, and a study says of its runs: warnings, statistics, entries that are switched off.

use std::path::Path;

use crate::common::{call_in, folder, models, ok_in, text};
use crate::written::{cell, column, table};

#[test]
fn a_study_counts_the_warnings_of_its_runs_and_prints_each_once() {
    let questions = Path::new(env!("CARGO_MANIFEST_DIR")).join("../tests/questions");
    let folder = folder("warned_study");
    let out = folder.join("out.csv");
    let study = ["run", "study_without_gravity.toml", "--list", "data/gravities.csv"];
    let done = call_in(&questions, &[&study[..], &["-o", text(&out)]].concat());
    assert!(done.status.success(), "{done:?}");
    let rows = table(&out);
    assert_eq!([1, 2, 3, 4].map(|run| cell(&rows, run, "warnings")), ["0", "1", "0", "1"]);
    assert_eq!(rows.len(), 5);
    let said = String::from_utf8(done.stderr).expect("UTF-8");
    let first = "warning: in 2 of 4 runs, first in run 2 with gravity.y = 0: joints.block";
    assert!(said.starts_with(first) && said.lines().count() == 1, "{said}");
    // The words of the run alone.
    let alone = call_in(&questions, &["run", study[1], "--set", "gravity.y=0"]);
    let alone = String::from_utf8(alone.stderr).expect("UTF-8");
    let reason = said.split_once("0: ").expect("a reason").1.split("; ").next().expect("words");
    assert!(alone.contains(reason), "{alone} {said}");
    let shown = String::from_utf8(done.stdout).expect("UTF-8");
    let row = shown.lines().find(|line| line.trim_start().starts_with("warnings"));
    let cells: Vec<&str> = row.expect("a row").split_whitespace().collect();
    assert_eq!(cells, ["warnings", "0", "1", "0", "1"]);
}

#[test]
fn a_study_without_warnings_has_no_column_of_them() {
    let folder = folder("silent_study");
    let [list, out] = ["list.csv", "out.csv"].map(|name| folder.join(name));
    std::fs::write(&list, "loads.normal.fy\n-100\n-60\n").expect("a list");
    let run = ["run", "rabinowicz.toml", "--stop", "0.5", "--list", text(&list), "-o", text(&out)];
    ok_in(&models(), &run);
    assert!(!table(&out)[0].iter().any(|name| name == "warnings"));
}

#[test]
fn statistics_of_a_run_have_mean_and_deviation_over_time() {
    let folder = folder("statistics_of_a_run");
    let [rows, statistics] = ["rows.csv", "statistics.csv"].map(|name| folder.join(name));
    let run = ["run", "rabinowicz.toml", "--stop", "2", "--from", "0.5"];
    let files = ["-o", text(&rows), "--statistics", text(&statistics)];
    ok_in(&models(), &[&run[..], &files].concat());
    let (rows, found) = (table(&rows), table(&statistics));
    let name = "joints.block.friction_force";
    let place = column(&rows, name);
    let number = |text: &String| text.parse::<f64>().expect("a number");
    let points: Vec<[f64; 2]> =
        rows[1..].iter().map(|row| [number(&row[0]), number(&row[place])]).collect();
    let points: Vec<[f64; 2]> = points.into_iter().filter(|[time, _]| *time >= 0.5).collect();
    let area = |value: &dyn Fn(f64) -> f64| {
        let each = points.windows(2).map(|two| {
            let [[t0, a], [t1, b]] = [two[0], two[1]];
            // Simpson's rule is exact for squares.
            (t1 - t0) * (value(a) + 4.0 * value(0.5 * (a + b)) + value(b)) / 6.0
        });
        each.sum::<f64>() / 1.5
    };
    let mean = area(&|y| y);
    let deviation = area(&|y| (y - mean).powi(2)).sqrt();
    let row = found.iter().find(|row| row[0] == name).expect("a row");
    for (heading, right) in [("mean over time", mean), ("deviation over time", deviation)] {
        let seen = number(&row[column(&found, heading)]);
        assert!((seen - right).abs() < 1e-9 * right.abs(), "{heading}: {seen} {right}");
    }
    assert_eq!(row[1], "N");
}

#[test]
fn what_is_switched_off_is_no_result() {
    let folder = folder("switched_off");
    let model = folder.join("model.toml");
    let given = std::fs::read_to_string(models().join("incline.toml")).expect("a model");
    let joint = given.find("[joints.block]\n").expect("a joint") + "[joints.block]\n".len();
    let off = [&given[..joint], "enabled = false\n", &given[joint..]].concat();
    std::fs::write(&model, off).expect("a model");
    let described = ok_in(&folder, &["describe", "model.toml"]);
    let line = described.lines().find(|line| line.contains("joints.block.position"));
    assert!(line.is_some_and(|line| line.contains("(switched off) ")), "{described}");
    let said = ok_in(&folder, &["run", "model.toml", "--stop", "0.1"]);
    assert!(said.contains("switched off, and not shown: `joints.block`"), "{said}");
    assert!(!said.contains("joints.block.position"), "{said}");
}

/// The closed form: x = ½ (sin α − μ cos α) |g| t² along the incline from where the block begins to slide.
#[test]
fn a_run_derives_its_outputs_by_numbers_of_the_model_and_by_what_was_set() {
    let folder = folder("derived_run");
    let rows = folder.join("rows.csv");
    let run = ["run", "incline.toml", "--stop", "1", "--step", "0.1", "-o", text(&rows), "--units"];
    let numbers = ["joints.block.friction.stribeck.kinetic_coefficient", "gravity.y"];
    let named = numbers.map(|name| ["--sensitivity", name]).concat();
    let set = ["--set", "gravity.y=-8"];
    ok_in(&models(), &[&run[..], &named, &set].concat());
    let found = table(&rows);
    let at_end = |name: &str| -> f64 { cell(&found, 11, name).parse().expect("a number") };
    let (sin, cos) = 35_f64.to_radians().sin_cos();
    let position =
        |number: &str, unit: &str| at_end(&format!("d(joints.block.position)/d({number}){unit}"));
    let by_friction = position(numbers[0], " [m]");
    let by_gravity = position(numbers[1], " [m/(m/s2)]");
    assert!((by_friction + 0.5 * cos * 8.0).abs() < 5e-3, "{by_friction}");
    assert!((by_gravity + 0.5 * (sin - 0.4 * cos)).abs() < 2e-3, "{by_gravity}");
    let refused = call_in(&models(), &["run", "incline.toml", "--sensitivity", "gravity.yy"]);
    let said = String::from_utf8(refused.stderr).expect("UTF-8");
    assert!(!refused.status.success() && said.contains("did you mean `gravity.y`"), "{said}");
}
