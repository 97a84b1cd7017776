//! What the survey of random mechanisms says.

use std::collections::BTreeMap;

use super::run::{Refused, Run};
use super::survey::{Case, Outcome};

/// Share of the largest energy above which a balance, or what the time integration makes, is doubtful: a host is warned of it.
pub const DOUBTFUL: f64 = 1e-2;

/// Share of the largest energy above which a balance is open.
const OPEN: f64 = 1e-3;

/// Share above which smaller steps have to do better.
pub const IMPROVES: f64 = 1e-4;

/// Share of the largest force that a contact pulls with by rounding, and depth that is one, m.
const ROUNDING: f64 = 1e-9;

/// How many of the cases did what.
#[derive(Debug, Default)]
pub struct Tally {
    pub cases: usize,
    pub panicked: usize,
    /// By the check, or at the start.
    pub refused: usize,
    pub ran: usize,
    /// By a step that was refused, but for those past the end of a path.
    pub stopped: usize,
    pub past_the_end: usize,
    /// A number that is none, or another way from a saved state.
    pub broken: usize,
    /// Balances above [`OPEN`] and above [`DOUBTFUL`].
    pub open: usize,
    pub doubtful: usize,
    /// Those in which the time integration has made more than [`OPEN`].
    pub made: usize,
    /// Doubtful ones that no host is warned of.
    pub silent: usize,
    /// Those looked at with smaller steps, those worse with a quarter of the step, and with a sixty-fourth, too.
    pub again: usize,
    pub worse: usize,
    pub stays: usize,
    /// Friction has given energy in a step.
    pub gives: usize,
    pub pulled: usize,
    pub deep: usize,
    pub changes: u64,
}

impl Tally {
    pub fn of(cases: &[Case]) -> Tally {
        let mut tally = Tally { cases: cases.len(), ..Tally::default() };
        for case in cases {
            match &case.outcome {
                Outcome::Panicked => tally.panicked += 1,
                Outcome::Refused(_) => tally.refused += 1,
                Outcome::Ran(run) => tally.count(case, run),
            }
        }
        tally
    }

    fn count(&mut self, case: &Case, run: &Run) {
        let count = |counter: &mut usize, what: bool| *counter += usize::from(what);
        self.ran += 1;
        count(&mut self.stopped, stopped(run));
        count(&mut self.past_the_end, run.fault.is_some() && !stopped(run));
        count(&mut self.broken, run.broken.is_some());
        count(&mut self.open, run.worst > OPEN);
        count(&mut self.doubtful, run.worst.max(run.made) > DOUBTFUL);
        count(&mut self.made, run.made > OPEN);
        count(&mut self.silent, is_silent(case, run));
        let better = |finer: &f64| *finer <= run.worst;
        count(&mut self.again, !case.finer.is_empty());
        count(&mut self.worse, case.finer.first().is_some_and(|finer| !better(finer)));
        count(&mut self.stays, !case.finer.is_empty() && !case.finer.iter().any(better));
        count(&mut self.gives, gives(run));
        count(&mut self.pulled, run.pull > ROUNDING);
        count(&mut self.deep, run.depth > ROUNDING);
        self.changes += run.transitions;
    }
}

/// Whether no host is warned of a doubtful energy; a step that is refused says enough.
fn is_silent(case: &Case, run: &Run) -> bool {
    case.warned == Some(false) && run.fault.is_none()
}

/// Whether friction gives more than rounding.
fn gives(run: &Run) -> bool {
    run.given > 1e-12 * run.largest + run.noise
}

/// Whether a step was refused for another reason than the end of the path.
fn stopped(run: &Run) -> bool {
    let past = |why: &String| why.contains("leaves its path") || why.contains("flies past");
    run.fault.as_ref().is_some_and(|why| !past(why))
}

/// A message with `#` for its numbers, so that the same faults are the same.
fn gist(message: &str) -> String {
    let mut text = String::new();
    for c in message.chars() {
        let number = c.is_ascii_digit() || (c == '.' && text.ends_with('#'));
        match number {
            true if text.ends_with('#') => (),
            true => text.push('#'),
            false => text.push(c),
        }
    }
    text
}

/// What is at fault with a run, in a few words.
fn faults(case: &Case, run: &Run) -> Vec<String> {
    let Run { largest, worst, end, given, pull, depth, steps, jump, .. } = run;
    let mut list: Vec<String> = run.broken.clone().into_iter().collect();
    if *worst > OPEN {
        let (size, step) = jump;
        let finer = (case.finer.first()).map_or(String::new(), |f| format!(", {f:.1e} with h/4"));
        list.push(format!(
            "balance off by {worst:.1e} of {largest:.1e} J, {end:.1e} at the end, {size:.1e} in step {step}{finer}"
        ));
    }
    if run.made > OPEN {
        let made = run.made;
        list.push(format!("the time integration makes {made:.1e} of {largest:.1e} J"));
    }
    if is_silent(case, run) {
        list.push("no host is warned".into());
    }
    if case.finer.first().is_some_and(|finer| finer > worst) {
        let finer: Vec<String> = case.finer.iter().map(|f| format!("{f:.1e}")).collect();
        list.push(format!(
            "balance off by {worst:.1e}, with h/4, h/16, h/64 by {}",
            finer.join(", ")
        ));
    }
    if gives(run) {
        list.push(format!("friction gives {given:.1e} of {largest:.1e} J"));
    }
    if *pull > ROUNDING {
        list.push(format!("pulls with {pull:.1e} of the largest force"));
    }
    if *depth > ROUNDING {
        list.push(format!("is {depth:.1e} m in its path"));
    }
    if let Some(why) = &run.fault {
        list.push(format!("after {steps} steps: {why}"));
    }
    list
}

/// Prints a line for each case with something at fault, the messages by their wording, and counts by kind.
pub fn report(cases: &[Case]) {
    let mut messages: BTreeMap<String, Vec<u64>> = BTreeMap::new();
    let mut kinds: BTreeMap<&str, [usize; 4]> = BTreeMap::new();
    for case in cases {
        let Case { seed, kind, step, .. } = case;
        let (list, message) = match &case.outcome {
            Outcome::Panicked => (vec!["panics".into()], None),
            Outcome::Refused(Refused::Checked(why)) => {
                (vec![format!("is refused: {why}")], Some(why))
            }
            Outcome::Refused(Refused::Started(why)) => {
                (vec![format!("does not start: {why}")], Some(why))
            }
            Outcome::Ran(run) => (faults(case, run), run.fault.as_ref()),
        };
        if !list.is_empty() {
            println!("{seed} {kind} h = {step:.1e} s: {}", list.join("; "));
        }
        if let Some(message) = message {
            messages.entry(gist(message)).or_default().push(*seed);
        }
        if let Outcome::Ran(run) = &case.outcome {
            let row = kinds.entry(kind).or_default();
            let is = [true, run.worst > OPEN, run.worst > DOUBTFUL, stopped(run)];
            for (counter, is) in row.iter_mut().zip(is) {
                *counter += usize::from(is);
            }
        }
    }
    println!();
    for (message, seeds) in &messages {
        let some = &seeds[..seeds.len().min(8)];
        println!("{} × {message} {some:?}", seeds.len());
    }
    println!("\nkind: runs, open, doubtful, stopped");
    for (kind, row) in &kinds {
        println!("{kind}: {row:?}");
    }
}
