//! `coulisse fit` hands its request to Python; what packs and columns offer to it.

use std::path::Path;
use std::process::{Command, Output};

use crate::common::{folder, keep_call, ok_in, refused_in};

/// Runs the command with a program in the place of Python.
fn with_python(folder: &Path, python: &Path, arguments: &[&str]) -> Output {
    let mut command = Command::new(env!("CARGO_BIN_EXE_coulisse"));
    command.current_dir(folder).args(arguments).env("COULISSE_PYTHON", python);
    keep_call(arguments);
    command.output().expect("the command starts")
}

#[cfg(unix)]
#[test]
fn every_option_reaches_python_and_its_status_is_that_of_the_command() {
    use std::os::unix::fs::PermissionsExt;
    let folder = folder("fit_request");
    let python = folder.join("python");
    std::fs::write(&python, "#!/bin/sh\ncat > request.json\necho \"$COULISSE\" > own\nexit 3\n")
        .unwrap();
    std::fs::set_permissions(&python, PermissionsExt::from_mode(0o755)).unwrap();
    let options = "fit model.toml a.csv b.csv -p k -p parameters.mu=0.2:0:1 -p c=:1e-3:5:log --parameter d=7:log \
                   --set e=2 --column force=x.y --deviation x.y=0.5 --loss huber --shift -0.1:0.2 --along i --speed 2 \
                   --joint j --normal-force 9 --input u --response v -o fitted.toml --residuals r.csv --plot p.png";
    let options: Vec<&str> = options.split_whitespace().collect();
    let output = with_python(&folder, &python, &options);
    assert_eq!(output.status.code(), Some(3), "{output:?}");
    let read = |name| std::fs::read_to_string(folder.join(name)).unwrap();
    let request: serde_json::Value = serde_json::from_str(&read("request.json")).unwrap();
    let parameter = |name: &str, start: Option<f64>, bounds: Option<[f64; 2]>, log: bool| serde_json::json!({ "name": name, "start": start, "bounds": bounds, "log": log });
    let expected = serde_json::json!({
        "model": "model.toml",
        "data": ["a.csv", "b.csv"],
        "parameter": [
            parameter("k", None, None, false),
            parameter("parameters.mu", Some(0.2), Some([0.0, 1.0]), false),
            parameter("c", None, Some([1e-3, 5.0]), true),
            parameter("d", Some(7.0), None, true),
        ],
        "set": [["e", 2.0]],
        "column": [["force", "x.y"]],
        "deviation": [["x.y", 0.5]],
        "loss": "huber",
        "shift": [-0.1, 0.2],
        "along": "i",
        "speed": 2.0,
        "joint": "j",
        "normal_force": 9.0,
        "input": "u",
        "response": "v",
        "output": "fitted.toml",
        "residuals": "r.csv",
        "plot": "p.png",
    });
    assert_eq!(request, expected);
    let own = std::fs::canonicalize(env!("CARGO_BIN_EXE_coulisse")).unwrap();
    assert_eq!(std::fs::canonicalize(read("own").trim()).unwrap(), own);
}

#[test]
fn without_a_python_that_has_the_packages_the_message_says_what_to_do() {
    let folder = folder("fit_without_python");
    let arguments = ["fit", "model.toml", "a.csv", "-p", "k"];
    let output = with_python(&folder, &folder.join("nowhere"), &arguments);
    let message = String::from_utf8(output.stderr).unwrap();
    assert_eq!(output.status.code(), Some(1));
    for part in
        ["`coulisse` and `scipy`", "nowhere has both", "pip install scipy", "COULISSE_PYTHON"]
    {
        assert!(message.contains(part), "{message}");
    }
}

#[test]
fn the_fitted_model_takes_no_file_that_is_read() {
    let folder = folder("fit_over_its_model");
    std::fs::write(folder.join("model.toml"), "").unwrap();
    let call =
        |output| refused_in(&folder, &["fit", "model.toml", "a.csv", "-p", "k", "-o", output]);
    assert!(call("model.toml").contains("is read here and would be lost"));
    let plot = ["fit", "model.toml", "a.csv", "-p", "k", "--plot", "p.toml"];
    assert!(refused_in(&folder, &plot).contains("has the ending of a model file"));
}

#[test]
fn columns_are_shown_in_si_units() {
    let folder = folder("columns");
    std::fs::write(
        folder.join("a.csv"),
        "time [ms]; joints.block.velocity [mm/s]; note\n0; 5; 1\n10; -20; 2\n",
    )
    .unwrap();
    let printed = ok_in(&folder, &["columns", "a.csv", "--model", "incline", "-o", "si.csv"]);
    let rows: Vec<Vec<&str>> =
        printed.lines().map(|line| line.split_whitespace().collect()).collect();
    assert!(printed.starts_with("a.csv: 2 rows"));
    assert!(rows.contains(&vec!["-0.02", "0.005", "0.001", "joints.block.velocity"]), "{printed}");
    let written = std::fs::read_to_string(folder.join("si.csv")).unwrap();
    assert_eq!(written, "time,joints.block.velocity,note\n0.0,0.005,1.0\n0.01,-0.02,2.0\n");
    std::fs::write(folder.join("b.csv"), "time [s]; joints.block.velocity [mm]\n0; 5\n").unwrap();
    let refused = refused_in(&folder, &["columns", "b.csv", "--model", "incline"]);
    assert!(refused.contains("`mm` measures something else than m/s"), "{refused}");
    std::fs::write(folder.join("c.csv"), "0; 5\n1; 6\n").unwrap();
    assert!(refused_in(&folder, &["columns", "c.csv"]).contains("no headings"));
}

#[test]
fn a_pack_offers_what_the_interface_does_not_list() {
    let folder = folder("pack_more");
    let begin = "name = \"m\"\n[points]\na = [0.0, 0.0]\n[masses.a]\npoint = \"a\"\nmass = 1.0\n[springs.s]\nground = \"a\"\n\
                 to = \"a\"\ndirection = \"x\"\nstiffness = 4.0\n[springs.t]\nground = \"a\"\nto = \"a\"\ndirection = \"y\"\nstiffness = 4.0\n";
    let interfaces = [
        "",
        "[interface]\ndiscrete_outputs = \"none\"\n",
        "[interface]\nparameters = []\noutputs = [\n  \"points.a.y\", # up\n]\n",
        "[interface]\nparameters = [\"springs.t.stiffness\"]\n",
    ];
    let names = ["springs.s.stiffness", "masses.a.mass", "points.a.x"];
    for interface in interfaces {
        std::fs::write(folder.join("m.toml"), [begin, interface].concat()).unwrap();
        let more = [
            "pack",
            "m.toml",
            "--native",
            "-o",
            "m.fmu",
            "--add-parameter",
            names[0],
            "--add-parameter",
            names[1],
            "--add-output",
            names[2],
        ];
        ok_in(&folder, &more);
        let described = ok_in(&folder, &["describe", "m.fmu"]);
        let named = |name: &str| described.split_whitespace().any(|word| word == name);
        assert!(names.into_iter().all(named), "{interface}: {described}");
        assert_eq!(named("points.a.y"), interface.contains("points.a.y"), "{described}");
    }
    let wrong = ["pack", "m.toml", "--native", "-o", "m.fmu", "--add-output", "points.b.x"];
    assert!(refused_in(&folder, &wrong).contains("points.b.x"));
}

#[test]
fn a_law_gives_its_force_at_velocities_of_a_file_with_numbers_of_its_model() {
    let folder = folder("friction_velocities");
    std::fs::write(folder.join("v.csv"), "velocity [mm/s]\n-40\n20\n").unwrap();
    let call = |subject: &str, set: &[&str]| {
        let fixed =
            ["friction", subject, "--velocities", "v.csv", "-o", "f.csv", "--normal-force", "10"];
        ok_in(&folder, &[&fixed[..], set].concat());
        std::fs::read_to_string(folder.join("f.csv")).unwrap()
    };
    assert_eq!(
        call("coulomb", &["--set", "coefficient=0.25"]),
        "velocity,force\n-0.04,-2.5\n0.02,2.5\n"
    );
    // LuGre slides steadily with the force of its characteristic: here kinetic and static coefficient are the same.
    let lugre = call("lugre", &["--set", "kinetic_coefficient=0.6"]);
    assert_eq!(lugre, "velocity,force\n-0.04,-6.0\n0.02,6.0\n");
    // The number of a joint's law by its path in the model file; at 20 mm/s nothing is left of static friction.
    let set = "joints.block.friction.stribeck.kinetic_coefficient=0.5";
    let forces = call("incline#block", &["--set", set]);
    let forward: f64 = forces.trim().rsplit_once(',').unwrap().1.parse().unwrap();
    assert!((forward - 5.0).abs() < 1e-8, "{forces}");
}
