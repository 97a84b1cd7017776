//! Random input for all that reads files of others and all that hosts call: no panic, no number that is none, no search without an
//! end, no memory without a bound. Overflows and debug assertions are checked, as in all tests.
//!
//! Each test takes a second in `tests/run` and a minute in `tests/run --all`. `COULISSE_FUZZ=600 cargo test --test claims fuzz:: --
//! --nocapture` takes 600 seconds for each, and prints how many inputs there were; `COULISSE_FUZZ_FROM` begins at a later one. An
//! input that is not borne is kept in `target/tmp/fuzz`, for a test of its own.
//!
//! Inputs are files of `resources/models`, `tests/models`, `tests/faults`, `tests/meshes`, `tests/records` and `tests/drawings` with random
//! damage. That of model files is in `faults/mutations.rs`; archives are in `tools/src/unpacked/fuzz.rs`.

mod calls;
mod damage;
mod data;
mod drawings;
mod readers;
mod states;

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use crate::common::life::silently;
use crate::common::tier;
use crate::common::watch::{Watch, work_time};
use crate::faults::counting;
use crate::faults::damage::Chance;

/// The most computing time of one input.
const LONGEST: Duration = Duration::from_secs(10);
/// The most memory that one input may hold at a time, bytes.
const MOST: i64 = 1 << 30;

/// A number that the user of the tests gives.
fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

/// Tries inputs that `make` makes until the time of a test is over; `take` says whether one was taken or refused.
fn fuzz(
    name: &str, mut make: impl FnMut(&mut Chance) -> Vec<u8>, mut take: impl FnMut(&[u8]) -> bool,
) {
    let usual = if tier::all() { 60 } else { 1 };
    let budget = Duration::from_secs(number("COULISSE_FUZZ").unwrap_or(usual));
    let from = number("COULISSE_FUZZ_FROM").unwrap_or(0);
    let (began, watch) = (Instant::now(), Watch::new());
    let (mut count, mut taken) = (0, 0);
    let (mut slowest, mut largest) = (Duration::ZERO, 0);
    while began.elapsed() < budget {
        let input = make(&mut Chance::new(from + count));
        watch.begin(format!(
            "{name} {}: {}",
            from + count,
            kept(name, from + count, &input, false)
        ));
        let before = work_time();
        let (peak, outcome) = counting::peak(|| silently(|| take(&input)));
        let took = work_time().saturating_sub(before);
        (slowest, largest) = (slowest.max(took), largest.max(peak));
        let fault = match &outcome {
            Err(panic) => Some(panic.clone()),
            _ if took > LONGEST => Some(format!("took {} s", took.as_secs())),
            _ if peak > MOST => Some(format!("took {} MB", peak >> 20)),
            Ok(_) => None,
        };
        if let Some(fault) = fault {
            let kept = kept(name, from + count, &input, true);
            panic!("{name} {}: {fault}\n{kept}", from + count);
        }
        taken += u64::from(outcome == Ok(true));
        count += 1;
    }
    watch.end();
    println!(
        "{name}: {count} inputs, {taken} taken; the slowest took {:.2} s, the largest {} MB",
        slowest.as_secs_f64(),
        largest >> 20
    );
    assert!(count > 0);
}

/// Where an input is kept, once it has shown a defect, or its beginning.
fn kept(name: &str, n: u64, input: &[u8], keep: bool) -> String {
    if !keep {
        return String::from_utf8_lossy(&input[..input.len().min(2000)]).into_owned();
    }
    let folder = Path::new(env!("CARGO_TARGET_TMPDIR")).join("fuzz");
    std::fs::create_dir_all(&folder).expect("scratch space");
    let file = folder.join(format!("{name}-{n}"));
    std::fs::write(&file, input).expect("scratch space");
    file.display().to_string()
}

/// The files in a folder of the project, in order.
fn files(folder: &str) -> Vec<(PathBuf, Vec<u8>)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let entries = std::fs::read_dir(&folder).expect("a folder of the project");
    let mut paths: Vec<PathBuf> = entries.map(|entry| entry.expect("a file").path()).collect();
    paths.sort();
    let read = |path: PathBuf| Some((path.clone(), std::fs::read(path).ok()?));
    paths.into_iter().filter_map(read).collect()
}

/// Small files alone: what damage does to one is soon tried.
fn small(files: Vec<(PathBuf, Vec<u8>)>) -> Vec<Vec<u8>> {
    let contents = files.into_iter().map(|(_, bytes)| bytes);
    contents.filter(|bytes| bytes.len() < 20_000).collect()
}
