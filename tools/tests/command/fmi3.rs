//! FMUs of FMI 3.0: packed, checked, run; one fault at a time in their descriptions.

use std::io::{Cursor, Write};

use coulisse::fmu::Blueprint;
use coulisse::model::Model;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use crate::common::{folder, models, ok, ok_in, refused, refused_in, text};

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

/// What `coulisse check` says of an FMU without a library, where `old` is replaced in its description.
fn fault(description: &str, old: &str, new: &str, expected: &str) {
    assert!(description.contains(old), "{old}");
    let description = description.replacen(old, new, 1);
    // Of another tool, so that only the rules find it.
    let foreign = description.replace("generationTool=\"coulisse", "generationTool=\"other");
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in [("modelDescription.xml", foreign.as_str()), ("sources/x.c", "int x;")] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(content.as_bytes()).unwrap();
    }
    let folder = folder("fmi3_faults");
    let fmu = folder.join("fault.fmu");
    std::fs::write(&fmu, zip.finish().unwrap().into_inner()).unwrap();
    match expected {
        "" => assert!(ok(&["check", text(&fmu)]).contains("ok")),
        _ => {
            let said = refused(&["check", text(&fmu)]);
            assert!(said.contains(expected) && said.contains(": 1 finding"), "{old}: {said}");
        }
    }
}

#[test]
fn one_fault_in_a_description_of_fmi_3_is_one_finding() {
    let model = Model::load(&models().join("incline.toml")).unwrap();
    let text = Blueprint::of(model).unwrap().description_3(None).unwrap();
    let fault = |old: &str, new: &str, expected: &str| fault(&text, old, new, expected);
    fault("", "", "");
    fault(" modelName=\"incline\"", "", "lacks the attribute `modelName`");
    fault("modelName=\"incline\"", "modelName=\"\"", "modelName is empty");
    fault(" instantiationToken=", " token=", "lacks the attribute `instantiationToken`");
    fault("canGetAndSetFMUState=\"true\"", "", "canSerializeFMUState without");
    fault("providesIntermediateUpdate=\"true\"", "", "without providesIntermediateUpdate");
    fault(
        "<CoSimulation modelIdentifier=\"incline\"",
        "<CoSimulation modelIdentifier=\"1\"",
        "a letter or _",
    );
    fault("name=\"events.time\"", "name=\"events.count\"", "is empty or there twice");
    fault("causality=\"independent\"", "causality=\"local\"", "0 independent variables");
    fault("quantity=\"Time\" unit=\"s\"", "quantity=\"Time\"", "");
    fault(
        "declaredType=\"Time\" unit=\"s\"",
        "declaredType=\"Time\" unit=\"fortnight\"",
        "is not among the UnitDefinitions",
    );
    fault("declaredType=\"Time\"", "declaredType=\"Date\"", "is not among the TypeDefinitions");
    fault(
        "</ModelStructure>",
        "<Output valueReference=\"4000\"/></ModelStructure>",
        "no output, or there twice",
    );
}
