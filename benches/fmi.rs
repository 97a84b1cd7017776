//! Cost of the C interface, and of saving and restoring: `cargo bench --bench fmi`.
//!
//! The quick return with friction by its `System` and `Stepper` alone, as `coulisse run` drives a
//! model file (an `Instance` in safe Rust), and through the exported C functions of the library that
//! an FMU carries; all read every output after every communication step. They take turns, and of
//! each communication step the shortest time of all rounds counts, because other work on the machine
//! only ever adds.
//!
//! The library's machine code is not the benchmark's: cargo optimises across crates in programs,
//! but not in a library that is built for Rust and for C at once. An FMU costs what the last column
//! says all the same. `-- memory` prints what instances hold in memory, and nothing else.

#[allow(dead_code)]
#[path = "../tests/claims/common/mod.rs"]
mod common;
#[path = "../tests/counting/mod.rs"]
mod counting;
#[path = "fmi/memory.rs"]
mod memory;
#[path = "fmi/unit.rs"]
mod unit;

use std::hint::black_box;
use std::time::Instant;

use common::Simulation;
use common::rig::{self, Rig};
use coulisse::fmu::{Blueprint, Call, Instance, Status};
use coulisse::model::Model;
use unit::Unit;

#[global_allocator]
static ALLOCATOR: counting::Counting = counting::Counting;

/// The solver step of `quick_return.toml`, s.
const SOLVER_STEP: f64 = 1e-4;

/// From the slow stroke through its turn: sticking and sliding, s.
const END: f64 = 0.1;

const ROUNDS: usize = 30;

/// Least time of each communication step so far, s.
struct Least(Vec<f64>);

impl Least {
    fn new(steps: usize) -> Least {
        Least(vec![f64::INFINITY; steps])
    }

    /// Takes the time of every communication step of one round.
    fn round(&mut self, mut step: impl FnMut(usize)) {
        for (i, least) in self.0.iter_mut().enumerate() {
            let clock = Instant::now();
            step(i);
            *least = least.min(clock.elapsed().as_secs_f64());
        }
    }

    fn sum(&self) -> f64 {
        self.0.iter().sum()
    }
}

/// Seconds for one of `count` repetitions, the least of [`ROUNDS`].
fn least_of(count: usize, mut action: impl FnMut()) -> f64 {
    let mut least = f64::INFINITY;
    for _ in 0..ROUNDS {
        let clock = Instant::now();
        (0..count).for_each(|_| action());
        least = least.min(clock.elapsed().as_secs_f64() / count as f64);
    }
    least
}

/// Prints one communication step's length; returns the time of a solver step alone, s.
fn way_through_c(unit: &Unit, text: &str, length: f64) -> f64 {
    let steps = (END / length).round() as usize;
    let mut direct = Simulation::of(text);
    let outputs: Vec<_> =
        (direct.system.model().outputs.iter()).map(|output| output.output).collect();
    let (mut run, _) = Rig::started(&rig::blueprint(text), &[]);
    let references = run.outputs();
    let (begin, snapshot, state) = (direct.state.clone(), run.save(), unit.save());
    let [mut alone, mut by_run, mut through_c] = [(); 3].map(|()| Least::new(steps));
    let (mut values, mut read) = (vec![0.0; outputs.len()], unit.outputs());
    for _ in 0..ROUNDS {
        direct.state.copy_from(&begin);
        alone.round(|i| {
            let done = direct.try_step(i as f64 * length, length);
            done.unwrap_or_else(|fault| panic!("{fault}"));
            for (value, output) in values.iter_mut().zip(&outputs) {
                *value = direct.system.read(&direct.state, *output);
            }
            black_box(&values);
        });
        run.restore(&snapshot);
        by_run.round(|i| {
            let now = i as f64 * length;
            let instance = &mut run.0;
            let step = |instance: &mut Instance| instance.do_step(now, length);
            assert_eq!(instance.perform(Call::DoStep, step), Status::Ok);
            for (kind, references) in &references {
                let get = |instance: &mut Instance| {
                    instance.get(*kind, references, |_, x| {
                        black_box(x);
                    })
                };
                assert_eq!(instance.perform(Call::GetReal, get), Status::Ok);
            }
        });
        unit.restore(state);
        through_c.round(|i| {
            unit.step(i as f64 * length, length);
            unit.read(&mut read);
            black_box(&read);
        });
    }
    let same = |value: &f64| read.all().any(|other| other == *value);
    assert!(values.iter().all(same), "all ways lead to the same bits");
    unit.restore(state);
    unit.free(state);
    let [alone, by_run, through_c] =
        [alone, by_run, through_c].map(|least| least.sum() / steps as f64);
    let more = |other: f64| 100.0 * (through_c / other - 1.0);
    println!(
        "{:>8.1} {:>10.2} {:>10.2} {:>10.2} {:>13.2} % {:>11.2} %",
        1e3 * length,
        1e6 * alone,
        1e6 * by_run,
        1e6 * through_c,
        more(by_run),
        more(alone)
    );
    alone * SOLVER_STEP / length
}

/// Saves and restores in the middle of the run.
fn states(unit: &Unit, solver_step: f64) {
    for i in 0..50 {
        unit.step(i as f64 * 1e-3, 1e-3);
    }
    let state = unit.save();
    let memory = least_of(1000, || {
        unit.save_into(state);
        unit.restore(state);
    });
    let mut size = 0;
    let bytes = least_of(100, || {
        let bytes = unit.bytes(state);
        size = bytes.len();
        let read = unit.state_of(&bytes);
        unit.restore(read);
        unit.free(read);
    });
    unit.free(state);
    println!("\n{:>44} {:>9} {:>14}", "", "µs", "solver steps");
    let line = |what: &str, seconds: f64| {
        let share = seconds / solver_step;
        println!("{what:>44} {:9.2} {share:14.3}", 1e6 * seconds);
    };
    line("one solver step", solver_step);
    line("save and restore", memory);
    line(&format!("save as {size} bytes, read and restore"), bytes);
}

/// A communication step of the Rabinowicz test with an input set before and an output read after it, for whole solver steps.
fn small_model() {
    let text = common::bundled("rabinowicz");
    let interface = rig::blueprint(&text);
    let find = |name: &str| interface.interface().find(name).expect("a variable");
    let (load, place) = (find("loads.normal.fy"), find("points.block.x"));
    println!("\nRabinowicz, an input set and an output read, µs");
    for solver_steps in [1, 10] {
        let unit = Unit::new(&text);
        let length = f64::from(solver_steps) * 1e-3;
        let mut step = 0;
        let least = least_of(100, || {
            unit.set(load, -196.2);
            unit.step(f64::from(step) * length, length);
            step += 1;
            black_box(unit.get_one(place));
        });
        println!("{solver_steps:>24} solver steps {:>8.2}", 1e6 * least);
    }
}

/// What an instance costs before its first call: reading, checking and building its model.
fn instantiation() {
    println!("instantiation, ms, the least of ten");
    for name in ["quick_return", "moving_mass_on_bridge", "vehicle_on_bridge"] {
        let text = common::bundled(name);
        let least = (0..10).map(|_| {
            let clock = Instant::now();
            let none =
                |name: &str| Err::<String, _>(std::io::Error::other(format!("no file {name}")));
            let model = Model::parse(&text, name, &none).expect("bundled");
            let blueprint = Blueprint::of(model).expect("bundled");
            black_box(blueprint.built().expect("bundled"));
            clock.elapsed().as_secs_f64()
        });
        let least = least.fold(f64::INFINITY, f64::min);
        println!("{name:>24} {:>8.2}", 1e3 * least);
    }
    println!();
}

fn main() {
    memory::table();
    if std::env::args().any(|argument| argument == "memory") {
        return;
    }
    instantiation();
    let text = common::bundled("quick_return");
    let unit = Unit::new(&text);
    println!(
        "quick return, {} outputs, the first {END} s, solver step {SOLVER_STEP} s",
        unit.outputs().all().count()
    );
    println!("communication step, µs of work for each");
    println!(
        "{:>8} {:>10} {:>10} {:>10} {:>15} {:>13}",
        "ms", "alone", "as run", "through C", "C over run", "C over alone"
    );
    way_through_c(&unit, &text, 1e-2);
    let solver_step = way_through_c(&unit, &text, 1e-3);
    way_through_c(&unit, &text, SOLVER_STEP);
    states(&unit, solver_step);
    small_model();
}
