//! Which files the command reads: regular ones, up to a limit, those of a model from its folder alone.

use std::fs::File;
use std::io::{Cursor, Read, Write};
use std::os::unix::fs::symlink;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::common::{call_in, folder, model, ok_in, packed, refused_in, text};

/// A force on a mass from a data file.
const FORCED: &str = r#"
name = "forced"
[solver]
step = 1e-3
[points]
mass = [0.0, 0.0]
[masses.mass]
point = "mass"
mass = 1.0
[loads.push]
point = "mass"
fx = 1.0
history.table = { file = "DATA" }
"#;

/// Waits for a call that must be refused, and gives what it says; one that waits itself fails.
fn said_in_time(mut child: Child, shown: &str) -> String {
    let began = Instant::now();
    while child.try_wait().expect("a child").is_none() {
        if began.elapsed() > Duration::from_secs(60) {
            child.kill().expect("a child");
            panic!("{shown} waits");
        }
        std::thread::sleep(Duration::from_millis(20));
    }
    let output = child.wait_with_output().expect("a child");
    assert_eq!(output.status.code(), Some(1), "{shown}: {output:?}");
    String::from_utf8(output.stderr).expect("UTF-8")
}

/// Whether a message gives a reason with its cure, which stand in one line or in two.
fn gives(said: &str, reason: &str) -> bool {
    reason.split("; ").all(|part| said.contains(part))
}

/// Every call that reads `file`, in `folder` and refused there.
fn refused_everywhere(folder: &Path, file: &str, reason: &str) {
    let incline = model("incline");
    let calls: &[&[&str]] = &[
        &["run", &incline, "--inputs", file],
        &["run", &incline, "--list", file],
        &["record", file],
        &["check", file],
        &["run", file],
        &["run", "that.fmu"],
        &["check", "that.fmu"],
        &["pack", &incline, "--library", file],
        &["check", "forced.toml"],
        &["pack", "forced.toml", "--native"],
    ];
    for arguments in calls {
        let mut command = Command::new(env!("CARGO_BIN_EXE_coulisse"));
        command.current_dir(folder).args(*arguments);
        let child = command.stdout(Stdio::null()).stderr(Stdio::piped()).spawn();
        let shown = format!("{arguments:?} of {file}");
        let said = said_in_time(child.expect("the command starts"), &shown);
        assert!(gives(&said, reason), "{shown}: {said}");
    }
}

#[test]
fn only_regular_files_up_to_a_limit_are_read() {
    let folder = folder("files");
    let inside = |name: &str| folder.join(name);
    let made = Command::new("mkfifo").arg(inside("pipe")).status();
    assert!(made.expect("mkfifo").success());
    symlink("/dev/zero", inside("zero")).unwrap();
    std::fs::create_dir(inside("folder")).unwrap();
    // Sparse: takes no room.
    let huge = File::create(inside("huge")).unwrap();
    huge.set_len(1 << 40).unwrap();
    let write = |data: &str| {
        std::fs::write(inside("forced.toml"), FORCED.replace("DATA", data)).unwrap();
        let fmu = inside("that.fmu");
        let _ = std::fs::remove_file(&fmu);
        symlink(data, fmu).unwrap();
    };
    write("pipe");
    refused_everywhere(&folder, "pipe", "it is a pipe or a device; allowed: regular files");
    write("folder");
    refused_everywhere(&folder, "folder", "it is a folder; give the file in it");
    write("huge");
    let reason = "it is too large; allowed: at most";
    for arguments in [
        &["run", &model("incline"), "--inputs", "huge"][..],
        &["record", "huge"],
        &["check", "huge"],
        &["pack", &model("incline"), "--library", "huge"],
        &["check", "forced.toml"],
    ] {
        let said = refused_in(&folder, arguments);
        assert!(gives(&said, reason), "{arguments:?}: {said}");
    }
    for arguments in [
        &["run", &model("incline"), "--inputs", "zero"][..],
        &["run", &model("incline"), "--list", "/dev/zero"],
        &["record", "/dev/zero"],
    ] {
        let said = refused_in(&folder, arguments);
        assert!(said.contains("it is a pipe or a device"), "{said}");
    }
}

#[test]
fn links_to_data_files_stay_in_the_folder_of_the_model() {
    let above = folder("links");
    let folder = above.join("model");
    std::fs::create_dir(&folder).unwrap();
    std::fs::write(above.join("outside.csv"), "0, 0\n1, 1\n# not to be handed out\n").unwrap();
    std::fs::write(folder.join("inside.csv"), "0, 0\n1, 1\n").unwrap();
    symlink("../outside.csv", folder.join("out.csv")).unwrap();
    symlink("inside.csv", folder.join("in.csv")).unwrap();
    symlink("..", folder.join("up")).unwrap();
    let write = |data: &str| {
        std::fs::write(folder.join("forced.toml"), FORCED.replace("DATA", data)).unwrap();
    };
    for data in ["out.csv", "up/outside.csv"] {
        write(data);
        for arguments in [&["check", "forced.toml"][..], &["pack", "--native", "forced.toml"]] {
            let said = refused_in(&folder, arguments);
            assert!(said.contains("leads out of the model's folder"), "{said}");
        }
    }
    assert!(!folder.join("forced.fmu").exists());
    write("in.csv");
    ok_in(&folder, &["check", "forced.toml"]);
    // The model may be reached by a link, and its folder, too.
    symlink("model", above.join("other")).unwrap();
    ok_in(&above, &["check", "other/forced.toml"]);
}

/// An FMU with other words in its description.
fn redescribed(fmu: &[u8], words: &[(&str, &str)]) -> Vec<u8> {
    let mut zip = ZipArchive::new(Cursor::new(fmu)).unwrap();
    let mut out = ZipWriter::new(Cursor::new(Vec::new()));
    for i in 0..zip.len() {
        let mut file = zip.by_index(i).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        let name = file.name().unwrap().into_owned();
        if name == "modelDescription.xml" {
            let mut text = String::from_utf8(content).unwrap();
            for (from, to) in words {
                assert!(text.contains(from), "{from}");
                text = text.replacen(from, to, 1);
            }
            content = text.into_bytes();
        }
        out.start_file(name, SimpleFileOptions::default()).unwrap();
        out.write_all(&content).unwrap();
    }
    out.finish().unwrap().into_inner()
}

#[test]
fn a_description_that_the_model_inside_does_not_make_is_found() {
    let folder = folder("description");
    let fmu = packed("incline");
    let own = folder.join("own.fmu");
    std::fs::write(&own, redescribed(&fmu, &[])).unwrap();
    ok_in(&folder, &["check", "own.fmu"]);
    for (from, to, said) in [
        (
            "name=\"points.block.x\"",
            "name=\"points.block.z\"",
            "`name` of <ScalarVariable name=\"points.block.x\"> is \"points.block.z\", where the model inside makes \"points.block.x\"",
        ),
        ("stopTime=\"2.0\"", "stopTime=\"3.0\"", "where the model inside makes \"2.0\""),
        (
            "modelName=\"incline\"",
            "modelName=\"decline\"",
            "where the model inside makes \"incline\"",
        ),
    ] {
        let other = folder.join("other.fmu");
        std::fs::write(&other, redescribed(&fmu, &[(from, to)])).unwrap();
        let output = call_in(&folder, &["check", "other.fmu"]);
        let found = String::from_utf8(output.stderr).unwrap();
        let found = found + &String::from_utf8(output.stdout).unwrap();
        assert!(!output.status.success() && found.contains(said), "{found}");
    }
}

#[test]
fn an_fmu_whose_description_renames_a_variable_does_not_run() {
    let folder = folder("renamed");
    for (from, to, said) in [
        (
            "name=\"points.block.x\"",
            "name=\"points.block.z\"",
            "`points.block.z`, and the model inside has `points.block.x` there",
        ),
        ("valueReference=\"0\"", "valueReference=\"99\"", "names value reference 99 `"),
    ] {
        let fmu = redescribed(&packed("incline"), &[(from, to)]);
        std::fs::write(folder.join("other.fmu"), fmu).unwrap();
        let told = refused_in(&folder, &["run", "other.fmu", "--stop", "0.05"]);
        assert!(told.contains(said) && told.contains("pack the model again"), "{told}");
    }
}

#[test]
fn names_of_a_foreign_fmu_are_no_formulas_in_csv() {
    let folder = folder("formulas");
    let words = [
        ("name=\"points.block.x\"", "name=\"=cmd|'/c calc'!A1\""),
        ("name=\"energy.kinetic\"", "name=\"@SUM(1+1)\""),
        ("variableNamingConvention=\"structured\"", "variableNamingConvention=\"flat\""),
        ("generationTool=\"coulisse ", "generationTool=\"another "),
    ];
    std::fs::write(folder.join("foreign.fmu"), redescribed(&packed("incline"), &words)).unwrap();
    ok_in(&folder, &["run", "foreign.fmu", "--stop", "0.05", "-o", "rows.csv"]);
    let rows = std::fs::read_to_string(folder.join("rows.csv")).unwrap();
    let head = rows.lines().next().unwrap();
    assert!(head.contains(",'=cmd|'/c calc'!A1,") && head.contains(",'@SUM(1+1),"), "{head}");
}

#[test]
fn tables_of_laws_have_empty_cells_where_nothing_is_known() {
    let folder = folder("empty");
    for law in ["lugre", "coulomb", "stribeck"] {
        ok_in(&folder, &["friction", law, "-o", "law.csv"]);
        let rows = std::fs::read_to_string(folder.join("law.csv")).unwrap();
        assert!(!rows.contains("NaN") && !rows.contains("inf"), "{law}");
    }
    let said = refused_in(&folder, &["friction", "lugre", "--normal-force", "1e300"]);
    assert!(
        said.contains("--normal-force is 1e300; allowed: a number from 1e-50 to 1e50"),
        "{said}"
    );
}

#[test]
fn what_killed_runs_left_goes_with_the_next() {
    let folder = folder("killed");
    let [temporary, old, young, used] = ["temporary", "old", "young", "used"].map(|name| {
        let inside = folder.join(name);
        std::fs::create_dir(&inside).unwrap();
        inside
    });
    let fmu = folder.join("incline.fmu");
    std::fs::write(&fmu, packed("incline")).unwrap();
    let call = |folder: &Path, arguments: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_coulisse"));
        command.current_dir(folder).args(arguments).env("TMPDIR", &temporary);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.spawn().expect("the command starts")
    };
    let count = |folder: &Path| std::fs::read_dir(folder).unwrap().count();
    let mut run = call(&folder, &["run", "incline.fmu", "--stop", "1e4", "--step", "1e-3"]);
    let began = Instant::now();
    while count(&temporary) == 0 {
        assert!(began.elapsed() < Duration::from_secs(60));
        std::thread::sleep(Duration::from_millis(20));
    }
    let aged = |path: &Path| {
        let then = std::time::SystemTime::now() - Duration::from_secs(600);
        File::open(path).unwrap().set_modified(then).unwrap();
    };
    let left = std::fs::read_dir(&temporary).unwrap().next().unwrap().unwrap().path();
    let short = ["run", text(&fmu), "--stop", "0.01", "-o", "rows.csv"];
    std::thread::sleep(Duration::from_millis(500));
    // In use, however old.
    aged(&left);
    assert!(call(&old, &short).wait().unwrap().success());
    assert!(left.exists());
    run.kill().unwrap();
    run.wait().unwrap();
    aged(&left);
    // Beside results: an old one goes, a young or a used one stays.
    for place in [&old, &young, &used] {
        std::fs::write(place.join(".coulisse-left"), "half").unwrap();
    }
    let held = File::open(used.join(".coulisse-left")).unwrap();
    held.try_lock().unwrap();
    aged(&old.join(".coulisse-left"));
    aged(&used.join(".coulisse-left"));
    for place in [&old, &young, &used] {
        assert!(call(place, &short).wait().unwrap().success());
    }
    assert_eq!(count(&temporary), 0);
    assert_eq!([&old, &young, &used].map(|place| count(place)), [1, 2, 2]);
}
