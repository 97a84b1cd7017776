//! Archives that nobody should unpack: bombs, links, names that clash; and descriptions full of faults.

use std::io::{Cursor, Write};
use std::process::Command;
use std::time::{Duration, Instant};

use zip::write::SimpleFileOptions;
use zip::{CompressionMethod, ZipWriter};

use super::{GOOD, archive, findings, packed, repacked, with_description};
use crate::common::{folder, text};
use crate::edit::Edit;

const SOURCE: (&str, &[u8]) = ("sources/tank.c", b"int x;");

fn description() -> (&'static str, &'static [u8]) {
    ("modelDescription.xml", GOOD.as_bytes())
}

/// What `coulisse TASK` says of an FMU that it must refuse, with 4 GB of memory, and that it leaves
/// nothing in the folder for temporary files.
fn refused(task: &str, name: &str, bytes: &[u8]) -> String {
    let folder = folder(&format!("{task}_{name}"));
    let fmu = folder.join("refused.fmu");
    std::fs::write(&fmu, bytes).unwrap();
    let temporary = folder.join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 4000000; exec \"$0\" \"$@\""])
        .args([env!("CARGO_BIN_EXE_coulisse"), task, text(&fmu)])
        .env("TMPDIR", &temporary)
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1), "{output:?}");
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
    String::from_utf8(output.stderr).unwrap()
}

fn with_link() -> Vec<u8> {
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    let options = SimpleFileOptions::default();
    for (name, content) in [description(), SOURCE] {
        zip.start_file(name, options).unwrap();
        zip.write_all(content).unwrap();
    }
    zip.add_symlink("resources/all", "/", options).unwrap();
    zip.finish().unwrap().into_inner()
}

#[test]
fn what_leads_out_of_an_archive_or_swells_is_found_and_not_unpacked() {
    // Zeros pack to a thousandth.
    let zeros = vec![0; 40 << 20];
    let swelling = [description(), SOURCE, ("resources/zeros", &zeros)];
    let out = [description(), SOURCE, ("../../out", b"x")];
    let bomb = archive(&swelling, CompressionMethod::Deflated);
    assert!(bomb.len() < 100_000);
    for (name, bytes, says) in [
        ("bomb", bomb, "unpacks to 41 MB from 40 kB; allowed: at most 200 times"),
        ("out", archive(&out, CompressionMethod::Stored), "leads out of the FMU"),
        ("link", with_link(), "`resources/all`: a link or a device; allowed: files and folders"),
    ] {
        let said = findings(name, &bytes);
        assert!(said.len() == 1 && said[0].contains(says), "{said:?}");
        let said = refused("run", name, &bytes);
        assert!(said.contains(says), "{said}");
    }
}

#[test]
fn a_file_that_is_longer_than_it_states_is_not_unpacked() {
    let content = vec![7; 100_000];
    let files = [description(), SOURCE, ("resources/model.toml", &content)];
    let mut bytes = archive(&files, CompressionMethod::Deflated);
    // In the last entry of the directory: the unpacked size, of 4 bytes behind 24.
    let entry = bytes.windows(4).rposition(|w| w == b"PK\x01\x02").unwrap();
    bytes[entry + 24..entry + 28].copy_from_slice(&1000_u32.to_le_bytes());
    let said = refused("run", "lie", &bytes);
    assert!(said.contains("file `resources/model.toml` cannot be unpacked"), "{said}");
}

#[test]
fn a_model_or_a_description_beyond_its_limit_is_refused_in_little_memory() {
    let lines = b"a=1\n".repeat(5 << 18);
    let mut files = packed("incline");
    files.iter_mut().find(|f| f.0 == "resources/model.toml").unwrap().1 = lines.clone();
    let said = refused("check", "model", &repacked(&files));
    assert!(said.contains("resources/model.toml: of 5242 kB; allowed: at most 2097 kB"), "{said}");
    let folder = folder("lines");
    let toml = folder.join("lines.toml");
    std::fs::write(&toml, lines.repeat(13)).unwrap();
    let output = Command::new("sh")
        .args(["-c", "ulimit -v 1000000; exec \"$0\" check \"$1\""])
        .args([env!("CARGO_BIN_EXE_coulisse"), text(&toml)])
        .output()
        .unwrap();
    let said = String::from_utf8(output.stderr).unwrap();
    let limit = "too large; allowed: at most 2097152 bytes; long tables go into data files";
    assert!(said.contains(limit), "{said}");
    let deep = format!("<a {}/>", "b=\"\" ".repeat(600));
    let said = findings("attributes", &with_description(&GOOD.edit("<Real/>", &deep)));
    assert!(said.len() == 1 && said[0].contains("500 attributes of an element"), "{said:?}");
}

#[test]
fn names_that_are_one_file_on_another_system_are_found() {
    for (names, says) in [
        (["resources/a.csv", "resources/A.csv"], "only in the case of its letters"),
        (["resources/data/a", "Resources/b"], "`resources` differs from `Resources`"),
        (
            ["resources/a/b", "resources/a"],
            "`resources/a/b` lies in `resources/a`, which is a file",
        ),
    ] {
        let more = names.map(|name| (name, &b""[..]));
        let files = [&[description(), SOURCE][..], &more].concat();
        let said = findings("names", &archive(&files, CompressionMethod::Stored));
        assert!(said.len() == 1 && said[0].contains(says), "{said:?}");
    }
    // `b-c` sorts between `b` and what lies in it.
    let files = ["resources/b/", "resources/b-c", "resources/b/d"].map(|name| (name, &b""[..]));
    let files = [&[description(), SOURCE][..], &files].concat();
    assert_eq!(findings("folder", &archive(&files, CompressionMethod::Stored)), [""; 0]);
}

#[test]
fn names_that_windows_cannot_unpack_are_warnings() {
    for (name, says) in [
        ("resources/NUL", "`NUL` names a device"),
        ("resources/com1.tar.gz", "`com1.tar.gz` names a device"),
        ("resources/aux .txt", "`aux .txt` names a device"),
        ("resources/lpt¹/a.csv", "`lpt¹` names a device"),
        ("resources/data./a.csv", "`data.` ends in a point or a space"),
        ("resources/a ", "ends in a point or a space"),
        ("resources/a:b", "`a:b` has the character `:` in it"),
    ] {
        let files = [&[description(), SOURCE][..], &[(name, &b""[..])]].concat();
        let said = findings("windows", &archive(&files, CompressionMethod::Stored));
        assert!(
            said.len() == 1 && said[0].contains("warning: ") && said[0].contains(says),
            "{said:?}"
        );
    }
    let names = ["resources/console", "resources/COM10", "resources/.nul", "resources/com"];
    let more = names.map(|name| (name, &b""[..]));
    let files = [&[description(), SOURCE][..], &more].concat();
    let said = findings("windows", &archive(&files, CompressionMethod::Stored));
    assert_eq!(said, [""; 0]);
}

#[test]
fn a_description_full_of_faults_gives_a_short_list_in_a_short_time() {
    let count = 20_000;
    let types: String = (0..count)
        .map(|i| format!("<SimpleType name=\"Type{i}\"><Boolean/></SimpleType>"))
        .collect();
    let variables: String = (0..count)
        .map(|i| {
            format!(
                "<ScalarVariable name=\"v {i}\" valueReference=\"{}\"><Real declaredType=\"Typ{i}\"/>\
                 </ScalarVariable>",
                100 + i
            )
        })
        .collect();
    let xml = GOOD
        .edit("</TypeDefinitions>", &format!("{types}</TypeDefinitions>"))
        .edit("</ModelVariables>", &format!("{variables}</ModelVariables>"));
    let clock = Instant::now();
    let said = refused("check", "many", &with_description(&xml));
    assert!(clock.elapsed() < Duration::from_secs(60), "{:?}", clock.elapsed());
    assert!(said.lines().next().unwrap().ends_with(": 40000 findings"), "{}", &said[..200]);
    // Of each kind a hundred.
    assert_eq!(said.lines().count(), 201);
    assert_eq!(said.matches("(and 19900 more of this kind)").count(), 2);
}

#[test]
fn a_truncated_library_is_found_and_never_loaded() {
    let mut files = packed("incline");
    let at = files.iter().position(|f| f.0.starts_with("binaries/")).unwrap();
    let whole = files[at].1.clone();
    for length in [whole.len() - 1, whole.len() / 2, 5000, 100, 0] {
        files[at].1.truncate(length);
        let bytes = repacked(&files);
        let said = findings("truncated", &bytes);
        let right = ["a truncated library", "no shared library, or not a whole one"];
        assert!(said.len() == 1 && right.iter().any(|r| said[0].contains(r)), "{length}: {said:?}");
        let said = refused("run", "truncated", &bytes);
        assert!(right.iter().any(|r| said.contains(r)), "{length}: {said}");
    }
}
