//! One random mechanism: what its run shows of energy, friction and contact.

use std::sync::Arc;

use coulisse::fmu::Blueprint;
use coulisse::model::Model;
use coulisse::start::start;
use coulisse::system::{State, System};

use crate::common::{self, Simulation};
use crate::energy_watch;

/// Roundings of the largest energy that a balance may gather, as the watch over it counts them.
const ROUNDINGS: f64 = 1e6;

/// Steps after which a run is taken up anew from what was saved in its middle.
const AGAIN: usize = 20;

/// What a run has shown.
#[derive(Debug, Clone, Default)]
pub struct Run {
    /// The largest of all energies of the motion, J.
    pub largest: f64,
    /// Error of the energy balance as a share of that: the most, and at the end.
    pub worst: f64,
    pub end: f64,
    /// The largest change of that error in one step, and which step that was.
    pub jump: (f64, usize),
    /// The most that friction has given in one step, J.
    pub given: f64,
    /// Energy of rounding errors, J.
    pub noise: f64,
    /// The largest force that pulls at a contact that can open, as a share of the largest that presses.
    pub pull: f64,
    /// The deepest that a slider is in a path that it can leave, m.
    pub depth: f64,
    /// The most that the time integration has made since the start, as a share of the largest energy.
    pub made: f64,
    pub rejections: f64,
    pub steps: usize,
    /// Changes between sticking, sliding, stops and flight.
    pub transitions: u64,
    /// Why it ended before.
    pub fault: Option<String>,
    /// A value that is no number, or a saved state that goes on otherwise.
    pub broken: Option<String>,
}

/// Why a model does not start.
#[derive(Debug, Clone)]
pub enum Refused {
    Checked(String),
    Started(String),
}

/// A communication step is as long as the solver's of the file; the solver's own may be a part of it.
pub fn run(text: &str, parts: f64, steps: usize, again: bool) -> Result<Run, Refused> {
    let mut checked = common::check(text, &[]).map_err(Refused::Checked)?;
    let h = checked.solver.step;
    checked.solver.step /= parts;
    if std::env::var("COULISSE_FRICTIONLESS").is_ok() {
        for slider in &mut checked.sliders {
            slider.friction = coulisse::laws::friction::Friction::None;
        }
    }
    let system = System::build(&checked).map_err(|fault| Refused::Started(fault.to_string()))?;
    start(&system, &[]).map_err(|fault| Refused::Started(fault.to_string()))?;
    let mut sim = Simulation::built(&checked);
    let mut seen = Seen::new(&sim);
    let mut run = Run::default();
    for i in 0..steps {
        if let Err(fault) = sim.try_step(i as f64 * h, h) {
            run.fault = Some(fault);
            break;
        }
        run.steps += 1;
        seen.look(&sim, &mut run);
        if run.broken.is_some() {
            break;
        }
        if again && i == steps / 2 && !goes_on(&checked, &sim, h) {
            run.broken = Some("goes on otherwise from a saved state".into());
        }
    }
    seen.close(&sim, &mut run);
    Ok(run)
}

/// Whether a copy of the mechanism goes on from a saved state with the same bits.
fn goes_on(checked: &coulisse::model::Checked, sim: &Simulation, h: f64) -> bool {
    let bytes = postcard::to_stdvec(&sim.state).expect("bytes");
    let mut both = [0, 1].map(|_| Simulation::built(checked));
    let [one, other] = &mut both;
    one.state = sim.state.clone();
    // Another solver has seen other steps before.
    let _ = one.try_step(sim.state.time, h);
    one.state = sim.state.clone();
    other.state = State {
        tuning: sim.state.tuning.clone(),
        ..postcard::from_bytes(&bytes).expect("a state")
    };
    (0..AGAIN).all(|i| {
        let t = sim.state.time + i as f64 * h;
        let ended = both.each_mut().map(|sim| sim.try_step(t, h));
        ended[0] == ended[1] && both[0].state == both[1].state
    })
}

/// What was seen of a run until now.
struct Seen {
    /// What friction of each joint has dissipated, J.
    dissipated: Vec<f64>,
    /// The largest error of the balance that is none of rounding, J, and the last.
    error: f64,
    last: f64,
    /// The error at the last look, J.
    before: f64,
    /// The most that the time integration has made, J.
    made: f64,
    /// N.
    pressed: f64,
    pulled: f64,
}

impl Seen {
    fn new(sim: &Simulation) -> Seen {
        Seen {
            dissipated: dissipated(sim),
            error: 0.0,
            last: 0.0,
            before: 0.0,
            made: 0.0,
            pressed: 0.0,
            pulled: 0.0,
        }
    }

    fn look(&mut self, sim: &Simulation, run: &mut Run) {
        let state = &sim.state;
        let all = [&state.q[..], &state.velocity, &state.acceleration];
        if !all.into_iter().flatten().all(|x| x.is_finite()) {
            run.broken = Some("a state that is no number".into());
            return;
        }
        let energy = |name: &str| sim.get(&format!("energy.{name}"));
        let names = [
            "kinetic",
            "strain",
            "input_work",
            "friction_work",
            "damping_work",
            "impact_loss",
            "numerical_dissipation",
        ];
        let largest = names.iter().fold(0.0_f64, |most, name| most.max(energy(name).abs()));
        run.largest = run.largest.max(largest);
        let rounding =
            f64::EPSILON * largest.max(state.energy.start.abs()).max(energy("potential").abs());
        run.noise = run.noise.max(sim.noise()).max(rounding);
        let signed = energy("balance");
        let error = signed.abs();
        let jump = (signed - self.before).abs();
        self.before = signed;
        if jump > run.jump.0 {
            run.jump = (jump, run.steps);
        }
        self.last = if error > (ROUNDINGS * rounding).max(sim.noise()) { error } else { 0.0 };
        self.error = self.error.max(self.last);
        let made = -energy("numerical_dissipation");
        if made > sim.unsolved() {
            self.made = self.made.max(made);
        }
        let now = dissipated(sim);
        for (now, before) in now.iter().zip(&self.dissipated) {
            run.given = run.given.max(before - now);
        }
        self.dissipated = now;
        for (j, slider) in sim.system.model().sliders.iter().enumerate() {
            let Some(side) = slider.side else { continue };
            let force = side.sign() * common::signed_normal_force(sim, j);
            self.pulled = self.pulled.max(force);
            self.pressed = self.pressed.max(-force);
            run.depth = run.depth.max(-sim.get(&format!("joints.{}.gap", slider.name)));
        }
        if !error.is_finite() || !largest.is_finite() {
            run.broken = Some("an energy that is no number".into());
        }
    }

    fn close(&self, sim: &Simulation, run: &mut Run) {
        let share = |energy: f64| {
            if energy > 0.0 { energy / run.largest } else { 0.0 }
        };
        run.worst = share(self.error);
        run.end = share(self.last);
        run.jump.0 = share(run.jump.0);
        run.made = share(self.made);
        run.pull = if self.pulled > 0.0 { self.pulled / self.pressed } else { 0.0 };
        run.rejections = sim.get("solver.rejections");
        run.transitions = sim.state.journal.iter().map(|joint| joint.transitions).sum();
    }
}

/// What friction of each joint has dissipated without what its bristles hold, J.
fn dissipated(sim: &Simulation) -> Vec<f64> {
    let journal = sim.state.journal.iter();
    journal.map(|joint| joint.work - joint.stored).collect()
}

/// Whether an FMU of the model tells a host that something is doubtful.
pub fn warns(text: &str, steps: usize) -> bool {
    let model = Model::parse(text, "model.toml", &common::data).expect("a model");
    let h = common::check(text, &[]).expect("a model").solver.step;
    let blueprint = Arc::new(Blueprint::of(model).expect("a blueprint"));
    let (_, _, heard) = energy_watch::run(blueprint, h, (steps as f64 - 0.5) * h);
    !heard.is_empty()
}
