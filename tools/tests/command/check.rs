//! `coulisse check X.fmu` finds every fault, and nothing where there is none.

mod archives;
mod fmi3;

use crate::common::{self, call, folder, text};
use crate::edit::Edit;
use std::io::{Cursor, Read, Write};
use std::process::Command;

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipArchive, ZipWriter};

/// A sound description with a little of everything.
const GOOD: &str = include_str!("check/good.xml");

/// Findings in an FMU, one line each.
fn findings(name: &str, bytes: &[u8]) -> Vec<String> {
    let folder = folder(&format!("check_{name}"));
    let path = folder.join("checked.fmu");
    std::fs::write(&path, bytes).unwrap();
    let command = call(&["check", text(&path)]);
    let said = String::from_utf8(command.stderr).unwrap();
    let lines: Vec<String> = said.lines().skip(1).map(|l| l.trim().to_owned()).collect();
    match command.status.code() {
        Some(0) => {
            assert!(said.is_empty() && command.stdout.starts_with(b"ok: "), "{said}");
            // Warnings alone are no failure.
            let said = String::from_utf8(command.stdout).unwrap();
            let (said, scope) = said.trim_end().rsplit_once('\n').expect("a line on the scope");
            assert!(scope.contains("archive and exports checked"), "{scope}");
            return said.lines().skip(1).map(|l| l.trim().to_owned()).collect();
        }
        Some(1) => {
            let noun = if lines.len() == 1 { "finding" } else { "findings" };
            let head = format!("{} {noun}", lines.len());
            assert!(said.lines().next().unwrap().ends_with(&head), "{said}");
        }
        other => panic!("{name}: {other:?} {said}"),
    }
    lines
}

fn archive(files: &[(&str, &[u8])], method: CompressionMethod) -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, content) in files {
        let options = SimpleFileOptions::default().compression_method(method);
        zip.start_file(*name, options).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

/// An FMU that comes as source code.
fn with_description(xml: &str) -> Vec<u8> {
    let files = [("modelDescription.xml", xml.as_bytes()), ("sources/tank.c", b"int x;")];
    archive(&files, CompressionMethod::Deflated)
}

/// Files of an FMU that this tool has packed.
fn packed(model: &str) -> Vec<(String, Vec<u8>)> {
    let mut zip = ZipArchive::new(Cursor::new(common::packed(model))).unwrap();
    let mut files = Vec::new();
    for i in 0..zip.len() {
        let mut file = zip.by_index(i).unwrap();
        let mut content = Vec::new();
        file.read_to_end(&mut content).unwrap();
        files.push((file.name().unwrap().into_owned(), content));
    }
    files
}

fn repacked(files: &[(String, Vec<u8>)]) -> Vec<u8> {
    let files: Vec<(&str, &[u8])> = files.iter().map(|(n, c)| (n.as_str(), c.as_slice())).collect();
    archive(&files, CompressionMethod::Stored)
}

#[test]
fn a_sound_description_has_no_finding() {
    assert_eq!(findings("good", &with_description(GOOD)), [""; 0]);
}

#[test]
fn every_bundled_fmu_has_no_finding() {
    for name in common::bundled() {
        assert_eq!(findings(&name, &repacked(&packed(&name))), [""; 0]);
    }
}

#[test]
fn every_fault_of_a_description_is_found_and_nothing_else() {
    let sound = [("modelDescription.xml", GOOD)];
    let faults = each_fault("fault", include_str!("check/faults.txt"), &sound, |texts| {
        with_description(&texts[0].1)
    });
    assert!(faults >= 60, "{faults}");
}

/// Makes of the `sound` texts an `fmu` with each fault of a table, whose lines are `GOOD => BAD :: SAYS`, and looks that what is found is that
/// alone; how many they are.
fn each_fault(
    name: &str, table: &str, sound: &[(&'static str, &str)],
    fmu: impl Fn(&[(&'static str, String)]) -> Vec<u8>,
) -> usize {
    let rows = table.lines().filter(|row| !row.is_empty() && !row.starts_with('#'));
    let (mut count, mut wrong) = (0, Vec::new());
    for row in rows {
        let (good, rest) = row.split_once(" => ").expect("a piece and what stands in its place");
        let (bad, says) = rest.split_once(" :: ").expect("words of the finding");
        let [good, bad] = [good, bad].map(|text| text.replace("\\n", "\n"));
        let mut texts: Vec<_> =
            sound.iter().map(|(file, text)| (*file, (*text).to_owned())).collect();
        let places: Vec<usize> =
            texts.iter().map(|(_, text)| text.matches(&good).count()).collect();
        assert_eq!(places.iter().sum::<usize>(), 1, "{good}");
        let (file, text) = &mut texts[places.iter().position(|place| *place == 1).unwrap()];
        *text = text.edit(&good, &bad);
        let start = format!("{file}: line ");
        let found = findings(&format!("{name}_{count}"), &fmu(&texts));
        if !(found.len() == 1 && found[0].starts_with(&start) && found[0].contains(says)) {
            wrong.push(format!("{good} -> {bad}\n{}\n", found.join("\n")));
        }
        count += 1;
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    count
}

#[test]
fn a_finding_names_the_line_of_its_element() {
    let xml = GOOD.edit("<Integer min=\"0\"/>", "<Integer min=\"x\"/>");
    let line = 1 + xml[..xml.find("min=\"x\"").unwrap()].matches('\n').count();
    let found = findings("line", &with_description(&xml));
    assert!(found[0].starts_with(&format!("modelDescription.xml: line {line}: ")), "{found:?}");
}

#[test]
fn several_faults_come_in_one_list() {
    let xml = GOOD
        .edit("stopTime=\"10\"", "stopTime=\"-1\"")
        .edit("name=\"full\"", "name=\"full of\"")
        .edit("dependencies=\"1 2 6\"", "dependencies=\"6 2 1\"");
    let found = findings("several", &with_description(&xml));
    assert_eq!(found.len(), 3, "{found:?}");
}

#[test]
fn faults_of_the_archive_are_found() {
    let xml = ("modelDescription.xml", GOOD.as_bytes());
    let source = ("sources/tank.c", &b"int x;"[..]);
    let stored = CompressionMethod::Stored;
    for (files, says) in [
        (vec![xml], "no library for modelIdentifier `tank`"),
        (vec![source], "no modelDescription.xml"),
        (
            vec![("tank/modelDescription.xml", GOOD.as_bytes())],
            "there is `tank/modelDescription.xml`",
        ),
        (vec![xml, source, ("resources\\a.txt", b"")], "backslash"),
        (vec![xml, source, ("../a.txt", b"")], "leads out of the FMU"),
        (vec![xml, source, ("/a.txt", b"")], "absolute path"),
        (vec![xml, source, ("binaries/win_64/a.dll", b"")], "did you mean `win64`"),
        (vec![xml, source, ("binaries/linux64/tank.so", b"text")], "no shared library"),
    ] {
        let found = findings("archive", &archive(&files, stored));
        assert!(found.iter().all(|f| f.contains(says)), "{says}: {found:?}");
        // Model Exchange and Co-Simulation share the library.
        assert!((1..=2).contains(&found.len()), "{found:?}");
    }
    let found = findings("no_zip", b"this is no zip archive");
    assert!(found.len() == 1 && found[0].contains("not a zip archive"), "{found:?}");
}

#[test]
fn a_file_that_is_there_twice_and_a_foreign_compression_are_found() {
    // The writer makes no such archives: change the bytes of a sound one.
    let files = [
        ("modelDescription.xml", GOOD.as_bytes()),
        ("sources/tank.c", b"int x;"),
        ("sources/pump.c", b"int y;"),
    ];
    let sound = archive(&files, CompressionMethod::Stored);
    assert_eq!(findings("sound", &sound), [""; 0]);
    let places = |needle: &[u8]| -> Vec<usize> {
        let windows = sound.windows(needle.len()).enumerate();
        windows.filter(|(_, w)| *w == needle).map(|(at, _)| at).collect()
    };
    let mut twice = sound.clone();
    for at in places(b"sources/pump.c") {
        twice[at..at + 14].copy_from_slice(b"sources/tank.c");
    }
    let found = findings("twice", &twice);
    assert!(found.len() == 1 && found[0].contains("twice"), "{found:?}");
    let mut bzip = sound.clone();
    let entry = *places(b"PK\x01\x02").last().unwrap();
    bzip[entry + 10] = 12;
    let found = findings("bzip", &bzip);
    assert!(found.len() == 1 && found[0].contains("method 12"), "{found:?}");
}

#[test]
fn an_altered_fmu_of_ours_is_found() {
    let sound = packed("incline");
    let change = |name: &str, from: &str, to: &str| -> Vec<String> {
        let mut files = sound.clone();
        let (_, content) = files.iter_mut().find(|(n, _)| n == name).unwrap();
        let text = String::from_utf8(content.clone()).unwrap();
        assert!(text.contains(from));
        *content = text.replacen(from, to, 1).into_bytes();
        findings("altered", &repacked(&files))
    };
    let model = "resources/model.toml";
    let found = change(model, "mass = ", "mass = 1.0 # ");
    assert!(found.len() == 1 && found[0].contains("different models"), "{found:?}");
    let found = change(model, "step = ", "stepp = ");
    assert!(found.len() == 1 && found[0].contains("stepp"), "{found:?}");
    let missing: Vec<_> = sound.iter().filter(|(n, _)| n != model).cloned().collect();
    let found = findings("no_model", &repacked(&missing));
    assert!(found.len() == 1 && found[0].contains("is not there"), "{found:?}");
}

#[test]
fn a_library_without_a_function_or_for_another_platform_is_found() {
    let mut files = packed("incline");
    let (name, library) = files.iter_mut().find(|(n, _)| n.starts_with("binaries/")).unwrap();
    let sound = (name.clone(), library.clone());
    // The same length keeps the library whole.
    let places: Vec<usize> = (library.windows(16).enumerate())
        .filter(|(_, w)| *w == b"fmi2CancelStep\0\0" || w.starts_with(b"fmi2CancelStep\0"))
        .map(|(at, _)| at)
        .collect();
    for at in places {
        library[at..at + 14].copy_from_slice(b"fmi2CancelStop");
    }
    let found = findings("function", &repacked(&files));
    assert!(found.len() == 1 && found[0].contains("does not export fmi2CancelStep;"), "{found:?}");
    let other = if sound.0.contains("linux64") { ("win64", ".dll") } else { ("linux64", ".so") };
    files.push((format!("binaries/{}/incline{}", other.0, other.1), sound.1.clone()));
    files.iter_mut().find(|(n, _)| *n == sound.0).unwrap().1 = sound.1;
    let found = findings("platform", &repacked(&files));
    assert!(found.len() == 1 && found[0].contains("a library for "), "{found:?}");
}

#[test]
fn a_date_of_generation_is_written_only_where_it_is_asked_for() {
    let (model, folder) = (common::model("incline"), folder("dated"));
    let date = |arguments: &[&str], epoch: Option<&str>| -> Result<Option<String>, String> {
        let path = folder.join("dated.fmu");
        let mut command = Command::new(env!("CARGO_BIN_EXE_coulisse"));
        command.args(["pack", "--native", &model, "-o"]).arg(&path).args(arguments);
        command.env_remove("SOURCE_DATE_EPOCH");
        if let Some(epoch) = epoch {
            command.env("SOURCE_DATE_EPOCH", epoch);
        }
        let output = command.output().unwrap();
        common::keep_call(&[&["pack"], arguments].concat());
        if !output.status.success() {
            return Err(String::from_utf8(output.stderr).unwrap());
        }
        let mut zip = ZipArchive::new(std::fs::File::open(&path).unwrap()).unwrap();
        let mut xml = String::new();
        let mut file = zip.by_name("modelDescription.xml").unwrap();
        file.read_to_string(&mut xml).unwrap();
        let rest = xml.split("generationDateAndTime=\"").nth(1);
        Ok(rest.map(|rest| rest.split('"').next().unwrap().to_owned()))
    };
    assert_eq!(date(&[], None), Ok(None));
    assert_eq!(date(&[], Some("1709210096")), Ok(Some("2024-02-29T12:34:56Z".into())));
    let given = "2021-05-06T07:08:09Z";
    assert_eq!(date(&["--date", given], Some("1")), Ok(Some(given.into())));
    assert!(date(&["--date", "yesterday"], None).unwrap_err().contains("yesterday"));
    assert!(date(&[], Some("now")).unwrap_err().contains("SOURCE_DATE_EPOCH"));
}
