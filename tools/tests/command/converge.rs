//! `coulisse converge` as a user sees it, and `--set` of every number.

use crate::common::{call_in, folder, models, ok_in, project, refused_in, text};

/// The line of a table that begins with a name, word by word.
fn line(told: &str, part: &str, name: &str) -> Vec<String> {
    let (_, behind) = told.split_once(&format!("{part}: ")).expect("the part of the table");
    let line = behind.lines().find(|line| line.split_whitespace().next() == Some(name));
    let line = line.unwrap_or_else(|| panic!("no line {name} in\n{told}"));
    line.split_whitespace().map(str::to_string).collect()
}

#[test]
fn the_order_of_cubic_elements_is_found() {
    // Displacements of frames of order p have the order 2 p − 1 at their nodes, here 5.
    let told = ok_in(&models(), &["converge", "cantilever_rollup.toml", "--only", "mesh"]);
    let row = line(&told, "mesh", "points.tip.x");
    let order: f64 = row[6].parse().expect("an order");
    assert!((4.5..6.5).contains(&order), "{told}");
    assert!(
        told.contains(
            "the error of the mesh is below 0.01 of the range of every output with members.beam.elements = 8 (the mesh × 1/2), coarser"
        ),
        "{told}"
    );
}

#[test]
fn the_order_of_the_time_integration_is_found() {
    let told =
        ok_in(&models(), &["converge", "quarter_car.toml", "--only", "step", "--accuracy", "1e-3"]);
    for name in ["springs.strut.force", "points.body.y", "points.hub.vy", "energy.damping_work"] {
        let row = line(&told, "step", name);
        assert_eq!(row[6], "2.0", "{name}: {told}");
    }
    assert!(
        told.contains("with the step 0.0005 s") || told.contains("with the step 0.00025 s"),
        "{told}"
    );
}

#[test]
fn an_order_below_the_expected_one_is_reported() {
    let order = |arguments: &[&str], part: &str, name: &str| -> f64 {
        let told = ok_in(&models(), &[&["converge"], arguments].concat());
        let row = line(&told, part, name);
        println!("{arguments:?} {name}: {}", row[row.len() - 3]);
        row[row.len() - 3].parse().expect("an order")
    };
    // A block that starts with a jolt; elements of first order; the mesh of a beam under a wheel that rolls over its nodes.
    let jolt = order(&["incline.toml"], "step", "joints.block.position");
    assert!((0.5..1.7).contains(&jolt), "{jolt}");
    let linear = order(
        &[
            "cantilever_rollup.toml",
            "--only",
            "mesh",
            "--set",
            "members.beam.order=1",
            "--set",
            "members.beam.elements=40",
        ],
        "mesh",
        "points.tip.x",
    );
    assert!((0.5..2.5).contains(&linear), "{linear}");
    let wheel =
        order(&["beam_moving_load.toml", "--only", "mesh"], "mesh", "motions.drive.reaction");
    assert!((1.0..3.5).contains(&wheel), "{wheel}");
}

/// A bundled model, its arguments, an output and the orders that its halved steps may show; none where changes are rounding.
type Expected = (&'static str, &'static [&'static str], &'static str, Option<[f64; 2]>);

/// Of the second order, as smooth motion is.
const SECOND: Option<[f64; 2]> = Some([1.6, 2.6]);

/// Where events, or forces that begin at once, decide.
const LESS: Option<[f64; 2]> = Some([-1.0, 1.6]);

/// Quasi-static motion, or what is driven, does not depend on the step.
const NONE: Option<[f64; 2]> = None;

const ALL: [Expected; 27] = [
    ("beam_moving_load", &[], "energy.kinetic", SECOND),
    ("belt_tensioner", &["--stop", "0.3"], "points.pulley.y", SECOND),
    // A bracket that chatters along its rail.
    ("bracket_on_rail", &[], "points.bracket.head.vy", LESS),
    ("cam_and_spring", &[], "points.tip.y", SECOND),
    ("cantilever_rollup", &[], "points.tip.x", NONE),
    ("car_on_bridge", &["--stop", "0.5"], "points.driver.y", SECOND),
    ("compressor", &["--stop", "0.1"], "energy.kinetic", SECOND),
    // Rates of a quasi-static motion are mean ones over a step.
    ("cooks_membrane", &[], "points.middle.vy", LESS),
    ("doubly_bent_beams", &["--stop", "5", "--finer", "1"], "joints.left.position", SECOND),
    ("doubly_bent_beams_solid", &["--stop", "1", "--finer", "1"], "joints.left.position", NONE),
    ("half_car", &["--stop", "1"], "points.driver.y", SECOND),
    // They start with a jolt.
    ("incline", &[], "joints.block.position", LESS),
    ("incline_prismatic", &[], "joints.block.position", LESS),
    ("isolated_building", &["--stop", "0.02", "--finer", "1"], "energy.strain", SECOND),
    ("isolated_building_frame", &["--stop", "1.5"], "points.r5.x", SECOND),
    ("moving_mass_on_bridge", &["--stop", "0.9"], "points.wheel.x", SECOND),
    // Its rod rings from the jolt of its start.
    ("press", &[], "joints.ram.normal_force", LESS),
    ("quarter_car", &["--stop", "1"], "points.body.y", SECOND),
    ("quick_return", &["--stop", "0.05"], "points.A.x", SECOND),
    // Its first millisecond is the jolt of its start.
    ("quick_return_solid", &["--stop", "0.001", "--finer", "1"], "points.N.vx", LESS),
    ("rabinowicz", &[], "joints.block.position", SECOND),
    ("slider_crank_with_clearance", &["--stop", "0.02"], "energy.kinetic", SECOND),
    // Its points strike their faces; the motion of the whole is smooth.
    ("slider_in_guide", &["--stop", "0.04"], "points.middle.vx", SECOND),
    ("slider_jams", &["--stop", "0.08"], "points.middle.x", SECOND),
    ("telescope", &["--stop", "0.1"], "points.tip.y", LESS),
    ("tensile_buckling", &["--stop", "30"], "joints.left.position", NONE),
    ("vehicle_on_bridge", &["--stop", "0.3"], "joints.front.position", SECOND),
];

#[test]
#[ignore = "full tier, 26 s: several runs of every bundled model"]
fn the_order_of_the_step_is_found_on_every_bundled_model() {
    for file in std::fs::read_dir(models()).expect("the models") {
        let path = file.expect("a file").path();
        let name = path.file_stem().and_then(|stem| stem.to_str()).unwrap_or_default();
        let is_model = path.extension().is_some_and(|ending| ending == "toml");
        assert!(
            !is_model || ALL.iter().any(|(model, ..)| *model == name),
            "{name} is not among them"
        );
    }
    let mut wrong = Vec::new();
    for (model, more, output, expected) in ALL {
        let file = format!("{model}.toml");
        let output_of =
            call_in(&models(), &[&["converge", &file, "--only", "step"], more].concat());
        assert!(output_of.status.success(), "{output_of:?}");
        // The coarsest runs may warn that their steps are too long.
        let told = String::from_utf8_lossy(&output_of.stdout);
        let row = line(&told, "step", output);
        let found: Option<f64> = row[row.len() - 3].parse().ok();
        println!("{model} {output}: {found:?}");
        let fits = match (found, expected) {
            (None, None) => true,
            (Some(order), Some([least, most])) => (least..most).contains(&order),
            _ => false,
        };
        if !fits {
            wrong.push(format!("{model}: {output} {found:?}, not {expected:?}\n{told}"));
        }
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
}

#[test]
fn what_does_not_converge_is_named() {
    // Contact forces of undamped bars and of a mass on a beam of few elements ring at every step.
    for (model, name) in [
        ("press", "joints.ram.normal_force"),
        ("moving_mass_on_bridge", "joints.wheel.normal_force"),
    ] {
        let file = format!("{model}.toml");
        let told = ok_in(&models(), &["converge", &file, "--only", "step"]);
        let (_, named) = told.split_once("not converging: ").unwrap_or_else(|| panic!("{told}"));
        assert!(named.contains(name), "{told}");
    }
}

#[test]
fn what_is_too_coarse_is_reported() {
    let told = ok_in(
        &models(),
        &[
            "converge",
            "beam_moving_load.toml",
            "--only",
            "mesh",
            "--set",
            "members.beam.elements=2",
            "--coarser",
            "0",
            "--accuracy",
            "1e-4",
        ],
    );
    assert!(
        told.contains(
            "not even with members.beam.elements = 8 (the mesh × 4) the error is within 0.0001"
        ),
        "{told}"
    );
}

#[test]
fn changes_and_drawing_are_written() {
    let folder = folder("converge");
    let [csv, svg] = ["changes.csv", "changes.svg"].map(|name| folder.join(name));
    ok_in(&models(), &["converge", "incline.toml", "-o", text(&csv), "--svg", text(&svg)]);
    let rows = std::fs::read_to_string(&csv).expect("rows");
    assert!(rows.starts_with("refined,from,to,output,unit,range,change,largest\nstep,0.002 s,0.001 s,joints.block.position,m,"), "{rows}");
    let drawing = std::fs::read_to_string(&svg).expect("a drawing");
    assert!(drawing.contains("Change by halving the step"), "{drawing}");
}

#[test]
fn wrong_requests_are_refused() {
    let refused = |arguments: &[&str]| {
        refused_in(&models(), &[&["converge", "incline.toml"], arguments].concat())
    };
    assert!(refused(&["--accuracy", "0"]).contains("--accuracy is 0; allowed: above 0"));
    assert!(refused(&["--finer", "0"]).contains("allowed: at least one finer"));
    assert!(refused(&["--finer", "40"]).contains("together at most 12"));
    let told = refused_in(&models(), &["converge", "incline.fmu"]);
    assert!(told.contains("incline.fmu: an FMU; allowed: a model file"), "{told}");
    let told = refused(&["--set", "solver.stepp=1"]);
    assert!(told.contains("did you mean `solver.step`?"), "{told}");
}

#[test]
fn every_number_of_a_model_file_can_be_set_for_a_run() {
    let run = |arguments: &[&str]| {
        ok_in(&models(), &[&["run", "cantilever_rollup.toml"], arguments].concat())
    };
    let own = run(&[]);
    let coarse = run(&["--set", "members.beam.elements=5", "--set", "solver.max_iterations=50"]);
    assert_ne!(own, coarse);
    let refused =
        |set: &str| refused_in(&models(), &["run", "cantilever_rollup.toml", "--set", set]);
    let told = refused("members.beam.elements=2.5");
    assert!(
        told.contains("members.beam.elements is 2.5\n")
            && told.contains("help: allowed: a whole number from 1 to 100000"),
        "{told}"
    );
    let told = refused("members.beam.element=2");
    assert!(told.contains("did you mean `members.beam.elements`?"), "{told}");
}

#[test]
fn a_static_model_under_a_constant_load_is_judged_by_its_displacements() {
    let folder = folder("converge_statics");
    let text = "name = \"cantilever\"\n[solver]\nanalysis = \"quasi_static\"\n[points]\nroot = [0.0, 0.0]\ntip = [1.0, 0.0]\n\
        [materials.steel]\nyoung_modulus = 2.1e11\npoisson_ratio = 0.3\ndensity = 7850.0\n[sections.bar]\n\
        rectangle = { height = 0.005, width = 0.02 }\n[members.beam]\nfrom = \"root\"\nto = \"tip\"\nelements = 4\nmaterial = \"steel\"\n\
        section = \"bar\"\n[supports.root]\npoint = \"root\"\nfix = [\"x\", \"y\", \"rotation\"]\n[loads.tip]\npoint = \"tip\"\nfy = -200.0\n\
        [interface]\noutputs = [\"points.tip.*\"]\n";
    std::fs::write(folder.join("cantilever.toml"), text).expect("a model");
    let told = ok_in(&folder, &["converge", "cantilever.toml"]);
    assert!(!told.contains("points.tip.vy") && !told.contains("points.tip.ax"), "{told}");
    // The finest deflection of the elastica, of which the file's mesh is off by less than a hundredth.
    let row = line(&told, "mesh", "points.tip.y");
    assert_eq!(row[1], "at", "{told}");
    assert!(told.contains("`at`: constant in time"), "{told}");
    assert!(told.contains("all outputs of the file as it is are within 0.01"), "{told}");
}

/// A whole sole that slides steadily, in steps of which Newton's method solves some only down the energy.
#[test]
fn a_contact_that_slides_steadily_is_not_said_to_jump() {
    let folder = folder("steady_contact");
    let page = std::fs::read_to_string(project("docs/tutorials/bracket_on_rail.md")).unwrap();
    let (_, model) = page.split_once("save it as `bracket.toml`:\n\n```toml\n").expect("a model");
    let (model, _) = model.split_once("```").expect("an end");
    std::fs::write(folder.join("bracket.toml"), model).unwrap();
    let mesh = project("resources/models/meshes/bracket.msh");
    std::fs::copy(mesh, folder.join("bracket.msh")).unwrap();
    // Without a warning.
    let said = ok_in(&folder, &["converge", "bracket.toml", "--only", "step"]);
    let row = line(&said, "step", "contacts.sole.position");
    let largest: f64 = row.last().expect("jumps").parse().expect("a number");
    assert!(largest < 1e-9, "{row:?}");
}

#[test]
fn only_the_outputs_and_the_time_that_are_asked_for_count() {
    let step = ["converge", "quarter_car.toml", "--only", "step", "--stop", "1"];
    let outputs = ["--from", "0.5", "--outputs", "springs.strut.*,points.body.y"];
    let told = ok_in(&models(), &[&step[..], &outputs].concat());
    assert!(told.contains("springs.strut.force") && told.contains("points.body.y"), "{told}");
    assert!(!told.contains("points.hub"), "{told}");
    let wrong = refused_in(&models(), &[&step[..], &["--outputs", "points.bodi.y"]].concat());
    assert!(wrong.contains("did you mean `points.body.y`?"), "{wrong}");
}
