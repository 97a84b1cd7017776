//! `coulisse run` of several models, of the rows of a list and of seeds.

use crate::common::{folder, models, ok_in, refused_in, text};
use crate::written::{cell, table};

#[test]
fn a_list_makes_one_row_for_each_of_its_own() {
    let folder = folder("list");
    let [list, out, single] = ["list.csv", "out.csv", "single.csv"].map(|name| folder.join(name));
    std::fs::write(&list, "loads.normal.fy,members.spring.elements\n-100,1\n-60,2\n")
        .expect("a list");
    let told = ok_in(
        &models(),
        &["run", "rabinowicz.toml", "--list", text(&list), "-o", text(&out), "--stop", "2"],
    );
    assert!(told.contains("2 runs"), "{told}");
    let rows = table(&out);
    assert_eq!(rows.len(), 3);
    assert_eq!(cell(&rows, 2, "loads.normal.fy"), "-60");
    assert_eq!(cell(&rows, 2, "members.spring.elements"), "2");
    // The same as the run alone, to the last bit.
    let set = [
        "--set",
        "loads.normal.fy=-60",
        "--set",
        "members.spring.elements=2",
        "--stop",
        "2",
        "-o",
        text(&single),
    ];
    ok_in(&models(), &[&["run", "rabinowicz.toml"], &set[..]].concat());
    let alone = table(&single);
    let last = cell(&alone, alone.len() - 1, "joints.block.position");
    let [last, seen] = [last, cell(&rows, 2, "joints.block.position at the end")]
        .map(|v| v.parse::<f64>().expect("a number"));
    assert_eq!(last.to_bits(), seen.to_bits());
    assert_ne!(
        cell(&rows, 1, "joints.block.normal_force largest"),
        cell(&rows, 2, "joints.block.normal_force largest")
    );
}

#[test]
fn seeds_make_other_roads_and_the_first_is_that_of_the_file() {
    let folder = folder("seeds");
    let [out, single] = ["out.csv", "single.csv"].map(|name| folder.join(name));
    let told = ok_in(&models(), &["run", "quarter_car.toml", "--seeds", "5", "-o", text(&out)]);
    assert!(told.contains("5 runs"), "{told}");
    let rows = table(&out);
    let column = "springs.strut.force largest";
    let found: Vec<f64> =
        (1..=5).map(|k| cell(&rows, k, column).parse().expect("a number")).collect();
    for (i, a) in found.iter().enumerate() {
        assert!(found[..i].iter().all(|b| a != b), "{found:?}");
    }
    // The seeds that each run had, under the name that gives it again.
    let seeds: Vec<f64> =
        (1..=5).map(|k| cell(&rows, k, "parameters.seed").parse().expect("a seed")).collect();
    assert_eq!(seeds, [1.0, 2.0, 3.0, 4.0, 5.0]);
    let again = folder.join("again.csv");
    let set = format!("parameters.seed={}", seeds[3]);
    ok_in(&models(), &["run", "quarter_car.toml", "--set", &set, "-o", text(&again)]);
    let again = table(&again);
    let forces = (1..again.len())
        .map(|k| cell(&again, k, "springs.strut.force").parse::<f64>().expect("a number"));
    assert_eq!(forces.fold(f64::NEG_INFINITY, f64::max).to_bits(), found[3].to_bits());
    ok_in(&models(), &["run", "quarter_car.toml", "-o", text(&single)]);
    let alone = table(&single);
    let forces = (1..alone.len())
        .map(|k| cell(&alone, k, "springs.strut.force").parse::<f64>().expect("a number"));
    assert_eq!(forces.fold(f64::NEG_INFINITY, f64::max).to_bits(), found[0].to_bits());
    // Mean and deviation of the table printed.
    let mean = found.iter().sum::<f64>() / 5.0;
    let line = told
        .lines()
        .find(|line| line.trim_start().starts_with("springs.strut.force"))
        .expect("a line");
    let seen: f64 = line.split_whitespace().nth(4).expect("a mean").parse().expect("a number");
    assert!((seen - mean).abs() < 1e-4 * mean.abs(), "{line} {mean}");
}

#[test]
fn statistics_are_over_the_runs_that_reach_their_end() {
    let folder = folder("statistics");
    let [list, out, statistics] =
        ["list.csv", "out.csv", "statistics.csv"].map(|name| folder.join(name));
    std::fs::write(&list, "loads.normal.fy\n-80\n-100\n-60\n").expect("a list");
    let run = ["run", "rabinowicz.toml", "--list", text(&list), "--stop", "0.5"];
    let told = ok_in(
        &models(),
        &[&run[..], &["-o", text(&out), "--statistics", text(&statistics)]].concat(),
    );
    assert!(told.contains("statistics of 3 runs, without 0 that ended early"), "{told}");
    let (rows, found) = (table(&out), table(&statistics));
    let name = "joints.block.normal_force";
    let row = (1..found.len()).find(|&row| {
        cell(&found, row, "output") == name && cell(&found, row, "value") == "largest"
    });
    let row = row.expect("a row");
    let value = |column: &str| cell(&found, row, column).parse::<f64>().expect("a number");
    let mut seen: Vec<f64> = (1..=3)
        .map(|run| cell(&rows, run, &format!("{name} largest")).parse().expect("a number"))
        .collect();
    seen.sort_by(f64::total_cmp);
    let mean = seen.iter().sum::<f64>() / 3.0;
    assert!((value("mean") - mean).abs() < 1e-12 * mean);
    assert_eq!([value("minimum"), value("median"), value("maximum")], [seen[0], seen[1], seen[2]]);
    assert_eq!((value("runs"), value("failed")), (3.0, 0.0));
    assert_eq!(cell(&found, row, "unit"), "N");
}

#[test]
fn several_models_share_a_table() {
    let folder = folder("several");
    let out = folder.join("out.csv");
    ok_in(&models(), &["run", "incline.toml", "cantilever_rollup.toml", "-o", text(&out)]);
    let rows = table(&out);
    assert_eq!(rows.len(), 3);
    assert_eq!(cell(&rows, 1, "points.tip.x largest"), "");
    assert!(!cell(&rows, 2, "points.tip.x largest").is_empty());
}

#[test]
fn a_run_that_fails_is_reported_and_the_others_are_kept() {
    let folder = folder("failing");
    let [list, out] = ["list.csv", "out.csv"].map(|name| folder.join(name));
    std::fs::write(&list, "members.beam.elements\n4\n0.5\n").expect("a list");
    let told = refused_in(
        &models(),
        &["run", "cantilever_rollup.toml", "--list", text(&list), "-o", text(&out)],
    );
    let which = "1 of 2 runs ended early, the first of them run 2 with members.beam.elements = 0.5: cantilever_rollup.toml:";
    let why = ": members.beam.elements is 0.5; allowed: a whole number";
    assert!(told.contains(which) && told.contains(why), "{told}");
    let rows = table(&out);
    assert_eq!(cell(&rows, 1, "failure"), "");
    assert!(cell(&rows, 2, "failure").contains("whole number"));
}

#[test]
fn wrong_sweeps_are_refused() {
    let folder = folder("wrong_sweeps");
    let list = folder.join("list.csv");
    let refused = |content: &str, arguments: &[&str]| {
        std::fs::write(&list, content).expect("a list");
        refused_in(
            &models(),
            &[&["run", "incline.toml", "--list", text(&list)], arguments].concat(),
        )
    };
    assert!(refused("1,2\n3,4\n", &[]).contains("allowed: names of numbers"));
    assert!(
        refused("solver.step\nfast\n", &[]).contains("list.csv:2: `fast`; allowed: finite numbers")
    );
    assert!(refused("solver.step\n", &[]).contains("no row of values"));
    assert!(refused("solver.stepp\n1e-3\n", &[]).contains("did you mean `solver.step`"));
    assert!(
        refused("solver.step\n1e-3\n", &["-o", "rows.npz"])
            .contains("written as .csv or .xlsx, not as .npz")
    );
    let seeds = |arguments: &[&str]| refused_in(&models(), &[&["run"], arguments].concat());
    assert!(
        seeds(&["incline.toml", "--seeds", "3"]).contains("no `seed` generates anything in it")
    );
    assert!(seeds(&["quarter_car.toml", "--seeds", "0"]).contains("--seeds is 0"));
    let ending = ["incline.toml", "--statistics", "a.npz"];
    assert!(seeds(&ending).contains("written as .csv or .xlsx, not as .npz"));
}

#[test]
fn a_table_in_another_format_is_refused_before_anything_runs() {
    for ending in ["feather", "parqet", "fmu"] {
        let rows = format!("rows.{ending}");
        let told = refused_in(&models(), &["run", "incline.toml", "-o", &rows]);
        assert!(
            told.contains(&format!(
                "{rows}: .{ending} is not written; allowed: .csv, .npz, .mat, .xlsx, .parquet"
            )),
            "{told}"
        );
    }
}

#[test]
fn few_models_stand_side_by_side() {
    let told =
        ok_in(&models(), &["run", "incline.toml", "cantilever_rollup.toml", "--stop", "0.5"]);
    let head = told.lines().nth(1).expect("a heading");
    assert!(head.contains("run 1: incline") && head.contains("run 2: cantilever_rollup"), "{told}");
    let tip = told.lines().find(|line| line.trim_start().starts_with("points.tip.rotation"));
    let cells: Vec<&str> = tip.expect("a line").split_whitespace().collect();
    assert_eq!(cells[..4], ["points.tip.rotation", "rad", "smallest", "–"], "{told}");
    assert!(!told.contains("deviation"), "{told}");
}

#[test]
fn a_table_of_runs_has_units_and_the_numbers_of_an_oscillation() {
    let folder = folder("sweep_units");
    let [list, out, book] = ["list.csv", "out.csv", "out.xlsx"].map(|name| folder.join(name));
    std::fs::write(&list, "loads.normal.fy\n-100\n-60\n").expect("a list");
    let run = ["run", "rabinowicz.toml", "--list", text(&list), "--from", "2"];
    let told = ok_in(&models(), &[&run[..], &["-o", text(&out), "--units"]].concat());
    let rows = table(&out);
    let value =
        |run: usize, column: &str| cell(&rows, run, column).parse::<f64>().expect("a number");
    assert_eq!(cell(&rows, 2, "loads.normal.fy [N]"), "-60");
    let name = "points.block.vx";
    let of = |of: &str| value(1, &format!("{name} {of} [m/s]"));
    assert_eq!(of("peak to peak"), of("largest") - of("smallest"));
    assert!(value(1, &format!("{name} mean frequency [Hz]")) > 0.0);
    // Its number stands in a row, not in the heading.
    assert!(told.lines().nth(2).expect("a line").contains("loads.normal.fy"), "{told}");
    assert!(!told.lines().nth(1).expect("a heading").contains("-100"), "{told}");
    ok_in(&models(), &[&run[..], &["-o", text(&book)]].concat());
    assert!(std::fs::read(&book).expect("a workbook").starts_with(b"PK"));
}

#[test]
fn a_run_says_at_which_points_its_extremes_are() {
    let told = ok_in(&models(), &["run", "quarter_car.toml", "--step", "0.25"]);
    assert!(told.contains("communication points of 0.25 s; solver steps are "), "{told}");
    assert!(told.contains("peaks may lie between these points: `"), "{told}");
    assert!(
        told.contains(" near t = ") && told.contains("; run with --step 0.05 to see them"),
        "{told}"
    );
    let whole = refused_in(&models(), &["run", "incline.toml", "--from", "99"]);
    assert!(whole.contains("--from 99; allowed: from 0 to before the end"), "{whole}");
}

#[test]
fn each_row_of_a_list_is_the_run_with_its_numbers() {
    let folder = folder("rows");
    let [list, out, single] = ["list.csv", "out.csv", "single.csv"].map(|name| folder.join(name));
    // An input, a fixed parameter, a tunable one, and a number that is none of these: they share the model, or do not.
    let names = [
        "loads.normal.fy",
        "parameters.mass",
        "joints.block.friction.stribeck.static_coefficient",
        "members.spring.elements",
    ];
    let model = folder.join("model.toml");
    let given = std::fs::read_to_string(models().join("rabinowicz.toml")).expect("a model");
    let given = given.replace("mass = 20.0", "mass = \"mass\"").replace(
        "[interface]\nparameters = [",
        "[parameters]\nmass = 20.0\n\n[interface]\nparameters = [\"parameters.mass\", ",
    );
    std::fs::write(&model, given).expect("a model");
    let values = [
        [-196.2, 20.0, 0.6, 1.0],
        [-150.0, 20.0, 0.55, 1.0],
        [-196.2, 18.0, 0.6, 1.0],
        [-150.0, 22.0, 0.65, 2.0],
    ];
    let row = |values: &[f64; 4]| values.map(|value| value.to_string()).join(",") + "\n";
    let rows: String = values.iter().map(row).collect();
    std::fs::write(&list, format!("{}\n{rows}", names.join(","))).expect("a list");
    let run = ["run", text(&model), "--stop", "1", "-o"];
    ok_in(&folder, &[&run[..], &[text(&out), "--list", text(&list)]].concat());
    let all = table(&out);
    for (k, values) in values.iter().enumerate() {
        let set: Vec<String> =
            names.iter().zip(values).map(|(name, value)| format!("--set={name}={value}")).collect();
        let set: Vec<&str> = set.iter().map(String::as_str).collect();
        ok_in(&folder, &[&run[..], &[text(&single)], &set[..]].concat());
        let alone = table(&single);
        for name in &alone[0][1..] {
            let last = cell(&alone, alone.len() - 1, name).parse::<f64>().expect("a number");
            let seen = cell(&all, k + 1, &format!("{name} at the end"));
            let seen = seen.parse::<f64>().expect("a number");
            assert_eq!(last.to_bits(), seen.to_bits(), "run {}, {name}", k + 1);
        }
    }
}

/// A block that a load pushes, which is a parameter and an input.
const PUSHED: &str = r#"
name = "pushed"
[parameters]
push = 0.5
[experiment]
stop_time = 1.0
communication_step = 0.01
[points]
m = [0.0, 0.0]
[supports]
m = { point = "m", fix = ["y"] }
[masses]
m = { point = "m", mass = 2.0 }
[loads]
push = { point = "m", fx = "push" }
[interface]
inputs = ["loads.push.fx"]
parameters = ["parameters.push"]
outputs = ["points.m.x"]
"#;

#[test]
fn an_input_whose_value_follows_a_parameter_does_so_where_the_parameter_is_set() {
    let folder = folder("pushed");
    std::fs::write(folder.join("pushed.toml"), PUSHED).expect("a model");
    let told = ok_in(&folder, &["run", "pushed.toml", "--set", "parameters.push=4"]);
    let line = told.lines().find(|line| line.trim_start().starts_with("points.m.x")).expect("x");
    // F t²/(2 m)
    let last: f64 = line.split_whitespace().last().expect("x").parse().expect("a number");
    assert!((last - 1.0).abs() < 1e-6, "{told}");
    // What is set itself counts.
    let both = ["--set", "parameters.push=4", "--set", "loads.push.fx=8"];
    let told = ok_in(&folder, &[&["run", "pushed.toml"], &both[..]].concat());
    assert!(told.contains("2.000") || told.contains(" 2 ") || told.contains("2\n"), "{told}");
}

#[test]
fn more_than_five_rows_of_a_list_have_a_line_each() {
    let folder = folder("lines");
    let rows: Vec<f64> = (1..=7).map(f64::from).collect();
    let list: String = rows.iter().map(|push| format!("{push}\n")).collect();
    std::fs::write(folder.join("pushed.toml"), PUSHED).expect("a model");
    std::fs::write(folder.join("list.csv"), format!("parameters.push\n{list}")).expect("a list");
    let told = ok_in(&folder, &["run", "pushed.toml", "--list", "list.csv"]);
    let cells = |line: &str| -> Option<Vec<f64>> {
        line.split_whitespace().map(|cell| cell.parse().ok()).collect()
    };
    let found: Vec<Vec<f64>> = told.lines().filter_map(cells).filter(|c| c.len() == 4).collect();
    assert_eq!(found.len(), 7, "{told}");
    for (k, (row, push)) in found.iter().zip(rows).enumerate() {
        let way = push / 4.0;
        assert_eq!(row[..2], [k as f64 + 1.0, push]);
        assert!((row[2] - way).abs() < 1e-5 * way && row[3] == row[2], "{told}");
    }
}
