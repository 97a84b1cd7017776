//! Slopes between runs on both sides of one, extrapolated to no distance.
//!
//! With the slope D(ε) = [Φ(ε) − Φ(−ε)]/2ε between two neighbours, and again with a quarter of ε, D(ε/4) + [D(ε/4) − D(ε)]/15 is of fourth order. What both
//! differ by shows what is not smooth, or drowns in rounding.

use super::runner::Runner;
use crate::message::rounded;
use crate::system::{State, System};

/// The largest ε, relative to the number.
const STEP: f64 = 1.0 / (1 << 10) as f64;

/// By what ε is divided from one size to the next, and how many sizes there are.
const SMALLER: f64 = 0.25;
pub(super) const SIZES: usize = 12;

/// The largest move of a neighbour from the run, relative to the mechanism's size and to its largest velocity.
const MOVE: f64 = 1e-3;

/// Difference of the slopes of two sizes, relative to their largest, with which no smaller size is needed, and up to which one counts.
const ENOUGH: f64 = 1e-7;
const LIMIT: f64 = 1e-6;

/// Rounding of a step: of positions relative to the mechanism's size, which velocities divide by the step.
const ROUNDING: f64 = 1e-13;

/// ε of a place in the ladder, relative to the number.
pub(super) fn share(place: usize) -> f64 {
    STEP * SMALLER.powi(place as i32)
}

/// The neighbours with a larger and a smaller number.
#[derive(Debug)]
pub(super) struct Sides {
    pub both: Box<[Runner; 2]>,
    /// By how much the number differs.
    pub by: [f64; 2],
}

/// Slopes between both sides of a run.
pub(super) struct Slopes {
    pub state: State,
    pub outputs: Vec<f64>,
    /// Half the difference of the slopes to both sides, of positions and velocities.
    bend: [f64; 2],
}

impl Sides {
    /// Confirms that both are on the sequence of the run.
    ///
    /// # Errors
    /// Where they are not.
    pub fn confirm(&self, run: &Runner) -> Result<(), String> {
        if self.both.iter().any(|side| side.sequence != run.sequence) {
            return Err(format!(
                "before t = {} s neighbours of the run have another sequence of events: a contact or stop grazes there, or events meet at one instant",
                rounded(run.state.time, 10)
            ));
        }
        Ok(())
    }

    /// Their slopes where `run` is.
    ///
    /// # Errors
    /// Where they are not on the sequence of the run.
    pub fn slopes(&self, run: &Runner) -> Result<Slopes, String> {
        self.confirm(run)?;
        let [larger, smaller] = self.both.each_ref().map(|side| &side.state);
        let [above, below] = self.by;
        let over = above - below;
        let mut state = run.state.clone();
        state.become_slope([larger, smaller], over);
        let read = |side: &Runner| {
            let outputs = side.system.model.outputs.iter();
            outputs.map(|output| side.system.read(&side.state, output.output)).collect::<Vec<_>>()
        };
        let [more, less] = self.both.each_ref().map(read);
        let outputs = more.iter().zip(&less).map(|(more, less)| (more - less) / over).collect();
        let [mut right, mut left] = [(); 2].map(|()| run.state.clone());
        right.become_slope([larger, &run.state], above);
        left.become_slope([smaller, &run.state], below);
        let bend = apart(&run.system, &right, &left).map(|apart| 0.5 * apart);
        Ok(Slopes { state, outputs, bend })
    }
}

/// The largest differences of positions and of velocities, relative to the mechanism's size.
fn apart(system: &System, one: &State, other: &State) -> [f64; 2] {
    let mut largest = [0.0_f64; 2];
    for u in 0..one.q.len() {
        let scale = system.scale(u);
        let both = [one.q.way(u, &other.q), one.velocity[u] - other.velocity[u]];
        for (most, off) in largest.iter_mut().zip(both) {
            *most = most.max(off.abs() / scale);
        }
    }
    largest
}

/// Slopes for ever smaller ε from the `first` place on, extrapolated once two of them agree. `size` is what ε is relative to.
///
/// # Errors
/// Why there are none.
pub(super) fn settle(
    run: &Runner, first: usize, size: f64, mut slopes: impl FnMut(usize) -> Result<Slopes, String>,
) -> Result<(State, Vec<f64>), String> {
    let system = &run.system;
    let mut still = run.state.clone();
    still.become_slope([&run.state; 2], 1.0);
    let step = system.model.solver.step;
    let rounding = [ROUNDING, ROUNDING / step].map(|rounding| rounding / (STEP * size));
    let (mut last, mut reason): (Option<Slopes>, _) = (None, None);
    let mut extrapolation: Option<State> = None;
    let mut best: Option<(f64, State, Vec<f64>)> = None;
    for place in first..SIZES {
        let now = slopes(place).map_err(|why| reason = Some(why)).ok();
        if let (Some(before), Some(now)) = (&last, &now) {
            let sizes = apart(system, &now.state, &still);
            let off = apart(system, &now.state, &before.state);
            // Where the slopes of three sizes are there, their extrapolations show what is left behind the second order.
            let state = extrapolated(before, now);
            let again = extrapolation.as_ref().map(|last| apart(system, &state, last));
            let again = again.unwrap_or([f64::INFINITY; 2]);
            let error = (0..2).fold(0.0_f64, |most, k| {
                // A kink bends as much with a smaller ε, curvature less.
                let kink = (4.0 * now.bend[k] - before.bend[k]).max(0.0) / 3.0;
                most.max(off[k].min(again[k]).max(kink) / (sizes[k] + rounding[k] / ENOUGH))
            });
            if best.as_ref().is_none_or(|(least, ..)| error < *least) {
                best = Some((error, state.clone(), outputs(before, now)));
            }
            extrapolation = Some(state);
            if error <= ENOUGH {
                break;
            }
        }
        if now.is_none() {
            extrapolation = None;
        }
        last = now;
    }
    match best {
        Some((error, state, outputs)) if error <= LIMIT => Ok((state, outputs)),
        _ => Err(reason.unwrap_or_else(|| {
            format!(
                "before t = {} s the run has a kink, or rounding hides its derivatives",
                rounded(run.state.time, 10)
            )
        })),
    }
}

/// The slope of fourth order from that with some ε and with a quarter of it.
fn extrapolated(wide: &Slopes, near: &Slopes) -> State {
    let mut state = near.state.clone();
    state.shift_by(1.0 / 15.0, &near.state);
    state.shift_by(-1.0 / 15.0, &wide.state);
    state
}

fn outputs(wide: &Slopes, near: &Slopes) -> Vec<f64> {
    let both = wide.outputs.iter().zip(&near.outputs);
    both.map(|(wide, near)| near + (near - wide) / 15.0).collect()
}

/// The first place in the ladder with which neighbours stay near the run in a step of `length` (s) from `state`, where they move by the change `by`.
pub(super) fn first_place(
    system: &System, state: &State, by: &State, length: f64, size: f64,
) -> usize {
    let largest = |of: &[f64]| {
        let each = of.iter().enumerate().map(|(u, x)| x.abs() / system.scale(u));
        each.fold(0.0_f64, f64::max)
    };
    let speed = largest(&state.velocity).max(MOVE / length);
    let spread = size * largest(&by.q).max(largest(&by.velocity) / speed);
    (0..SIZES - 2).find(|place| share(*place) * spread <= MOVE).unwrap_or(SIZES - 2)
}
