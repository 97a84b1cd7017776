//! Instructions of the time integration of thirteen bundled models, counted by callgrind and compared with `counts.tsv`.
//!
//! `tests/instructions` compares, `tests/instructions --write "REASON"` writes the counts that have changed with that
//! reason. The counts do not depend on what else the machine does. They do depend on the compiler, which the file names.
//!
//! The program calls itself under valgrind, once for each model. Only [`counted_steps`] is counted: no reading of the
//! file, no start, no outputs.

mod record;

use std::path::PathBuf;
use std::process::{Command, ExitCode};
use std::sync::Mutex;

use coulisse::model::Model;
use coulisse::solve::Stepper;
use coulisse::start::start;
use coulisse::system::{State, System};
use record::{Record, Row};

/// Bundled models and the simulated time that is counted from their start, s: about 0.1 s of computing for each,
/// which valgrind makes fifty times as long.
const MODELS: [(&str, f64); 13] = [
    // Rigid and flexible members, one slider with friction.
    ("quick_return", 0.2),
    // Plane solids.
    ("quick_return_solid", 0.002),
    // Frames with a moving load: the path goes on from element to element.
    ("vehicle_on_bridge", 0.05),
    // A long frame, ground motion, sliders on curved paths.
    ("isolated_building_frame", 3.0),
    // The same building on isolators of plane solids, whose sliders follow their faces in many nodes.
    ("isolated_building", 0.15),
    // Two wheels on a rough road.
    ("half_car", 1.0),
    // Surface contact with friction.
    ("slider_in_guide", 0.02),
    // The same in a thousand points, of which hundreds touch.
    ("slider_in_guide_fine", 0.02),
    // Surface contact of members that both bend.
    ("telescope", 0.2),
    // A rigid slider-crank with gas force and friction in its hinges.
    ("compressor", 0.2),
    // Gears.
    ("press", 1.2),
    // Impacts: a slider with clearance.
    ("slider_crank_with_clearance", 0.01),
    // A solid from a file of Gmsh that slides on a rail.
    ("bracket_on_rail", 0.1),
];

/// A count may grow by this share. The same program gives the same counts; code that has nothing to do with a step may
/// change a little how the compiler inlines it.
const LARGEST_GROWTH: f64 = 0.02;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let done = match arguments[..] {
        [] => compare(),
        ["--write", reason] if !reason.trim().is_empty() => write(reason),
        ["--model", name] => run(name).map(|()| true),
        _ => Err("tests/instructions [--write \"REASON\"]".to_owned()),
    };
    match done {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::FAILURE,
        Err(message) => {
            eprintln!("{message}");
            ExitCode::FAILURE
        }
    }
}

/// Prints each count beside the recorded one; whether none has grown.
fn compare() -> Result<bool, String> {
    let record = Record::read()?;
    let counts = count_all()?;
    println!("{:28} {:>14} {:>14} {:>8}", "instructions", "recorded", "now", "change");
    let (mut grown, mut fallen) = (0, 0);
    for ((name, _), now) in MODELS.iter().zip(&counts) {
        let before = record.count(name);
        let change = before.map_or(f64::INFINITY, |before| *now as f64 / before as f64 - 1.0);
        let verdict = match change {
            _ if before.is_none() => "is not recorded",
            change if change > LARGEST_GROWTH => "too many",
            change if change < -LARGEST_GROWTH => "fewer",
            _ => "",
        };
        grown += usize::from(change > LARGEST_GROWTH);
        fallen += usize::from(change < -LARGEST_GROWTH);
        let before = before.map_or("-".to_owned(), |before| before.to_string());
        let line = format!("{name:28} {before:>14} {now:>14} {:+7.2}% {verdict}", 100.0 * change);
        println!("{}", line.trim_end());
    }
    if grown > 0 {
        println!(
            "\nMore than {} % above {}: mend it, or record it with tests/instructions --write \"REASON\".{}",
            100.0 * LARGEST_GROWTH,
            Record::SHOWN,
            record.other_compiler()?
        );
    }
    if fallen > 0 {
        println!("\nFewer than recorded; keep that by tests/instructions --write \"REASON\".");
    }
    // As the programs of cargo end, so that tests/parts.sh counts it.
    println!(
        "\ntest result: {}. {} passed; {grown} failed; 0 ignored",
        if grown == 0 { "ok" } else { "FAILED" },
        MODELS.len() - grown
    );
    Ok(grown == 0)
}

/// Records the counts, with a reason for those that differ by more than is allowed.
fn write(reason: &str) -> Result<bool, String> {
    let before = Record::read().unwrap_or_default();
    let counts = count_all()?;
    let rows = MODELS.iter().zip(counts).map(|((name, time), count)| {
        let old = before.rows.iter().find(|row| row.model == *name);
        let same = old.filter(|old| {
            old.time == *time && (count as f64 / old.count as f64 - 1.0).abs() <= LARGEST_GROWTH
        });
        same.cloned().unwrap_or_else(|| Row {
            model: (*name).to_owned(),
            time: *time,
            count,
            reason: reason.trim().replace(['\t', '\n'], " "),
        })
    });
    Record::of(rows.collect())?.write()?;
    println!("written: {}", Record::SHOWN);
    Ok(true)
}

/// Counts of all models in their order, as many at a time as there are cores.
fn count_all() -> Result<Vec<u64>, String> {
    let next = Mutex::new(0..MODELS.len());
    let counts = Mutex::new(vec![Ok(0); MODELS.len()]);
    let lock = "no thread panics";
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(1, |n| n.get()) {
            scope.spawn(|| {
                while let Some(k) = { next.lock().expect(lock).next() } {
                    let found = count(MODELS[k].0);
                    counts.lock().expect(lock)[k] = found;
                }
            });
        }
    });
    counts.into_inner().expect(lock).into_iter().collect()
}

/// Instructions of the counted steps of a model.
fn count(model: &str) -> Result<u64, String> {
    let program = std::env::current_exe().map_err(|error| error.to_string())?;
    let done = Command::new("valgrind")
        .args([
            "--tool=callgrind",
            "--callgrind-out-file=/dev/null",
            "--toggle-collect=*counted_steps*",
        ])
        .arg(program)
        .args(["--model", model])
        // Where memory lies must not depend on the shell.
        .env_clear()
        .env("PATH", std::env::var_os("PATH").unwrap_or_default())
        .output()
        .map_err(|error| format!("valgrind: {error} (Debian: apt-get install valgrind)"))?;
    let said = String::from_utf8_lossy(&done.stderr);
    let collected = said.lines().find_map(|line| {
        let (_, count) = line.split_once("Collected : ")?;
        count.trim().parse().ok()
    });
    collected
        .filter(|count| *count > 0 && done.status.success())
        .ok_or_else(|| format!("{model}: {}\n{said}", done.status))
}

/// What runs under valgrind.
fn run(name: &str) -> Result<(), String> {
    let (_, time) = *MODELS
        .iter()
        .find(|(known, _)| *known == name)
        .ok_or_else(|| format!("no model `{name}`"))?;
    let folder = PathBuf::from(concat!(env!("CARGO_MANIFEST_DIR"), "/../../resources/models"));
    let data = |file: &str| std::fs::read_to_string(folder.join(file));
    let coarse = name.strip_suffix("_fine");
    let file = format!("{}.toml", coarse.unwrap_or(name));
    let mut text = data(&file).map_err(|error| format!("{file}: {error}"))?;
    if coarse.is_some() {
        text = text.replacen("cells = [8, 20]", "cells = [2, 250]", 1);
    }
    let checked = Model::parse(&text, &file, &data)
        .and_then(|model| model.check())
        .map_err(|faults| faults.to_string())?;
    let system = System::build(&checked).map_err(|fault| fault.to_string())?;
    let inputs: Vec<f64> = checked.inputs.iter().map(|input| input.start).collect();
    let mut state = start(&system, &inputs).map_err(|fault| fault.to_string())?;
    let mut stepper = Stepper::new(&system);
    let step = checked.experiment.communication_step;
    let steps = (time / step).round() as u32;
    counted_steps(&mut stepper, &system, &mut state, step, steps)
}

/// Communication steps from the start. Valgrind knows it by its name.
#[inline(never)]
fn counted_steps(
    stepper: &mut Stepper, system: &System, state: &mut State, step: f64, steps: u32,
) -> Result<(), String> {
    for i in 0..steps {
        stepper
            .advance(system, state, f64::from(i) * step, step)
            .map_err(|fault| fault.to_string())?;
    }
    Ok(())
}
