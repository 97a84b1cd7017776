//! Random archives: what is no FMU is refused with words, soon, and never leads out of its folder.
//!
//! A second in `tests/run`, a minute in `tests/run --all`, `COULISSE_FUZZ` seconds if that is given.

use std::io::{Cursor, Write};
use std::path::{Component, Path};
use std::time::{Duration, Instant};

use coulisse::fmu::Blueprint;
use coulisse::model::Model;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

use super::Archive;
use crate::check;

/// The sequence of Knuth's MMIX.
struct Chance(u64);

impl Chance {
    fn below(&mut self, n: usize) -> usize {
        self.0 = (self.0.wrapping_mul(6364136223846793005)).wrapping_add(1442695040888963407);
        ((self.0 >> 33) as usize) % n.max(1)
    }
}

/// An FMU without a library.
fn seed() -> Vec<u8> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../resources/models");
    let text = std::fs::read_to_string(folder.join("incline.toml")).unwrap();
    let blueprint = Blueprint::of(Model::load(&folder.join("incline.toml")).unwrap()).unwrap();
    let xml = blueprint.description(None).unwrap();
    let mut zip = ZipWriter::new(Cursor::new(Vec::new()));
    for (name, text) in [
        ("modelDescription.xml", xml.as_str()),
        ("resources/model.toml", &text),
        ("binaries/linux64/incline.so", "\u{7f}ELF"),
        ("documentation/index.html", "<html></html>"),
    ] {
        zip.start_file(name, SimpleFileOptions::default()).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

fn damaged(seed: &[u8], chance: &mut Chance) -> Vec<u8> {
    let mut bytes = seed.to_vec();
    // The directory is at the end, the head of the first file at the beginning.
    let near = |chance: &mut Chance, length: usize| match chance.below(3) {
        0 => chance.below(length.min(80)),
        1 => length - chance.below(length.min(400)) - 1,
        _ => chance.below(length),
    };
    for _ in 0..1 + chance.below(4) {
        let at = near(chance, bytes.len());
        match chance.below(6) {
            0 => bytes.truncate(at.max(30)),
            1 => {
                let piece: Vec<u8> =
                    bytes[at..].iter().take(1 + chance.below(60)).copied().collect();
                let to = near(chance, bytes.len());
                bytes.splice(to..to, piece);
            }
            2 => bytes[at..].iter_mut().take(8).for_each(|byte| *byte = 0xff),
            3 => bytes[at..].iter_mut().zip(*b"../../x").for_each(|(byte, new)| *byte = new),
            _ => bytes[at] ^= 1 << chance.below(8),
        }
    }
    bytes
}

#[test]
fn random_archives_are_checked_and_stay_in_their_folder() {
    let usual = std::env::var("COULISSE_TIER").map_or(1, |_| 60);
    let seconds = std::env::var("COULISSE_FUZZ").ok().and_then(|n| n.parse().ok());
    let budget = Duration::from_secs(seconds.unwrap_or(usual));
    let (began, seed) = (Instant::now(), seed());
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("any.fmu");
    let (mut count, mut opened) = (0, 0);
    while began.elapsed() < budget {
        std::fs::write(&path, damaged(&seed, &mut Chance(count))).unwrap();
        let input = Instant::now();
        if let Ok(archive) = Archive::open(&path) {
            opened += 1;
            if archive.refusals().next().is_none() {
                for entry in &archive.entries {
                    let name = entry.name.replace('\\', "/");
                    let inside = |part| matches!(part, Component::Normal(_) | Component::CurDir);
                    assert!(Path::new(&name).components().all(inside), "{count}: {name}");
                    let mut content = Vec::new();
                    let _ = archive.unpack(entry, &mut content);
                }
            }
        }
        let _ = check::fmu(&path);
        let took = input.elapsed();
        assert!(took < Duration::from_secs(40), "{count}: {took:?}");
        count += 1;
    }
    println!("archives: {count} inputs, {opened} opened");
    assert!(opened > 0 && opened < count);
}
