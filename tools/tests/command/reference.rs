//! Reference results in an FMU, and what `check --run` says of them.

use std::fs::File;
use std::io::{Read, Write};
use std::path::Path;

use zip::write::SimpleFileOptions;
use zip::{ZipArchive, ZipWriter};

use crate::common::{call_in, folder, models, ok_in, refused_in, text};

const RESULTS: &str = "extra/org.fmi-standard.fmi-ls-ref/default.csv";

/// A copy of an archive in which one file has been edited.
fn edited(from: &Path, to: &Path, file: &str, edit: impl Fn(&str) -> String) {
    let mut archive = ZipArchive::new(File::open(from).expect("an FMU")).expect("an archive");
    let mut copy = ZipWriter::new(File::create(to).expect("a file"));
    for index in 0..archive.len() {
        let mut entry = archive.by_index(index).expect("an entry");
        let name = entry.name().unwrap().into_owned();
        let mut content = Vec::new();
        entry.read_to_end(&mut content).expect("its content");
        if name == file {
            content = edit(std::str::from_utf8(&content).expect("UTF-8")).into_bytes();
        }
        copy.start_file(name, SimpleFileOptions::default()).expect("an entry");
        copy.write_all(&content).expect("its content");
    }
    copy.finish().expect("an archive");
}

#[test]
fn an_fmu_brings_results_with_which_it_agrees_to_the_last_bit() {
    let folder = folder("reference");
    let model = models().join("incline.toml");
    ok_in(&folder, &["pack", "--native", text(&model), "--reference"]);
    let said = ok_in(&folder, &["check", "incline.fmu", "--run"]);
    assert!(said.starts_with("ok: incline.fmu\n") && said.contains("to the last bit"), "{said}");
    ok_in(&folder, &["run", text(&model), "-o", "incline.csv"]);
    let csv = std::fs::read(folder.join("incline.csv")).expect("rows");
    let mut archive = ZipArchive::new(File::open(folder.join("incline.fmu")).expect("an FMU"))
        .expect("an archive");
    let mut inside = Vec::new();
    archive.by_name(RESULTS).expect("results").read_to_end(&mut inside).expect("rows");
    assert_eq!(inside, csv);
}

#[test]
fn other_results_are_reported_with_the_output_and_the_time() {
    let folder = folder("reference_off");
    let model = models().join("incline.toml");
    ok_in(&folder, &["pack", "--native", text(&model), "--reference"]);
    let wrong = folder.join("wrong.fmu");
    // A millimetre at one instant.
    let spoilt = |csv: &str| {
        let mut lines: Vec<String> = csv.lines().map(str::to_owned).collect();
        let mut cells: Vec<String> = lines[101].split(',').map(str::to_owned).collect();
        let value: f64 = cells[1].parse().expect("a number");
        cells[1] = (value + 1e-3).to_string();
        lines[101] = cells.join(",");
        lines.join("\n") + "\n"
    };
    edited(&folder.join("incline.fmu"), &wrong, RESULTS, spoilt);
    let said = refused_in(&folder, &["check", "wrong.fmu", "--run"]);
    assert!(said.contains("`joints.block.position` is off by 0.001 at t = "), "{said}");
    // To programs as a finding.
    let told = call_in(&folder, &["check", "wrong.fmu", "--run", "--format", "json"]);
    let found: serde_json::Value = serde_json::from_slice(&told.stdout).expect("JSON");
    let message = found[0]["message"].as_str().unwrap_or_default();
    assert!(message.contains("is off by 0.001"), "{found}");
    let told = call_in(&folder, &["check", "incline.fmu", "--run", "--format", "json"]);
    assert_eq!((told.status.code(), &told.stdout[..]), (Some(0), &b"[]\n"[..]));
    // One that has lost a row.
    edited(&folder.join("incline.fmu"), &wrong, RESULTS, |csv| {
        let end = csv.trim_end().rfind('\n').expect("rows");
        csv[..=end].to_owned()
    });
    let said = refused_in(&folder, &["check", "wrong.fmu", "--run"]);
    assert!(said.contains("the reference has 200 rows, the run 201"), "{said}");
}

#[test]
fn an_fmu_without_results_has_a_trial_and_a_model_file_is_refused() {
    let folder = folder("reference_none");
    let model = models().join("incline.toml");
    ok_in(&folder, &["pack", "--native", text(&model)]);
    let said = ok_in(&folder, &["check", "incline.fmu", "--run"]);
    assert!(said.contains("no reference results; it starts, takes a step of "), "{said}");
    assert!(said.contains("a state was saved and restored"), "{said}");
    let said = refused_in(&folder, &["check", text(&model), "--run"]);
    assert!(said.contains("--run takes an FMU"), "{said}");
}

#[test]
fn an_fmu_under_another_name_is_checked_and_one_of_fmi_4_is_refused_with_the_versions_that_are_known()
 {
    let folder = folder("reference_names");
    let model = models().join("incline.toml");
    ok_in(&folder, &["pack", "--native", text(&model)]);
    std::fs::copy(folder.join("incline.fmu"), folder.join("incline.zip")).expect("a copy");
    assert_eq!(
        ok_in(&folder, &["check", "incline.zip"]),
        "ok: incline.zip\n  description, archive and exports checked; --run also runs it\n"
    );
    let three = folder.join("three.fmu");
    edited(&folder.join("incline.fmu"), &three, "modelDescription.xml", |xml| {
        xml.replace("fmiVersion=\"2.0\"", "fmiVersion=\"4.0\"")
    });
    for task in ["check", "run"] {
        let said = refused_in(&folder, &[task, "three.fmu"]);
        assert!(said.contains("this command knows FMI 2.0 and 3.0"), "{said}");
    }
}
