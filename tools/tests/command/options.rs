//! Options that no other theme asks for. tests/hosts/test_command_line.py demands that each one runs.

use crate::common::{call, folder, model, ok, ok_in, refused};

/// Numbers of the second column of the rows that begin with 1, 2, ….
fn frequencies(table: &str) -> Vec<f64> {
    let cells = table.lines().map(|line| line.split_whitespace().collect::<Vec<&str>>());
    let rows = cells.filter(|cells| cells.first().is_some_and(|n| n.parse::<usize>().is_ok()));
    rows.map(|cells| cells[1].parse().expect("a frequency")).collect()
}

#[test]
fn headings_have_units_where_they_are_asked_for() {
    let folder = folder("units");
    for (options, heading) in [
        (&["--units"][..], "time [s],joints.block.position [m],"),
        (&[], "time,joints.block.position,"),
    ] {
        ok_in(&folder, &[&["run", "incline", "--stop", "0.1", "-o", "a.csv"], options].concat());
        let csv = std::fs::read_to_string(folder.join("a.csv")).expect("rows");
        assert!(csv.starts_with(heading), "{csv}");
    }
}

/// `incline` lists no velocity of a point.
#[test]
fn outputs_are_chosen_also_those_that_the_file_does_not_list() {
    let folder = folder("chosen_outputs");
    let heading = |command: &[&str]| {
        ok_in(&folder, &[command, &["-o", "a.csv"]].concat());
        let csv = std::fs::read_to_string(folder.join("a.csv")).expect("rows");
        csv.lines().next().unwrap_or_default().to_owned()
    };
    let run = ["run", "incline", "--stop", "0.1", "--outputs"];
    let of_run = |names: &str| heading(&[&run[..], &[names]].concat());
    assert_eq!(of_run("points.block.vx,energy.k*"), "time,points.block.vx,energy.kinetic");
    // The numbers are those of the run with all outputs.
    let last = |file: &str| {
        let csv = std::fs::read_to_string(folder.join(file)).expect("rows");
        csv.lines().last().expect("a row").rsplit_once(',').expect("two numbers").1.to_owned()
    };
    let chosen = last("a.csv");
    ok_in(
        &folder,
        &["run", "incline", "--stop", "0.1", "--outputs", "energy.kinetic", "-o", "b.csv"],
    );
    assert_eq!(chosen, last("b.csv"));
    std::fs::write(folder.join("list.csv"), "gravity.y\n-9.81\n-1.62\n").expect("a list");
    let table = ok_in(
        &folder,
        &["run", "incline", "--stop", "0.1", "--list", "list.csv", "--outputs", "points.block.vx"],
    );
    assert!(
        table.contains("points.block.vx") && !table.contains("joints.block.position"),
        "{table}"
    );
    let path = heading(&["static", "snap_through", "--outputs", "energy.strain"]);
    assert!(path.ends_with(",energy.strain") && path.split(',').count() < 6, "{path}");
    let linear = ok(&["linearize", "quarter_car", "--outputs", "points.hub.ay"]);
    assert!(linear.contains("1 outputs"), "{linear}");
    let wrong = refused(&["run", "incline", "--outputs", "points.blok.vx"]);
    assert!(wrong.contains("--outputs: `points.blok.vx` is no output of this model"), "{wrong}");
}

#[test]
fn a_description_has_the_frequencies_of_the_modes() {
    let described = ok(&["describe", "quarter_car", "--modes", "2"]);
    let (_, described) = described.split_once("NATURAL FREQUENCIES").expect("a table");
    let modes = frequencies(&ok(&["modes", "quarter_car", "-n", "2"]));
    assert_eq!((frequencies(described), modes.len()), (modes, 2));
}

#[test]
fn a_wheel_that_sticks_has_no_mode_along_the_bridge() {
    let slides = ok(&["modes", "moving_mass_on_bridge", "-n", "2"]);
    let sticks = ok(&["modes", "moving_mass_on_bridge", "-n", "2", "--stuck"]);
    assert!(slides.contains("unstable") && !sticks.contains("unstable"), "{sticks}");
}

#[test]
fn a_path_has_more_points_where_they_may_be_less_far_apart_and_the_same_end() {
    let of = |options: &[&str]| ok(&[&["static", "tensile_buckling"], options].concat());
    let count = |said: &str| {
        let words: Vec<&str> = said.split_whitespace().collect();
        words[1].parse::<usize>().expect("points")
    };
    let reaction = |said: &str| {
        let words: Vec<&str> = said.lines().last().expect("a point").split_whitespace().collect();
        words[2].parse::<f64>().expect("a force")
    };
    let [usual, near] = [of(&[]), of(&["--largest-move", "0.005"])];
    assert!(count(&near) > count(&usual), "{near}");
    assert_eq!(reaction(&near), reaction(&usual));
    // The slider has no friction that could hold it; held, it keeps the rods from buckling in tension.
    assert_eq!(of(&["--fixed-sliders", "friction"]), usual);
    assert!(reaction(&of(&["--fixed-sliders", "all"])) > 1e3 * reaction(&usual));
}

#[test]
fn a_path_is_followed_for_each_row_of_a_list() {
    let folder = folder("static_list");
    std::fs::write(folder.join("list.csv"), "parameters.height\n0.1\n0.2\n").unwrap();
    let list = ["static", "cantilever_rollup", "--list", "list.csv", "-o", "ends.csv"];
    ok_in(&folder, &list);
    let ends = std::fs::read_to_string(folder.join("ends.csv")).expect("rows");
    assert_eq!(ends.lines().count(), 3, "{ends}");
}

#[test]
fn values_in_one_column_need_the_time_from_one_to_the_next() {
    let folder = folder("record_step");
    std::fs::write(folder.join("column.csv"), "0\n1\n0\n").unwrap();
    let record = ["record", "column.csv", "--unit", "m/s2", "--step", "0.25"];
    assert!(ok_in(&folder, &record).contains("0.5"));
}

#[test]
fn modes_of_steady_sliding_are_those_of_the_contact_that_is_named() {
    let of =
        |more: &[&str]| ok(&[&["modes", "slider_in_guide", "--sliding", "-n", "2"], more].concat());
    assert_eq!(of(&["--contact", "guide"]), of(&[]));
}

#[test]
fn what_drives_a_surface_one_way_does_not_drive_it_backwards() {
    let limit = ["sliding", "slider_jams", "--time", "1", "--limit", "parameters.mu=0.1:0.7"];
    let forwards = ok(&limit);
    let backwards = call(&[&limit[..], &["--backwards"]].concat());
    let backwards = String::from_utf8_lossy(&backwards.stdout).into_owned();
    assert!(forwards.contains("slides up to parameters.mu = "), "{forwards}");
    assert!(!backwards.contains("slides up to"), "{backwards}");
}

#[test]
fn a_check_takes_other_numbers_as_a_run_does() {
    let compressor = model("compressor");
    let check = ["check", &compressor, "--set"];
    assert!(ok(&[&check[..], &["parameters.gap=0.02"]].concat()).starts_with("ok: compressor"));
    let wrong = refused(&[&check[..], &["masses.piston.mass=-1"]].concat());
    assert!(wrong.contains("allowed: 0 or above"), "{wrong}");
    let unknown = refused(&[&check[..], &["parameters.gapp=1"]].concat());
    assert!(unknown.contains("did you mean `parameters.gap`"), "{unknown}");
}

#[test]
fn a_number_with_a_comma_is_refused_with_the_one_that_is_meant() {
    let output = call(&["run", &model("compressor"), "--stop", "1,5"]);
    let told = String::from_utf8(output.stderr).unwrap();
    assert!(told.contains("`1,5` is not a number; write 1.5"), "{told}");
}

#[test]
fn numbers_are_set_by_expressions_of_numbers_and_near_names_are_proposed() {
    let run = ["run", "incline", "--stop", "0.1", "--set"];
    let last = |value: &str| {
        let table = ok(&[&run[..], &[value]].concat());
        let row = table.lines().find(|line| line.contains("joints.block.position"));
        row.unwrap_or_else(|| panic!("{table}")).to_owned()
    };
    assert_eq!(last("gravity.y=-2*4.905*cos(deg(0))"), last("gravity.y=-9.81"));
    assert_ne!(last("gravity.y=-2*4.905"), last("gravity.y=-1.62"));
    let refused = |value: &str| {
        let output = call(&[&run[..], &[value]].concat());
        assert!(!output.status.success(), "{output:?}");
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let unknown = refused("gravity.y=-g");
    assert!(unknown.contains("`g` is no number and no function"), "{unknown}");
    let comma = refused("gravity.y=-9,81");
    assert!(comma.contains("write -9.81"), "{comma}");
    let near = refused("angl=1");
    assert!(near.contains("did you mean `parameters.angle`"), "{near}");
}
