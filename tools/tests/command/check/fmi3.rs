//! `coulisse check` of FMUs of FMI 3.0.

use zip::CompressionMethod;

use coulisse::fmu::Blueprint;
use coulisse::model::Model;

use super::{archive, each_fault, findings};
use crate::common::{bundled, models};
use crate::edit::Edit;

/// A sound description, terminals and sources with a little of everything.
const SOUND: [(&str, &str); 3] = [
    ("modelDescription.xml", include_str!("fmi3/good.xml")),
    ("terminalsAndIcons/terminalsAndIcons.xml", include_str!("fmi3/terminals.xml")),
    ("sources/buildDescription.xml", include_str!("fmi3/build.xml")),
];
const OTHERS: [&str; 5] = [
    "terminalsAndIcons/icon.png",
    "terminalsAndIcons/port.png",
    "sources/tank.c",
    "sources/more/pump.c",
    "sources/all/tank.c",
];

fn fmu(texts: &[(&str, String)], others: &[&str]) -> Vec<u8> {
    let texts = texts.iter().map(|(name, text)| (*name, text.as_bytes()));
    let others = others.iter().map(|name| (*name, &b"x"[..]));
    archive(&texts.chain(others).collect::<Vec<_>>(), CompressionMethod::Deflated)
}

fn sound() -> Vec<(&'static str, String)> {
    SOUND.iter().map(|(name, text)| (*name, (*text).to_owned())).collect()
}

#[test]
fn sound_files_have_no_finding() {
    assert_eq!(findings("good_3", &fmu(&sound(), &OTHERS)), [""; 0]);
}

#[test]
fn every_bundled_model_is_described_without_a_finding() {
    for name in bundled() {
        let model = Model::load(&models().join(format!("{name}.toml"))).unwrap();
        let text = Blueprint::of(model).unwrap().description_3(None).unwrap();
        // Of another tool, so that only the rules are asked, and as source code.
        let text = text.edit("generationTool=\"coulisse", "generationTool=\"other");
        let build =
            SOUND[2].1.replace("modelIdentifier=\"tank\"", &format!("modelIdentifier=\"{name}\""));
        let files = [("modelDescription.xml", text), (SOUND[2].0, build)];
        assert_eq!(findings(&format!("{name}_3"), &fmu(&files, &OTHERS)), [""; 0]);
    }
}

#[test]
fn every_fault_is_found_and_nothing_else() {
    let table = include_str!("fmi3/faults.txt");
    let faults = each_fault("fault_3", table, &SOUND, |texts| fmu(texts, &OTHERS));
    assert!(faults >= 120, "{faults}");
}

#[test]
fn files_that_are_missing_are_found() {
    let without = |name: &str| {
        let others: Vec<&str> = OTHERS.into_iter().filter(|other| *other != name).collect();
        let texts: Vec<_> = sound().into_iter().filter(|(file, _)| *file != name).collect();
        findings("missing_3", &fmu(&texts, &others))
    };
    for (name, says) in [
        ("terminalsAndIcons/icon.png", "an <Icon> without the file terminalsAndIcons/icon.png"),
        ("terminalsAndIcons/port.png", "there is no file `terminalsAndIcons/port.png`"),
        ("sources/tank.c", "there is no file `sources/tank.c`"),
        ("sources/buildDescription.xml", "sources without the file `sources/buildDescription.xml`"),
    ] {
        let found = without(name);
        assert!(found.len() == 1 && found[0].contains(says), "{name}: {found:?}");
    }
    assert_eq!(without("terminalsAndIcons/terminalsAndIcons.xml"), [""; 0]);
    for (more, says) in [
        ("documentation/licenses/LICENSE", "licences without an entry"),
        ("documentation/diagram.svg", "without `documentation/diagram.png`"),
    ] {
        let found = findings("more_3", &fmu(&sound(), &[&OTHERS[..], &[more]].concat()));
        assert!(found.len() == 1 && found[0].contains(says), "{found:?}");
    }
}
