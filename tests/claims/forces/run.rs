//! Runs of a model beside its truth.

use super::case::Case;
use super::integrate::Reference;
use crate::common::Simulation;
use crate::random_mechanisms::Dice;

/// Steps of a run.
#[derive(Debug, Clone, Copy)]
pub struct Steps {
    /// Of the solver, in a turn.
    pub per_turn: f64,
    pub spectral_radius: f64,
    /// A communication step over one of the solver.
    pub ratio: f64,
    /// More keys of the solver.
    pub solver: &'static str,
}

impl Steps {
    pub fn draw(dice: &mut Dice) -> Steps {
        Steps {
            per_turn: dice.scale(60.0, 300.0).round(),
            spectral_radius: dice.between(0.0, 0.95),
            ratio: dice.between(0.3, 3.7),
            solver: "",
        }
    }

    /// As many in a turn, each a communication step.
    pub fn equal(per_turn: f64, spectral_radius: f64, solver: &'static str) -> Steps {
        Steps { per_turn, spectral_radius, ratio: 1.0, solver }
    }
}

/// As many more steps as it takes until Heun's method in minimal coordinates has the forces within 0.5 % of
/// their ranges: some chains strike like whips, and no method of second order gets these with 60 steps to a
/// turn.
pub fn resolved(case: &Case, mut steps: Steps) -> Steps {
    let error = |steps: Steps| {
        let mut coarse = Reference::new(&case.truth);
        let mut reference = Reference::new(&case.truth);
        let mut seen = vec![Seen::default(); case.forces.len()];
        while coarse.time < case.duration {
            coarse.coarse_step(case.turn / steps.per_turn);
            reference.advance(coarse.time);
            let (found, truth) = (coarse.now(), reference.now());
            for (force, seen) in case.forces.iter().zip(&mut seen) {
                let quantities = force.entries.iter().map(|(_, quantity)| quantity);
                seen.look(quantities.map(|q| (q.read(&found), q.read(&truth))));
            }
        }
        seen.iter().map(Seen::error).fold(0.0, f64::max)
    };
    while !case.truth.start().is_empty() && error(steps) > 0.005 {
        steps.per_turn *= 1.5;
    }
    steps
}

/// Errors of the forces of a case, each the largest over the run as a share of the force's range.
pub type Errors = Vec<f64>;

/// How a run ended: the errors, or the message of the step that failed.
pub type Outcome = Result<Errors, String>;

/// Runs a case with communication steps of equal length.
pub fn equal_steps(case: &Case, steps: Steps) -> Outcome {
    let length = steps.ratio * case.turn / steps.per_turn;
    run(case, steps, || length)
}

/// Runs a case with steps of random lengths: again and again two steps in up to 16 unequal parts, none
/// longer than a step and none so short that the solver extrapolates over it.
pub fn divided_steps(case: &Case, steps: Steps, dice: &mut Dice) -> Outcome {
    const LEAST: f64 = 0.102;
    let step = case.turn / steps.per_turn;
    let mut parts: Vec<f64> = Vec::new();
    run(case, steps, || {
        while parts.is_empty() {
            let shares: Vec<f64> = (0..dice.whole(2, 16)).map(|_| dice.between(0.0, 1.0)).collect();
            let count = shares.len() as f64;
            let rest = (2.0 - count * LEAST) / shares.iter().sum::<f64>();
            parts = shares.iter().map(|share| LEAST + rest * share).collect();
            if parts.iter().any(|&part| part > 1.0) {
                parts.clear();
            }
        }
        step * parts.pop().expect("a part")
    })
}

fn run(case: &Case, steps: Steps, mut length: impl FnMut() -> f64) -> Outcome {
    let step = case.turn / steps.per_turn;
    let text = case.text(step, steps.spectral_radius, steps.solver);
    let mut sim = Simulation::of(&text);
    let mut reference = Reference::new(&case.truth);
    let mut seen = vec![Seen::default(); case.forces.len()];
    loop {
        reference.advance(sim.time());
        let now = reference.now();
        for (force, seen) in case.forces.iter().zip(&mut seen) {
            let pairs = force.entries.iter();
            let pairs = pairs.map(|(path, truth)| (sim.get(path), truth.read(&now)));
            seen.look(pairs);
        }
        if sim.time() >= case.duration {
            return Ok(seen.iter().map(Seen::error).collect());
        }
        sim.try_step(sim.time(), length())?;
    }
}

/// A force as a run has shown it so far.
#[derive(Debug, Clone)]
pub struct Seen {
    least: [f64; 2],
    most: [f64; 2],
    worst: f64,
}

impl Default for Seen {
    fn default() -> Seen {
        Seen { least: [f64::INFINITY; 2], most: [f64::NEG_INFINITY; 2], worst: 0.0 }
    }
}

impl Seen {
    /// Takes the components found and true.
    pub fn look(&mut self, pairs: impl Iterator<Item = (f64, f64)>) {
        let mut square = 0.0;
        for (i, (found, truth)) in pairs.enumerate() {
            self.least[i] = self.least[i].min(truth);
            self.most[i] = self.most[i].max(truth);
            square += (found - truth).powi(2);
        }
        // `max` would hide what is not a number.
        let error = square.sqrt();
        self.worst = if error > self.worst || error.is_nan() { error } else { self.worst };
    }

    pub fn error(&self) -> f64 {
        let ranges = self.most.iter().zip(self.least).map(|(most, least)| most - least);
        self.worst / ranges.fold(0.0, f64::max)
    }
}
