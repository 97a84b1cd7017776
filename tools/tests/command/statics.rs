//! `coulisse static` as a user sees it.

use crate::common::{call_in, folder, models, ok_in, refused_in};
use crate::mechanism::Mechanism;

fn told(arguments: &[&str]) -> String {
    ok_in(&models(), arguments)
}

fn refused(arguments: &[&str]) -> String {
    refused_in(&models(), arguments)
}

const STRAIGHT: [&str; 4] = ["static", "tensile_buckling.toml", "--set", "parameters.phi0=0"];

#[test]
fn the_bifurcation_is_reported_and_every_point_kept() {
    let folder = folder("static");
    let [csv, svg] = ["path.csv", "path.svg"].map(|name| folder.join(name));
    let [csv, svg] = [&csv, &svg].map(|path| path.to_str().expect("UTF-8"));
    let switched = ["--control", "arc_length", "--switch", "-o", csv, "--svg", svg];
    let told = told(&[&STRAIGHT[..], &switched].concat());
    assert!(told.contains("bifurcation point at 0.000001066"), "{told}");
    assert!(told.contains("motions.pull.reaction 11.8455"), "{told}");
    let rows = std::fs::read_to_string(csv).expect("rows");
    let mut lines = rows.lines();
    let head = lines.next().expect("a head");
    assert!(head.starts_with("factor,unstable_modes,point,motions.pull.position"), "{head}");
    let last: Vec<&str> = lines.last().expect("rows").split(',').collect();
    assert_eq!(&last[..2], ["0.31", "0"]);
    let force: f64 = last[4].parse().expect("a number");
    // Elastica at 309.5 mm: 3.703 N.
    assert!((force - 3.70).abs() < 0.01, "{force}");
    let drawing = std::fs::read_to_string(svg).expect("a drawing");
    assert!(drawing.contains("bifurcation at"));
}

#[test]
fn a_path_of_surfaces_keeps_what_they_do_and_says_where_they_begin_to_slide() {
    let folder = folder("static_surfaces");
    let path = folder.join("path.csv");
    let csv = path.to_str().expect("UTF-8");
    // The weight stays, and the pull grows until 0.3 of the slider's weight no longer holds it.
    let arguments = ["--scale", "loads", "--to", "1", "-o", csv];
    let why = refused(&[&["static", "slider_in_guide.toml"][..], &arguments].concat());
    assert!(why.contains("contacts.guide begins to slide at the factor"), "{why}");
    let rows = std::fs::read_to_string(csv).expect("rows");
    let mut lines = rows.lines();
    let head: Vec<&str> = lines.next().expect("a head").split(',').collect();
    let column = |name: &str| {
        let at = head.iter().position(|other| *other == name);
        at.unwrap_or_else(|| panic!("no column {name} in {head:?}"))
    };
    let columns = [
        "factor",
        "contacts.guide.fx",
        "contacts.guide.sticking",
        "contacts.guide.dissipated_energy",
    ];
    let columns = columns.map(column);
    let mut last = [0.0, 0.0, 1.0, 0.0];
    for line in lines {
        let cells: Vec<&str> = line.split(',').collect();
        let row = columns.map(|at| cells[at].parse::<f64>().expect("a number"));
        assert!((row[1] - 1500.0 * row[0]).abs() < 1e-3, "{line}");
        assert!((0.0..=1.0).contains(&row[2]) && row[3] > last[3] - 1e-15, "{line}");
        last = row;
    }
    // Friction between 0.3 and 0.31 of the normal forces, which are the weight's and more where the pull tilts it.
    assert!(last[1] > 0.3 * 1232.0 && last[2] < 0.5 && last[3] > 0.0, "{last:?}");
}

#[test]
fn the_unstable_part_of_a_path_is_marked() {
    let told = told(&[&STRAIGHT[..], &["--to", "2e-6"]].concat());
    // Behind the path are the outputs at its end.
    let last = told.lines().rfind(|line| line.ends_with("yes") || line.contains("no, "));
    assert!(last.is_some_and(|line| line.ends_with("no, 1")), "{told}");
    assert!(told.contains("at the end"), "{told}");
}

#[test]
fn what_the_command_line_asks_for_in_vain_is_said() {
    let model = "cantilever_rollup.toml";
    for (more, words) in [
        (&["--control", "displacement", "--quantity", "points.tip.x"][..], "no [static] section"),
        (&["--to", "1", "--scale", "loads.moon"], "`loads.moon` cannot be scaled"),
        (&["--to", "1", "--control", "displacement"], "needs the `quantity`"),
        (&["--to", "1", "--quantity", "points.tip.vx"], "cannot be prescribed"),
        (&["--to", "nan"], "allowed: a finite number"),
        (&["--to", "1", "--first-step", "0"], "above 0"),
        (&["--to", "1", "--first-step", "-1"], "--first-step is -1"),
        (&["--to", "1", "--points", "0"], "--points is 0; allowed: a whole number from 1"),
        (&["--to", "1", "--scale", "loads", "--scale", "loads"], "names the same twice"),
    ] {
        let said = refused(&[&["static", model], more].concat());
        assert!(said.contains(words), "{said}");
    }
    // What is no number at all is a fault of the call, with the status of such faults.
    let call = ["static", model, "--to", "1", "--points", "-1"];
    let output = call_in(&models(), &call);
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(2));
    assert!(said.contains("`-1` is no whole number"), "{said}");
}

#[test]
fn a_run_warns_of_an_unstable_equilibrium_with_its_time() {
    let set = ["--set", "parameters.phi0=0", "--stop", "5"];
    let output = call_in(&models(), &[&["run", "tensile_buckling.toml"][..], &set].concat());
    let warning = String::from_utf8_lossy(&output.stderr).into_owned();
    assert_eq!(warning.matches("is unstable").count(), 1, "{warning}");
    assert!(warning.contains("between t = 0 s and t = 1 s"), "{warning}");
}

#[test]
fn the_slow_rods_bifurcate_on_a_smooth_bar_only_as_their_header_says() {
    let straight = [
        "static",
        "doubly_bent_beams.toml",
        "--set",
        "parameters.phi0=0",
        "--control",
        "arc_length",
        "--switch",
    ];
    let smooth = told(&[&straight[..], &["--set", "parameters.G0=0"]].concat());
    assert!(smooth.contains("motions.pull.reaction 11.8455"), "{smooth}");
    assert!(smooth.contains("\n branch "), "{smooth}");
    let rough = told(&straight);
    assert!(rough.contains("no limit or bifurcation point"), "{rough}");
}

/// A cantilever of 1 m with 10 N at its tip; 0.04 m × 0.01 m of steel.
#[test]
fn one_load_case_needs_no_section_and_prints_all_outputs_and_reactions() {
    let folder = folder("static_load_case");
    let model = format!(
        "name = \"beam\"\n[points]\nroot = [0.0, 0.0]\ntip = [1.0, 0.0]\n[materials]\nsteel = {{ young_modulus = 210e9, \
         poisson_ratio = 0.3, density = 7850.0 }}\n[sections]\nstrip = {{ rectangle = {{ height = 0.01, width = 0.04 }} }}\n\
         [members.beam]\nfrom = \"root\"\nto = \"tip\"\nelements = 4\nmaterial = \"steel\"\nsection = \"strip\"\n\
         [supports.clamp]\npoint = \"root\"\nfix = [\"x\", \"y\", \"rotation\"]\n[loads.weight]\npoint = \"tip\"\nfy = -10.0\n\
         [interface]\noutputs = [{}]\n",
        ["x", "y", "rotation"].map(|of| format!("\"points.tip.{of}\"")).join(", ")
    );
    std::fs::write(folder.join("beam.toml"), model).expect("a model");
    let told = ok_in(&folder, &["static", "beam.toml"]);
    let value = |name: &str| -> f64 {
        let line = told.lines().rfind(|line| line.split_whitespace().next() == Some(name));
        let cell = line.and_then(|line| line.split_whitespace().last());
        cell.unwrap_or_else(|| panic!("no {name}: {told}")).parse().expect("a number")
    };
    // F L³/(3 E I) with E I = 700 N m²; the rest is what large displacements and shear change.
    assert!((value("points.tip.y") + 10.0 / (3.0 * 700.0)).abs() < 1e-5, "{told}");
    assert!((value("supports.clamp.fy") - 10.0).abs() < 1e-4, "{told}");
}

#[test]
fn what_is_locked_beyond_its_friction_is_no_equilibrium_with_friction() {
    let folder = folder("locked");
    // A block on an incline of 45° with a coefficient of 0.1, which does not hold it.
    let incline = Mechanism::new("incline")
        .points("a = [0.0, 0.0], b = [4.0, 4.0], m = [2.0, 2.0]")
        .guide("guide", ["a", "b"], "rigid = true")
        .mass("m", 1.0)
        .gravity(-9.81)
        .slider("m", "m", "guide", "")
        .and("friction.coulomb.coefficient = 0.1")
        .outputs("joints.m.*")
        .text();
    std::fs::write(folder.join("incline.toml"), incline).expect("a model");
    let called = call_in(&folder, &["static", "incline.toml"]);
    let table = String::from_utf8_lossy(&called.stdout);
    let last = table.lines().find(|line| line.trim_start().starts_with("1 ")).expect("the end");
    assert!(last.ends_with("only while locked"), "{table}");
    // m g sin 45° along the path against 0.1 m g cos 45°.
    let why = String::from_utf8_lossy(&called.stderr);
    assert!(why.contains("locks it with 6.937 N along its path"), "{why}");
    assert!(why.contains("static friction is at most 0.6937 N"), "{why}");
    let held = ["static", "incline.toml", "--set", "joints.m.friction.coulomb.coefficient=1.1"];
    let table = ok_in(&folder, &held);
    assert!(!table.contains("only while locked") && table.contains("yes"), "{table}");
}
