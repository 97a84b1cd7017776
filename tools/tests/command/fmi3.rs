//! FMUs of FMI 3.0: packed, checked, run.

use crate::common::{folder, models, ok_in, refused_in, text};

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
fn a_system_holds_fmus_of_fmi_2_only() {
    let folder = folder("fmi3_ssp");
    let model = models().join("incline.toml");
    let said = refused_in(&folder, &["pack", "--native", "--fmi", "3", "--ssp", text(&model)]);
    assert!(said.contains("allowed: --fmi 2"), "{said}");
}
