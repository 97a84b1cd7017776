//! `coulisse linearize` and `coulisse response`.

use std::path::Path;

use serde_json::Value;

use crate::common::{call, model, ok, refused};
use crate::mechanism::Mechanism;

fn bytes(name: &str) -> Vec<u8> {
    std::fs::read(Path::new(env!("CARGO_TARGET_TMPDIR")).join(name)).unwrap()
}

/// Doubles behind the head of an array of numpy in an archive that is stored as it is.
fn array(archive: &[u8], name: &str) -> Vec<f64> {
    let name = format!("{name}.npy");
    let mut places = archive.windows(name.len()).enumerate();
    let (place, _) = places.find(|(_, window)| *window == name.as_bytes()).unwrap();
    let begin = place + name.len();
    let end = archive[begin..].windows(2).position(|pair| pair == b"PK").unwrap();
    let whole = &archive[begin..begin + end];
    assert_eq!(&whole[..6], b"\x93NUMPY");
    let numbers = whole[128..].chunks_exact(8);
    numbers.map(|number| f64::from_le_bytes(number.try_into().unwrap())).collect()
}

#[test]
fn a_quarter_car_is_printed_and_written_in_all_formats() {
    let car = model("quarter_car");
    let which = ["--inputs", "springs.strut.actuator", "--outputs", "points.body.y,points.hub.*"];
    for file in ["car.json", "car.npz", "car.mat"] {
        let text = ok(&[&["linearize", &car], &which[..], &["-o", file]].concat());
        assert!(text.contains("4 states, 1 inputs, 7 outputs"), "{text}");
        // 1.2 Hz and 12 Hz, as the head of the model says.
        assert!(text.contains("1.2698") && text.contains("11.773"), "{text}");
        assert!(text.contains("joints.road slides"), "{text}");
    }
    let document: Value = serde_json::from_slice(&bytes("car.json")).unwrap();
    assert_eq!(document["outputs"][0]["name"], "points.body.y");
    assert_eq!(document["inputs"][0]["unit"], "N");
    let rows = |name: &str| -> Vec<f64> {
        let rows = document[name].as_array().unwrap().iter();
        rows.flat_map(|row| row.as_array().unwrap()).map(|x| x.as_f64().unwrap()).collect()
    };
    let archive = bytes("car.npz");
    for name in ["A", "B", "C", "D"] {
        assert_eq!(array(&archive, name), rows(name), "{name}");
    }
    assert!(bytes("car.mat").starts_with(b"MATLAB 5.0 MAT-file"));
}

#[test]
fn samples_keep_what_is_steady_and_joints_may_stick() {
    let car = model("half_car");
    ok(&["linearize", &car, "--sample", "5e-3", "-o", "sampled.json"]);
    let document: Value = serde_json::from_slice(&bytes("sampled.json")).unwrap();
    assert_eq!(document["dt"], 5e-3);
    let text = ok(&["linearize", &model("moving_mass_on_bridge"), "--joints", "stuck"]);
    assert!(text.contains("joints.wheel sticks"), "{text}");
    let text = ok(&[
        "linearize",
        &model("quarter_car"),
        "--at",
        "equilibrium",
        "--set",
        "parameters.body=400",
    ]);
    assert!(text.contains("in equilibrium under the loads of t = 0"), "{text}");
    let text = ok(&["linearize", &model("incline"), "--at-time", "0.1", "--joints", "free"]);
    assert!(text.contains("at t = 0.1 s") && text.contains("without friction"), "{text}");
}

#[test]
fn a_response_is_printed_written_and_drawn() {
    let car = model("quarter_car");
    let which = ["--inputs", "springs.strut.actuator", "--outputs", "points.body.y"];
    let band = ["--from", "0.1", "--to", "50", "--points", "200"];
    let files = [
        "-o",
        "r.csv",
        "--svg",
        "r.svg",
        "--png",
        "r.png",
        "--nyquist",
        "n.svg",
        "--html",
        "r.html",
    ];
    let text = ok(&[&["response", &car], &which[..], &band, &files].concat());
    assert!(text.contains("points.body.y by springs.strut.actuator"), "{text}");
    let table = String::from_utf8(bytes("r.csv")).unwrap();
    assert_eq!(table.lines().count(), 201);
    assert!(
        table.starts_with("frequency,gain(points.body.y by springs.strut.actuator),phase("),
        "{table}"
    );
    for state in [["--at", "equilibrium"], ["--at-time", "0.05"]] {
        ok(&[&["response", &car], &which[..], &band, &state].concat());
    }
    // At low frequency the strut's stiffness alone answers: 1 N moves the body by 1/22000 m.
    let first: Vec<f64> =
        table.lines().nth(1).unwrap().split(',').map(|cell| cell.parse().unwrap()).collect();
    assert!((first[1] * 22e3 - 1.0).abs() < 0.02 && first[0] == 0.1, "{first:?}");
    assert!(String::from_utf8(bytes("r.svg")).unwrap().contains("phase, degrees"));
    assert!(String::from_utf8(bytes("n.svg")).unwrap().contains("imaginary part"));
    assert!(bytes("r.png").starts_with(b"\x89PNG"));
    let page = String::from_utf8(bytes("r.html")).unwrap();
    assert!(page.contains("phase, degrees") && page.contains("imaginary part"));
    assert!(page.contains(text.lines().next().unwrap()));
}

#[test]
fn what_has_no_linear_model_is_refused_with_the_reason() {
    let car = model("quarter_car");
    for (arguments, reason) in [
        (vec!["linearize", &car, "--inputs", "springs.strut.aktuator"], "did you mean"),
        (vec!["linearize", &car, "--outputs", "points.boddy.y"], "is no output of this model"),
        (vec!["linearize", &car, "--outputs", "energy.input_work"], "summed from the start"),
        (vec!["linearize", &car, "-o", "car.txt"], ".npz, .mat, .json or .fmu"),
        (vec!["linearize", &car, "--sample", "1e-2", "--native", "-o", "s.fmu"], "continuous"),
        (vec!["reduce", &car, "--from", "5", "--to", "1"], "is not below"),
        (vec!["reduce", &car, "--from", "1", "--to", "5", "--error", "2"], "percent such as 1%"),
        (
            vec!["reduce", &car, "--from", "1", "--to", "5", "--states", "3", "--error", "1%"],
            "cannot be used",
        ),
        (
            vec!["reduce", &car, "--from", "1", "--to", "5", "--method", "craig-bampton"],
            "name fewer",
        ),
        (vec!["reduce", &model("incline"), "--from", "1", "--to", "5"], "nothing to reduce"),
        (vec!["linearize", &model("tensile_buckling")], "quasi-static"),
        (vec!["response", &car, "--from", "5", "--to", "1"], "is not below"),
        (vec!["response", &car, "--from", "1", "--to", "5", "--points", "1"], "allowed: from 2"),
        (vec!["response", &model("incline"), "--from", "1", "--to", "5"], "no input"),
    ] {
        let done = call(&arguments);
        let error = String::from_utf8_lossy(&done.stderr).into_owned();
        assert!(!done.status.success() && error.contains(reason), "{arguments:?}: {error}");
        assert!(!error.contains("panicked"), "{error}");
    }
}

#[test]
fn a_reduced_model_states_its_error_and_becomes_an_fmu() {
    let cam = model("cam_and_spring");
    let band = ["--from", "1", "--to", "1000"];
    for (method, words) in [("balanced", "balanced truncation"), ("modal", "modal truncation")] {
        let how =
            ["--method", method, "--outputs", "points.tip.y", "--error", "1%", "-o", "r.json"];
        let text = ok(&[&["reduce", &cam], &band[..], &how].concat());
        assert!(text.contains(words) && text.contains("largest error of the response"), "{text}");
        let document: Value = serde_json::from_slice(&bytes("r.json")).unwrap();
        let error = document["reduction"]["error"].as_f64().unwrap();
        assert!(error <= 0.01, "{method}: {error}");
        assert_eq!(document["reduction"]["bound"].is_number(), method == "balanced");
        assert!(document["states"].as_array().unwrap().len() <= 20, "{text}");
    }
    let few = ["--states", "6", "--static-correction", "-o", "r.npz"];
    let text = ok(&[&["reduce", &cam], &band[..], &few].concat());
    assert!(text.contains(": 6 of ") && text.contains("H-infinity"), "{text}");
    assert!(array(&bytes("r.npz"), "reduction_error")[0] < 0.05);
    ok(&[&["reduce", &cam], &band[..], &["-o", "r.mat"]].concat());
    // The FMU keeps the standard, and is known by the commands for FMUs.
    ok(&[&["reduce", &cam], &band[..], &["--native", "-o", "linear.fmu"]].concat());
    ok(&["check", "linear.fmu", "--run"]);
    let text = ok(&["describe", "linear.fmu"]);
    assert!(text.contains("cam_and_spring_linear") && text.contains("points.tip.y"), "{text}");
    ok(&["run", "linear.fmu", "--stop", "0.1", "-o", "linear.csv"]);
    ok(&["linearize", &model("quarter_car"), "--at", "equilibrium", "--native", "-o", "whole.fmu"]);
    ok(&["check", "whole.fmu"]);
    // About other states, and with a library of one's own.
    let car = model("quarter_car");
    for at in [["--at", "equilibrium"], ["--at-time", "0.1"]] {
        let text = ok(&[&["reduce", &car, "--from", "0.1", "--to", "50"], &at[..]].concat());
        assert!(text.contains("of 4 states"), "{text}");
    }
    for command in [&["linearize", &car][..], &["reduce", &car, "--from", "0.1", "--to", "50"]] {
        let fault = refused(&[command, &["--library", "no.so", "-o", "none.fmu"]].concat());
        assert!(fault.contains("no.so"), "{fault}");
    }
}

#[test]
fn an_elastic_pendulum_falls_in_equilibrium_and_the_start_says_that_it_leaves_that_out() {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join("upright.toml");
    // An elastic rod with a mass, upright on a hinge.
    let upright = Mechanism::new("upright")
        .points("foot = [0.0, 0.0], bob = [0.0, 0.5]")
        .material("steel", 2.1e11, 0.3, 0.0)
        .rectangle("bar", 0.01, 0.01)
        .member("rod", ["foot", "bob"], "material = 'steel', section = 'bar', elements = 2")
        .pin("foot")
        .mass("bob", 0.5)
        .gravity(-9.81)
        .load("side", "point = 'bob', fx = 0.0")
        .inputs("loads.side.fx")
        .outputs("points.bob.x")
        .text();
    std::fs::write(&path, upright).unwrap();
    let model = path.to_str().unwrap();
    let text = ok(&["linearize", model]);
    assert!(text.contains("(P-Delta), which --at equilibrium has"), "{text}");
    let text = ok(&["linearize", model, "--at", "equilibrium"]);
    // √(g/l) of a rod that hardly bends.
    assert!(text.contains("UNSTABLE: 1 pole") && text.contains("4.4294"), "{text}");
    assert!(!text.contains("P-Delta"), "{text}");
    let band = ["--at", "equilibrium", "--from", "0.1", "--to", "10"];
    let text = ok(&[&["response", model], &band[..]].concat());
    assert!(text.contains("UNSTABLE: 1 pole"), "{text}");
}
