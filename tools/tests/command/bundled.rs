//! Bundled models by their names, from a folder that holds none of them.

use crate::common::{bundled, folder, model, ok_in, refused_in};

#[test]
fn every_command_takes_the_name_of_a_bundled_model() {
    let folder = folder("bundled_names");
    for call in [
        &["check", "quick_return"][..],
        &["run", "incline", "--stop", "0.1"],
        &["run", "incline", "rabinowicz", "--stop", "0.1"],
        &["describe", "bracket_on_rail"],
        &["mesh", "quick_return_solid"],
        &["modes", "moving_mass_on_bridge", "-n", "2"],
        &["profile", "vehicle_on_bridge#front"],
        &["friction", "quick_return#N", "--normal-force", "500"],
        &["static", "tensile_buckling"],
        &["pack", "bracket_on_rail", "--native"],
        &["converge", "incline", "--only", "step"],
        &["sliding", "slider_jams", "--time", "1"],
    ] {
        ok_in(&folder, call);
    }
    assert!(folder.join("bracket_on_rail.fmu").is_file());
}

#[test]
fn a_bundled_model_is_copied_with_its_data_files() {
    let folder = folder("bundled_copies");
    ok_in(&folder, &["new", "mine", "--from", "bracket_on_rail"]);
    assert!(folder.join("meshes/bracket.msh").is_file());
    assert!(ok_in(&folder, &["check", "mine.toml"]).starts_with("ok: mine"));
}

#[test]
fn the_bundled_models_are_listed_with_what_they_show() {
    let told = ok_in(&folder("bundled_list"), &["new", "--list"]);
    let names: Vec<&str> = told.lines().filter_map(|line| line.split_whitespace().next()).collect();
    assert_eq!(names, bundled());
    let press = told.lines().find(|line| line.starts_with("press ")).expect("a line");
    assert!(press.ends_with(
        "Eccentric press with a pair of gears, a flexible rod and an elastic workpiece"
    ));
}

#[test]
fn a_missing_file_leads_to_bundled_names() {
    let folder = folder("bundled_missing");
    let near = refused_in(&folder, &["run", "quick_retrun"]);
    assert!(near.contains("did you mean the bundled model `quick_return`"), "{near}");
    let placed = refused_in(&folder, &["new", "mine", "--from", "resources/models/press.toml"]);
    assert!(placed.contains("the bundled model `press`"), "{placed}");
    let far = refused_in(&folder, &["check", "zzz.toml"]);
    assert!(far.contains("`coulisse new --list` lists the bundled models"), "{far}");
}

#[test]
fn a_missing_file_leads_to_the_model_file_beside_it() {
    let folder = folder("beside_missing");
    ok_in(&folder, &["new", "four_rods", "--from", "four_bar"]);
    std::fs::create_dir(folder.join("models")).unwrap();
    std::fs::rename(folder.join("four_rods.toml"), folder.join("models/four_rods.toml")).unwrap();
    ok_in(&folder, &["new", "swing"]);
    for (given, meant) in [
        ("swing.tml", "swing.toml"),
        ("swing", "swing.toml"),
        ("siwng.toml", "swing.toml"),
        ("models/four_rods.tml", "models/four_rods.toml"),
    ] {
        let told = refused_in(&folder, &["run", given]);
        assert!(told.contains(&format!("did you mean `{meant}`?")), "{told}");
    }
}

#[test]
fn a_file_of_ones_own_is_not_taken_for_the_bundled_model_of_its_name() {
    let folder = folder("bundled_beside");
    ok_in(&folder, &["new", "press", "--from", "press"]);
    let told = refused_in(&folder, &["run", "press"]);
    assert!(told.contains("press.toml is a file here"), "{told}");
}

/// Largest size of an output in the table that `coulisse run` prints.
fn largest(table: &str, output: &str) -> f64 {
    let line = table.lines().find(|line| line.split_whitespace().next() == Some(output));
    let cells: Vec<f64> =
        (line.expect("a line").split_whitespace()).filter_map(|cell| cell.parse().ok()).collect();
    // Behind each is its time.
    cells[0].abs().max(cells[2].abs())
}

/// Some 10 s for each of the two runs of 21 s: peaks of an earthquake stand nowhere else.
#[test]
fn the_comment_of_the_isolated_frame_has_the_peaks_of_its_runs() {
    let folder = folder("bundled_comments");
    let text = std::fs::read_to_string(model("isolated_building_frame")).expect("a model");
    for (place, damping) in ["1", "0"].into_iter().enumerate() {
        let set = format!("parameters.mass_damping={damping}");
        let table = ok_in(&folder, &["run", "isolated_building_frame", "--set", &set]);
        for (words, output, unit) in [
            ("base shear", "motions.horizontal.reaction", 1e3),
            ("drift of the first storey", "probes.drift_1", 1e-3),
            ("travel of the right slider", "joints.foot_r.displacement", 1e-3),
            ("travel of the left slider", "joints.foot_l.displacement", 1e-3),
        ] {
            let line =
                text.lines().find_map(|line| line.strip_prefix("#")?.trim().strip_prefix(words));
            let told: Vec<f64> = (line.expect("a line of the comment").split_whitespace())
                .filter_map(|word| word.parse().ok())
                .collect();
            let ran = largest(&table, output) / unit;
            // As it is rounded there.
            assert!((told[place] - ran).abs() <= 0.5, "{words}, {damping}: {} {ran}", told[place]);
        }
    }
}

#[test]
fn the_comment_of_the_rolled_cantilever_has_the_angle_of_its_run() {
    let table = ok_in(&folder("bundled_cantilever"), &["run", "cantilever_rollup"]);
    let line = table.lines().find(|line| line.trim_start().starts_with("points.tip.rotation"));
    let angle = line.and_then(|line| line.split_whitespace().last()).expect("an angle");
    let text = std::fs::read_to_string(model("cantilever_rollup")).expect("a model");
    assert!(text.contains(&format!("the 16 elements here turn it by {angle} rad")), "{angle}");
}
