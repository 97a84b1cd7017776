//! FMUs of FMI 3.0: packed, checked, run.

use std::fs::File;
use std::io::Read;

use zip::ZipArchive;

use crate::common::{folder, models, ok_in, text};

/// The platform of this machine by its name in FMI 2.0.
const OWN: &str = match (cfg!(target_os = "linux"), cfg!(target_arch = "x86_64")) {
    (true, true) => "linux64",
    (true, false) => "aarch64-linux",
    (false, _) if cfg!(target_os = "macos") => "darwin64",
    (false, _) => "win64",
};

#[test]
fn an_fmu_of_fmi_3_is_sound_and_gives_the_rows_of_its_model() {
    let folder = folder("fmi3");
    let model = models().join("incline.toml");
    ok_in(&folder, &["pack", "--native", "--fmi", "3", "--reference", text(&model)]);
    let said = ok_in(&folder, &["check", "incline.fmu", "--run"]);
    assert!(said.contains("ok"), "{said}");
    let listed = ok_in(&folder, &["describe", "incline.fmu"]);
    assert!(listed.contains("events.what") && listed.contains("joints.block.regime"), "{listed}");
    ok_in(&folder, &["run", "incline.fmu", "--stop", "1", "-o", "fmu.csv"]);
    ok_in(&folder, &["run", text(&model), "--stop", "1", "-o", "model.csv"]);
    let rows = |file: &str| std::fs::read_to_string(folder.join(file)).unwrap();
    let (fmu, model) = (rows("fmu.csv"), rows("model.csv"));
    assert_eq!(fmu.lines().count(), model.lines().count());
    for (of_fmu, of_model) in fmu.lines().zip(model.lines()) {
        // The events come last.
        assert!(of_fmu.starts_with(of_model), "{of_fmu}\n{of_model}");
    }
}

#[test]
fn a_system_of_fmi_3_has_the_types_of_ssp_2() {
    let folder = folder("fmi3_ssp");
    let model = models().join("incline.toml");
    ok_in(&folder, &["pack", "--native", "--fmi", "3", "--ssp", text(&model)]);
    let mut archive = ZipArchive::new(File::open(folder.join("incline.ssp")).unwrap()).unwrap();
    let mut read = |name: &str| {
        let mut content = Vec::new();
        archive.by_name(name).unwrap().read_to_end(&mut content).unwrap();
        content
    };
    let structure = String::from_utf8(read("SystemStructure.ssd")).unwrap();
    std::fs::write(folder.join("incline.fmu"), read("resources/incline.fmu")).unwrap();
    assert!(ok_in(&folder, &["check", "incline.fmu"]).contains("ok"));
    assert_eq!(structure.matches("version=\"2.0\"").count(), 2, "{structure}");
    for (old, new) in [("ssc:Real", "ssc:Float64"), ("ssv:Real", "ssv:Float64")] {
        assert!(!structure.contains(old) && structure.contains(new), "{structure}");
    }
    for connector in ["events.count", "events.what", "joints.block.transitions"] {
        assert!(structure.contains(&format!("name=\"{connector}\"")), "{connector}");
    }
}

#[test]
fn a_linear_model_gives_the_rows_of_fmi_2() {
    let folder = folder("fmi3_linear");
    let model = models().join("quarter_car.toml");
    let rows = ["2", "3"].map(|version| {
        let (fmu, rows) = (format!("car_{version}.fmu"), format!("car_{version}.csv"));
        let call = ["linearize", text(&model), "--at", "equilibrium", "--native", "--fmi", version];
        ok_in(&folder, &[&call[..], &["-o", &fmu]].concat());
        ok_in(&folder, &["check", &fmu, "--run"]);
        let push = "springs.strut.actuator=100";
        ok_in(&folder, &["run", &fmu, "--set", push, "--stop", "1", "-o", &rows]);
        std::fs::read_to_string(folder.join(rows)).unwrap()
    });
    assert!(rows[0].lines().count() > 10);
    assert_eq!(rows[0], rows[1]);
    let band = ["--at", "equilibrium", "--from", "0.1", "--to", "50", "--states", "4"];
    let call = [&["reduce", text(&model)], &band[..], &["--native", "--fmi", "3"]].concat();
    ok_in(&folder, &[&call[..], &["-o", "few.fmu"]].concat());
    ok_in(&folder, &["check", "few.fmu"]);
    let call = ["linearize", text(&model), "--at", "equilibrium", "--platforms", OWN];
    ok_in(&folder, &[&call[..], &["-o", "own.fmu"]].concat());
    let call = [&["reduce", text(&model)], &band[..], &["--platforms", OWN]].concat();
    ok_in(&folder, &[&call[..], &["-o", "own_few.fmu"]].concat());
}
