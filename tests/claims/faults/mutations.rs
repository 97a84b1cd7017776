//! Model files with random damage: whatever comes of one, it is words or finite numbers, soon and
//! with little memory.
//!
//! Some thousands of them run with the other tests. The long run is
//! `COULISSE_MUTATIONS=200000 cargo test --release --test claims damaged -- --nocapture`, which
//! prints how many there were and what came of them. `COULISSE_MUTATIONS_FROM` begins at a later one.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use super::counting;
use super::damage::{Chance, damaged};
use crate::common::life::{self, Life};
use crate::common::watch::Watch;

/// Damaged files where nobody says how many.
const FEW: u64 = 4000;
/// The short run ends when this is used up.
const BUDGET: Duration = Duration::from_secs(20);
/// The most memory that one file may hold at a time, bytes: a model of the most elements of one
/// member takes half of it.
const MOST: i64 = 1 << 30;

/// What came of the damaged files.
#[derive(Debug, Default)]
struct Tally {
    refused: u64,
    lived: u64,
    slowest: Duration,
    largest: i64,
}

/// A file that serves as a seed, with its text.
struct Seed {
    file: PathBuf,
    text: String,
}

/// Slow: some hundred models, each damaged in many ways.
#[test]
fn a_damaged_model_never_panics_and_never_gives_a_number_that_is_none() {
    let number = |name: &str| std::env::var(name).ok().and_then(|n| n.parse::<u64>().ok());
    let asked = number("COULISSE_MUTATIONS");
    let from = number("COULISSE_MUTATIONS_FROM").unwrap_or(0);
    let seeds = seeds();
    let began = Instant::now();
    let watched = Watch::new();
    let (mut tally, mut count) = (Tally::default(), 0);
    for n in from..from + asked.unwrap_or(FEW) {
        if asked.is_none() && began.elapsed() > BUDGET {
            break;
        }
        let mut chance = Chance::new(n);
        let seed = &seeds[chance.below(seeds.len())];
        let text = damaged(&seed.text, &seeds[chance.below(seeds.len())].text, &mut chance);
        watched.begin(format!("mutation {n}, of {}\n{text}", seed.file.display()));
        live(n, seed, &text, &mut tally);
        count += 1;
    }
    watched.end();
    println!(
        "{count} mutated model files: {} refused with words, {} checked, built, started and stepped; \
         no panic; the slowest took {:.1} s, the largest {} MB",
        tally.refused,
        tally.lived,
        tally.slowest.as_secs_f64(),
        tally.largest >> 20
    );
    // Damage that is always fatal, or never, would test nothing.
    assert!(tally.lived > 20 && tally.refused > 20, "{tally:?}");
}

/// One damaged file from its text to its first steps.
fn live(n: u64, seed: &Seed, text: &str, tally: &mut Tally) {
    let what = || format!("mutation {n}, of {}", seed.file.display());
    let began = Instant::now();
    let (peak, life) = counting::peak(|| life::short(|| life::parse_beside(&seed.file, text)));
    tally.slowest = tally.slowest.max(began.elapsed());
    tally.largest = tally.largest.max(peak);
    assert!(peak <= MOST, "{}: {} MB\n{text}", what(), peak >> 20);
    match life {
        Life::Panicked(panic) => panic!("{}: {panic}\n{text}", what()),
        Life::Refused(message) => {
            tally.refused += 1;
            assert!(!message.trim().is_empty(), "{}\n{text}", what());
            assert!(!message.contains("of NaN"), "{}: {message}\n{text}", what());
            let odd = message.chars().find(|c| c.is_control() && *c != '\n');
            assert!(odd.is_none(), "{}: {message:?}\n{text}", what());
            // A fault has its place, its words and a list of at most a dozen names.
            let longest = message.lines().map(|line| line.chars().count()).max();
            assert!(longest.unwrap_or(0) < 1500, "{}: {message}", what());
        }
        Life::Lived(outputs) => {
            tally.lived += 1;
            for (path, value) in outputs {
                assert!(value.is_finite(), "{}: {path} = {value}\n{text}", what());
            }
        }
    }
}

/// The bundled models, the wrong models of the tests and those of the tests that run.
fn seeds() -> Vec<Seed> {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let folders = ["resources/models", "tests/faults", "tests/models"];
    let files = folders.iter().flat_map(|f| super::models_in(&root.join(f)));
    let read = |file: PathBuf| Some(Seed { text: std::fs::read_to_string(&file).ok()?, file });
    files.filter_map(read).collect()
}
