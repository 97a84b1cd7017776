//! The command as a user calls it.

use crate::common::{bundled, call as invoke, folder, model, ok, project, refused, text};
use crate::edit::Edit;
use crate::mechanism::Mechanism;
use crate::written::{table, values};
use std::io::Read;
use std::path::Path;
use std::process::Command;

fn pack(folder: &Path, name: &str) -> String {
    let fmu = folder.join(format!("{name}.fmu"));
    ok(&["pack", "--native", &model(name), "-o", text(&fmu)]);
    text(&fmu).to_owned()
}

#[test]
fn every_bundled_model_passes_check() {
    for name in bundled() {
        let line = ok(&["check", &model(&name)]);
        assert!(line.starts_with(&format!("ok: {name}, ")), "{line}");
    }
}

#[test]
fn an_fmu_holds_what_the_standard_asks_for() {
    let folder = folder("content");
    let fmu = pack(&folder, "rabinowicz");
    let mut zip = zip::ZipArchive::new(std::fs::File::open(fmu).unwrap()).unwrap();
    let names: Vec<String> = zip.file_names().map(|name| name.unwrap().into_owned()).collect();
    for name in [
        "modelDescription.xml",
        "resources/model.toml",
        "documentation/index.html",
        "documentation/licenses/LICENSE-MIT",
        "documentation/licenses/LICENSE-APACHE",
        "documentation/licenses/license.txt",
    ] {
        assert!(names.iter().any(|n| n == name), "{name} in {names:?}");
    }
    let mut inner = String::new();
    zip.by_name("resources/model.toml").unwrap().read_to_string(&mut inner).unwrap();
    assert_eq!(inner, std::fs::read_to_string(model("rabinowicz")).unwrap());
}

#[test]
fn a_set_value_reaches_the_run() {
    let summary =
        ok(&["run", &model("rabinowicz"), "--stop", "0.1", "--set", "loads.normal.fy=-100"]);
    let line = summary.lines().find(|l| l.contains("joints.block.normal_force")).unwrap();
    let columns: Vec<&str> = line.split_whitespace().collect();
    // Behind the smallest and the largest value is the time at which it first occurs.
    assert_eq!(columns[2..], ["100", "0", "100", "0", "100"], "{summary}");
}

#[test]
fn a_mistyped_name_gets_a_suggestion() {
    let message = refused(&["run", &model("rabinowicz"), "--set", "loads.normal.fz=-100"]);
    assert!(
        message.contains("no variable `loads.normal.fz`; did you mean `loads.normal.fy`?"),
        "{message}"
    );
    let message = refused(&["run", &model("rabinowicz"), "--set", "points.block.x=1"]);
    assert!(message.contains("an output and cannot be set"), "{message}");
}

#[test]
fn a_model_with_faults_is_neither_packed_nor_run() {
    let folder = folder("faults");
    let bad = folder.join("bad.toml");
    let good = std::fs::read_to_string(model("quick_return")).unwrap();
    std::fs::write(&bad, good.edit("density", "densty")).unwrap();
    for task in ["check", "pack", "run", "describe"] {
        let message = refused(&[task, text(&bad)]);
        assert!(message.contains("did you mean `density`?"), "{message}");
        assert!(message.contains("bad.toml:"), "{message}");
    }
    let fmu = folder.join("bad.fmu");
    refused(&["pack", text(&bad), "-o", text(&fmu)]);
    assert!(!fmu.exists());
}

#[test]
fn findings_are_reported_to_programs_with_their_places() {
    let folder = folder("json");
    let bad = folder.join("bad.toml");
    let good = std::fs::read_to_string(model("quick_return")).unwrap();
    std::fs::write(&bad, good.edit("density", "densty")).unwrap();
    let output = invoke(&["check", "--format", "json", text(&bad)]);
    assert_eq!(output.status.code(), Some(1));
    let found: serde_json::Value = serde_json::from_slice(&output.stdout).expect("JSON");
    // Told once.
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.ends_with(" error\n") || said.ends_with(" errors\n"), "{said}");
    let line = good.lines().position(|l| l.starts_with("density")).unwrap() + 1;
    let first = &found[0];
    assert_eq!(
        (first["file"].as_str(), first["severity"].as_str()),
        (Some("bad.toml"), Some("error"))
    );
    assert_eq!((first["line"].as_u64(), first["column"].as_u64()), (Some(line as u64), Some(1)));
    assert_eq!(
        (first["end_line"].as_u64(), first["end_column"].as_u64()),
        (Some(line as u64), Some(7))
    );
    assert!(first["message"].as_str().unwrap().contains("did you mean `density`?"));
    assert_eq!(ok(&["check", "--format", "json", &model("incline")]), "[]\n");
}

#[test]
fn a_fault_is_shown_in_its_line_with_what_to_do() {
    let folder = folder("marked");
    let bad = folder.join("bad.toml");
    let good = std::fs::read_to_string(model("quick_return")).unwrap();
    let shown = |from: &str, to: &str| {
        std::fs::write(&bad, good.edit(from, to)).unwrap();
        refused(&["run", text(&bad)])
    };
    assert_eq!(
        shown("step = 1e-4", "step = -1e-4"),
        "error: solver.step is -0.0001 s\n  --> bad.toml:23:8\n   |\n23 | step = -1e-4\n   |        ^^^^^\n   |\n   = help: allowed: above 0\n"
    );
    let twice = good.matches("young_modulus = 47.04e9").count();
    let said = shown("young_modulus = 47.04e9", "young_modulus = \"47.04e9");
    assert_eq!(said.matches("a quotation mark is missing").count(), twice, "{said}");
    assert_eq!(said.matches("error").count(), twice, "{said}");
}

#[test]
fn a_system_is_neither_a_model_nor_an_fmu_and_says_where_one_is() {
    let folder = folder("system");
    let system = folder.join("incline.ssp");
    let pack = ["pack", "--native", "--ssp", &model("incline")];
    ok(&[&pack[..], &["-o", text(&system)]].concat());
    for task in ["check", "run", "describe", "modes", "pack", "converge"] {
        let message = refused(&[task, text(&system)]);
        assert!(message.contains("a system (SSP)"), "{task}: {message}");
    }
}

#[test]
fn pack_says_for_which_platforms_an_fmu_is() {
    let folder = folder("platforms");
    let fmu = folder.join("incline.fmu");
    let said = ok(&["pack", "--native", &model("incline"), "-o", text(&fmu)]);
    if cfg!(all(target_os = "linux", target_arch = "x86_64", target_env = "gnu")) {
        assert!(said.contains("for linux64 (glibc 2."), "{said}");
    }
    assert!(said.contains(" kB, for "), "{said}");
}

#[test]
fn inputs_over_time_come_from_a_file() {
    let folder = folder("inputs");
    let inputs = folder.join("belt.csv");
    std::fs::write(&inputs, "time, loads.normal.fy\n# a falling load\n0.0, -100\n1.0, -200\n")
        .unwrap();
    let csv = folder.join("out.csv");
    ok(&[
        "run",
        &model("rabinowicz"),
        "--inputs",
        text(&inputs),
        "--stop",
        "1",
        "--step",
        "0.25",
        "-o",
        text(&csv),
    ]);
    let forces = values(&table(&csv), "joints.block.normal_force");
    // An input is held over the step that follows it.
    for (force, expected) in forces.iter().zip([100.0, 100.0, 125.0, 150.0, 175.0]) {
        assert!((force - expected).abs() < 1e-6, "{forces:?}");
    }
    std::fs::write(&inputs, "time,loads.normal.fy\n1,1\n0,2\n").unwrap();
    let message = refused(&["run", &model("rabinowicz"), "--inputs", text(&inputs)]);
    assert!(message.contains("belt.csv:3: time 0 s after 1 s"), "{message}");
}

/// A light rod that the host moves along itself.
fn pushed() -> String {
    Mechanism::new("pushed")
        .step(1e-3)
        .points("P = [0, 0], Q = [1, 0]")
        .material("m", 1e6, 0.3, 1.0)
        .rectangle("s", 0.1, 0.1)
        .member("arm", ["P", "Q"], "elements = 1, material = 'm', section = 's'")
        .support("P", "point = 'P', fix = ['y', 'rotation']")
        .motion("P", "point = 'P', direction = 'x', displacement = 0.0")
        .load("Q", "point = 'Q', fy = 0.0")
        .inputs("motions.P.displacement loads.Q.fy")
        .and("KIND = ['motions.P.displacement']")
        .outputs("motions.P.position")
        .text()
}

/// Times and the one output of the run of a model or FMU.
fn followed(subject: &Path, inputs: &Path, step: &str) -> Vec<(f64, f64)> {
    let csv = subject.with_extension("rows.csv");
    let mut call = vec!["run", text(subject), "--inputs", text(inputs), "--stop", "1"];
    call.extend(["--step", step, "-o", text(&csv)]);
    // A motion on a line from point to point knocks at each of them, which the command may tell.
    let output = invoke(&call);
    assert!(output.status.success(), "{output:?}");
    let rows = table(&csv);
    rows[1..].iter().map(|row| (row[0].parse().unwrap(), row[1].parse().unwrap())).collect()
}

#[test]
fn a_position_is_where_the_input_file_has_it_at_every_communication_point() {
    let folder = folder("followed");
    let line = |t: f64| t;
    let sine = |t: f64| 0.3 * (5.0 * t).sin();
    let laws: [(&str, &dyn Fn(f64) -> f64); 2] = [("line", &line), ("sine", &sine)];
    for kind in ["linear", "cubic"] {
        let model = folder.join(format!("{kind}.toml"));
        std::fs::write(&model, pushed().edit("KIND", kind)).unwrap();
        let fmu = folder.join(format!("{kind}.fmu"));
        ok(&["pack", "--native", text(&model), "-o", text(&fmu)]);
        for (law, u) in laws {
            let inputs = folder.join(format!("{law}.csv"));
            let rows = (0..=100).map(|i| f64::from(i) / 100.0);
            let rows: Vec<String> = rows.map(|t| format!("{t}\t{}\n", u(t))).collect();
            let table = "time\tmotions.P.displacement\n".to_owned() + &rows.concat();
            std::fs::write(&inputs, table).unwrap();
            for step in ["0.01", "0.1"] {
                let rows = followed(&model, &inputs, step);
                assert!(rows.len() > 10);
                for &(t, x) in &rows {
                    assert!((x - u(t)).abs() < 1e-12, "{kind} {law}: {x} at {t} s");
                }
                assert_eq!(rows, followed(&fmu, &inputs, step), "the same bits");
            }
        }
    }
}

#[test]
fn an_input_file_may_jump_and_have_semicolons() {
    let folder = folder("jump");
    let model = folder.join("jump.toml");
    let shown = pushed()
        .edit("\"motions.P.displacement\", ", "")
        .edit("KIND = [\"motions.P.displacement\"]\n", "")
        .edit("motions.P.position", "supports.P.fy");
    std::fs::write(&model, shown.edit("[solver]", "[solver]\nanalysis = \"quasi_static\""))
        .unwrap();
    let inputs = folder.join("jump.csv");
    std::fs::write(&inputs, "time; loads.Q.fy\n0; 1\n0.3; 1\n0.3; 4\n1; 4\n").unwrap();
    for (t, force) in followed(&model, &inputs, "0.1") {
        // What is held from 0.3 s on is seen at the end of the step that begins there.
        let expected = if t < 0.35 { -1.0 } else { -4.0 };
        assert!((force - expected).abs() < 1e-6, "{force} at {t} s");
    }
    std::fs::write(&inputs, "time|loads.Q.fy\n0|1\n").unwrap();
    let message = refused(&["run", text(&model), "--inputs", text(&inputs)]);
    assert!(message.contains("commas, semicolons or tabs"), "{message}");
}

#[test]
fn a_model_without_outputs_says_so_and_one_that_cannot_start_is_not_ok() {
    let folder = folder("silent");
    let silent = folder.join("silent.toml");
    let shown = pushed()
        .edit("KIND = [\"motions.P.displacement\"]\noutputs = [\"motions.P.position\"]\n", "");
    std::fs::write(&silent, shown).unwrap();
    for more in [&[][..], &["-o", text(&folder.join("rows.csv"))][..]] {
        let said = ok(&[&["run", text(&silent), "--stop", "0.01"], more].concat());
        assert!(said.contains("no outputs: name some under"), "{said}");
    }
    let stuck = folder.join("stuck.toml");
    let contradict = project("tests/faults/initial_velocities_contradict.toml");
    std::fs::copy(contradict, &stuck).unwrap();
    let message = refused(&["check", text(&stuck)]);
    assert!(
        message.contains("error: the velocities of [initial.points] do not fit")
            && message.contains("stuck.toml:"),
        "{message}"
    );
}

#[test]
fn every_command_shows_in_its_line_why_a_model_cannot_be_built_or_started() {
    let start: &[&[&str]] =
        &[&["check"], &["run"], &["modes"], &["modes", "--at-time", "0.1"], &["converge"]];
    let build: &[&[&str]] =
        &[&["check"], &["run"], &["modes"], &["describe"], &["pack", "--native"]];
    for (fault, commands) in [("cannot_be_assembled", start), ("damping_mode_rigid", build)] {
        let model = project(&format!("tests/faults/{fault}.toml"));
        let expected = refused(&["check", &model]);
        let [reason, place, _] = expected.splitn(3, '\n').collect::<Vec<_>>()[..] else {
            panic!("{expected}");
        };
        assert!(place.contains(&format!("--> {fault}.toml:")), "{expected}");
        for command in commands {
            let said = refused(&[*command, &[&model[..]]].concat());
            let shown = said.contains(place) && said.contains(reason.trim_start_matches("error: "));
            assert!(shown, "{command:?}: {said}");
        }
    }
}

#[test]
fn a_run_that_fails_keeps_its_rows() {
    let folder = folder("kept");
    let short = folder.join("short.toml");
    let bundled = std::fs::read_to_string(model("moving_mass_on_bridge")).unwrap();
    // A joint that refuses to leave its path.
    let ends = bundled.edit("ends = \"continue\"", "ends = \"error\"");
    std::fs::write(&short, ends).unwrap();
    for subject in [short.clone(), folder.join("short.fmu")] {
        if subject.extension().is_some_and(|e| e == "fmu") {
            ok(&["pack", "--native", text(&short), "-o", text(&subject)]);
        }
        let csv = folder.join("rows.csv");
        let message = refused(&["run", text(&subject), "--stop", "3", "-o", text(&csv)]);
        assert!(message.contains("the run ended early"), "{message}");
        assert!(message.contains("joints.wheel leaves its path"), "{message}");
        let rows = std::fs::read_to_string(&csv).unwrap().lines().count();
        assert!(rows > 100, "{rows}");
    }
}

#[test]
fn no_result_takes_the_place_of_what_is_read_or_of_another_result() {
    let folder = folder("overwritten");
    let (subject, record) = (folder.join("road.toml"), folder.join("shaking.csv"));
    let text_of_model = std::fs::read_to_string(model("doubly_bent_beams")).unwrap();
    std::fs::write(&subject, &text_of_model).unwrap();
    std::fs::write(&record, "0, 0\n1, 1\n2, 0\n").unwrap();
    let (model, record) = (text(&subject), text(&record));
    let joint = format!("{model}#left");
    let around = folder.join("../overwritten/road.toml");
    let lost = "is read here and would be lost";
    for (call, words) in [
        (&["pack", model, "-o", model][..], lost),
        (&["run", model, "-o", model], lost),
        (&["run", model, "--html", text(&around)], lost),
        (&["run", model, "--inputs", record, "-o", record], lost),
        (&["modes", model, "--svg", model], lost),
        (&["mesh", model, "--msh", model], lost),
        (&["static", model, "-o", model], lost),
        (&["profile", &joint, "--svg", model], lost),
        (&["record", record, "--unit", "g", "--svg", record], lost),
        (&["modes", model, "-o", "x", "--html", "./x"], "two results"),
        // A slip that would cost a model that is not even read here.
        (&["schema", "-o", model], "has the ending of a model file"),
        (&["static", model, "-o", text(&folder)], "a folder of this name exists"),
        (&["modes", model, "--svg", "nowhere/x.svg"], "there is no folder"),
    ] {
        let message = refused(call);
        assert!(message.contains(words), "{call:?}: {message}");
    }
    assert_eq!(std::fs::read_to_string(&subject).unwrap(), text_of_model);
    let left = std::fs::read_dir(&folder).unwrap().count();
    assert_eq!(left, 2, "nothing half-written");
    // A device takes them all.
    let both = ["-o", "/dev/null", "--html", "/dev/null"];
    if cfg!(unix) {
        ok(&[&["run", model, "--stop", "0.01"][..], &both].concat());
    }
}

/// A result that took the place of a device, as a renamed temporary file does, would be the device's
/// end for everybody on the machine.
#[cfg(unix)]
#[test]
fn a_pipe_takes_the_rows_and_a_link_stays_a_link() {
    let folder = folder("devices");
    let (pipe, file, link) =
        (folder.join("pipe"), folder.join("rows.csv"), folder.join("link.csv"));
    let made = Command::new("mkfifo").arg(&pipe).status().unwrap();
    assert!(made.success());
    std::fs::write(&file, "rows of before").unwrap();
    std::os::unix::fs::symlink(&file, &link).unwrap();
    let incline = model("incline");
    let run = |output: &Path| ok(&["run", &incline, "--stop", "0.1", "-o", text(output)]);

    let reader = {
        let pipe = pipe.clone();
        std::thread::spawn(move || std::fs::read_to_string(pipe).unwrap())
    };
    run(&pipe);
    run(&link);
    assert!(link.is_symlink());
    assert!(!std::fs::metadata(&pipe).unwrap().is_file());
    assert_eq!(reader.join().unwrap(), std::fs::read_to_string(&file).unwrap());
}

#[test]
fn describe_shows_variables_freedoms_and_joints() {
    let folder = folder("describe");
    let fmu = pack(&folder, "quick_return");
    let of_model = ok(&["describe", &model("quick_return")]);
    assert_eq!(of_model, ok(&["describe", &fmu]));
    for part in [
        "motions.crank.rate",
        "probes.tip_deflection",
        "cylindrical",
        "releases arm, link",
        "driven",
        "128 free positions and rotations",
    ] {
        assert!(of_model.contains(part), "{part} in\n{of_model}");
    }
}

#[test]
fn describe_shows_bodies_and_one_line_for_an_edge_that_slides() {
    let said = ok(&["describe", &model("doubly_bent_beams_solid")]);
    for part in [
        "BODIES",
        "Saint-Venant-Kirchhoff, plane stress, E = 2e11 Pa, ν = 0.3",
        "bottom, face, top, wall",
        "sliding edge, all nodes",
        "edge left.face",
    ] {
        assert!(said.contains(part), "{part} in\n{said}");
    }
    assert!(!said.contains("left[2]") && !said.contains("face[2]"), "{said}");
    let checked = ok(&["check", &model("doubly_bent_beams_solid")]);
    assert!(checked.contains("2 members, 2 bodies, 2 sliding joints"), "{checked}");
}

#[test]
fn the_demo_leaves_an_fmu_rows_and_one_page() {
    let folder = folder("demo");
    let said = ok(&["demo", "--out", text(&folder)]);
    assert!(said.contains("probes.tip_deflection"), "{said}");
    let page = std::fs::read_to_string(folder.join("quick_return.html")).unwrap();
    assert!(page.contains("joints.N.friction_force"));
    assert!(!page.contains("{{"), "a placeholder is left");
    assert!(!page.contains("http"), "the page needs no network");
    let rows = std::fs::read_to_string(folder.join("quick_return.csv")).unwrap();
    assert_eq!(rows.lines().count(), 1602);
    assert!(folder.join("quick_return.fmu").is_file());
}

#[test]
fn a_file_that_is_no_library_is_refused() {
    let message = refused(&[
        "pack",
        &model("incline"),
        "--library",
        &model("incline"),
        "-o",
        text(&folder("library").join("x.fmu")),
    ]);
    assert!(message.contains("no shared library, or not a whole one"), "{message}");
}
