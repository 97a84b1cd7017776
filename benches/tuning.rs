//! Cost of tuning a number of a friction law before every communication step:
//! `cargo bench --bench tuning`.
//!
//! Bundled models with friction through an `Instance`, with one number set and set back by some units in
//! the last place before each communication step, and without. Both take turns, and of each step
//! the shortest time of all rounds counts. Beside it the time to instantiate and initialize, as
//! the file has it and with a fixed parameter set, which is to cost a reading of the file, no second building.

#[allow(dead_code)]
#[path = "../tests/claims/common/mod.rs"]
mod common;

use std::sync::Arc;
use std::time::Instant;

use common::edit::Edit;
use common::rig::Rig;
use coulisse::fmu::{Blueprint, Call, Instance, Kind, Status};
use coulisse::model::Model;

const ROUNDS: usize = 20;
const STEPS: usize = 50;

/// A bundled model; the numbers of its laws that are expressions as numbers, and the ones to tune.
struct Subject {
    name: &'static str,
    edits: &'static [(&'static str, &'static str)],
}

const SUBJECTS: [Subject; 6] = [
    Subject { name: "rabinowicz", edits: &[] },
    Subject { name: "incline", edits: &[] },
    Subject { name: "incline_prismatic", edits: &[] },
    Subject { name: "quick_return", edits: &[] },
    Subject {
        name: "isolated_building_frame",
        edits: &[
            ("{ coefficient = \"friction\" }", "{ coefficient = 0.06 }"),
            ("[interface]", "[interface]\nparameters = [\"joints.foot_l.friction.*\"]"),
        ],
    },
    Subject {
        name: "vehicle_on_bridge",
        edits: &[
            ("static_coefficient = \"static_friction\"", "static_coefficient = 0.4"),
            ("kinetic_coefficient = \"kinetic_friction\"", "kinetic_coefficient = 0.3"),
            ("[interface]", "[interface]\nparameters = [\"joints.front.friction.*\"]"),
        ],
    },
];

impl Subject {
    fn model(&self) -> Model {
        let text = common::bundled(self.name);
        let text = (self.edits.iter()).fold(text, |text, (from, to)| text.edit(from, to));
        let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/resources/models");
        let data = |name: &str| std::fs::read_to_string(format!("{folder}/{name}"));
        Model::parse(&text, self.name, &data).unwrap_or_else(|faults| panic!("{faults}"))
    }

    fn blueprint(&self) -> Arc<Blueprint> {
        Arc::new(Blueprint::of(self.model()).unwrap_or_else(|fault| panic!("{fault}")))
    }

    /// Seconds to instantiate and initialize, with a fixed parameter set or not.
    fn start(&self, set: bool) -> f64 {
        let model = self.model();
        let clock = Instant::now();
        let plan = Arc::new(Blueprint::of(model).unwrap_or_else(|fault| panic!("{fault}")));
        let mut rig = Rig::new(&plan);
        let fixed = (plan.checked().parameters.iter()).find(|p| p.tunable.is_none());
        if let Some(fixed) = fixed.filter(|_| set) {
            let reference = plan.interface().find(&fixed.path).expect("a variable");
            write(&mut rig, reference, fixed.value);
        }
        rig.enter();
        let exit = Instance::exit_initialization;
        let status = rig.0.perform(Call::ExitInitializationMode, exit);
        let seconds = clock.elapsed().as_secs_f64();
        assert_eq!(status, Status::Ok, "{}", self.name);
        seconds
    }
}

fn write(rig: &mut Rig, reference: u32, value: f64) {
    let set = |i: &mut Instance| i.set(Kind::Real, &[reference], |_| value);
    assert_eq!(rig.0.perform(Call::SetReal, set), Status::Ok);
}

/// Seconds of a communication step without and with tuning before it.
fn steps(subject: &Subject) -> [f64; 2] {
    let plan = subject.blueprint();
    let model = plan.checked();
    let tuned = (model.parameters.iter()).find(|p| p.tunable.is_some()).expect("a tunable number");
    let reference = plan.interface().find(&tuned.path).expect("a variable");
    let length = model.experiment.communication_step;
    let (mut rig, starts) = Rig::started(&plan, &[]);
    assert!(starts, "{}", subject.name);
    let begin = rig.save();
    let mut least = [vec![f64::INFINITY; STEPS], vec![f64::INFINITY; STEPS]];
    for _ in 0..ROUNDS {
        for (tunes, least) in least.iter_mut().enumerate() {
            rig.restore(&begin);
            for (i, least) in least.iter_mut().enumerate() {
                let now = rig.0.time();
                let clock = Instant::now();
                if tunes == 1 {
                    write(&mut rig, reference, tuned.value * (1.0 + (1 + i % 2) as f64 * 1e-14));
                }
                let status = rig.0.perform(Call::DoStep, |i| i.do_step(now, length));
                *least = least.min(clock.elapsed().as_secs_f64());
                assert_eq!(status, Status::Ok, "{}", subject.name);
            }
        }
    }
    least.map(|least| least.iter().sum::<f64>() / STEPS as f64)
}

fn main() {
    println!(
        "{:24} {:>12} {:>12} {:>10} {:>12} {:>15}",
        "", "step, µs", "tuned, µs", "more", "start, ms", "fixed set, ms"
    );
    for subject in &SUBJECTS {
        let [plain, tuned] = steps(subject);
        let least = |set: bool| (0..3).map(|_| subject.start(set)).fold(f64::INFINITY, f64::min);
        println!(
            "{:24} {:12.2} {:12.2} {:8.2} % {:12.1} {:15.1}",
            subject.name,
            1e6 * plain,
            1e6 * tuned,
            100.0 * (tuned / plain - 1.0),
            1e3 * least(false),
            1e3 * least(true)
        );
    }
}
