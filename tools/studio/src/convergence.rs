//! A study of convergence, part by part, so that a page can show how far it is and end it.

use std::sync::Arc;

use anyhow::Result;
use coulisse::fmu::Blueprint;
use coulisse_tools::convergence::{Asked, Plan, Study, What, csv, drawn, text};
use coulisse_tools::description::Description;
use coulisse_tools::host::{InProcess, Slave};
use coulisse_tools::master::{Master, Task, times};
use coulisse_tools::results::Results;
use coulisse_tools::template::sheet;

use crate::analysis::Sheet;
use crate::run::Progress;

/// Halvings and doublings, as those of `coulisse converge`.
const FINER: usize = 2;
const COARSER: usize = 1;
/// What is refined, one after the other.
const KINDS: [What; 2] = [What::Step, What::Mesh];

/// A study on its way.
pub struct Convergence {
    blueprint: Arc<Blueprint>,
    /// End of the runs, s.
    stop: f64,
    /// Runs of each kind.
    counts: [usize; KINDS.len()],
    /// Kinds that are done.
    studies: Vec<Study>,
    /// Runs of the present kind that are done.
    ran: Vec<Result<Results>>,
    current: Option<Master<Box<dyn Slave>>>,
}

fn asked(stop: f64) -> Asked<'static> {
    Asked { finer: FINER, coarser: COARSER, stop: Some(stop), from: 0.0, outputs: &[] }
}

impl Convergence {
    /// Of a model that runs until `stop`, s.
    ///
    /// # Errors
    /// None that a model without faults has.
    pub fn of(blueprint: Arc<Blueprint>, stop: f64) -> Result<Convergence> {
        let asked = asked(stop);
        let mut counts = [0; KINDS.len()];
        for (count, what) in counts.iter_mut().zip(KINDS) {
            *count = Plan::of(blueprint.model(), blueprint.checked(), what, &asked)?.len();
        }
        Ok(Convergence {
            blueprint,
            stop,
            counts,
            studies: Vec::new(),
            ran: Vec::new(),
            current: None,
        })
    }

    /// So many steps of the run that is on its way, or the begin of the next one.
    ///
    /// # Errors
    /// When a run fails that is not coarser than the file.
    pub fn advance(&mut self, steps: usize) -> Result<Progress> {
        let Some(&what) = KINDS.get(self.studies.len()) else {
            return Ok(self.progress(String::new()));
        };
        let (blueprint, asked) = (Arc::clone(&self.blueprint), asked(self.stop));
        let plan = Plan::of(blueprint.model(), blueprint.checked(), what, &asked)?;
        let k = self.ran.len();
        if k == plan.len() {
            self.studies.push(plan.study(std::mem::take(&mut self.ran))?);
            return Ok(self.progress(String::new()));
        }
        let words = plan.name(k);
        match self.current.take() {
            None => match begin(&plan, k, &asked) {
                Ok(master) => self.current = Some(master),
                Err(error) => self.ran.push(Err(error)),
            },
            Some(mut master) => match step(&mut master, steps) {
                Ok(()) if master.next().is_some() => self.current = Some(master),
                ended => self.ran.push(ended.and_then(|()| results(master))),
            },
        }
        Ok(self.progress(words))
    }

    fn progress(&self, words: String) -> Progress {
        let of = |kind: usize| self.counts.iter().take(kind).sum::<usize>();
        let part = self.current.as_ref().map_or(0.0, |master| master.time() / self.stop);
        let behind = (of(self.studies.len()) + self.ran.len()) as f64 + part;
        Progress {
            share: behind / of(KINDS.len()).max(1) as f64,
            words,
            done: self.studies.len() == KINDS.len(),
            failure: None,
            warnings: Vec::new(),
        }
    }

    /// What `coulisse converge` reports.
    ///
    /// # Errors
    /// None that a study can have.
    pub fn sheet(&self, accuracy: f64) -> Result<Sheet> {
        let name = &self.blueprint.checked().name;
        let words = text(&self.studies, accuracy);
        Ok(Sheet {
            page: sheet(name, &drawn(&self.studies), &words),
            rows: Some(csv(&self.studies)?),
        })
    }
}

/// Run `k`, started.
fn begin(plan: &Plan<'_>, k: usize, asked: &Asked<'_>) -> Result<Master<Box<dyn Slave>>> {
    let blueprint = Arc::new(plan.blueprint(k)?);
    let description = Description::of(&blueprint);
    let [stop, step] = times(&description, [asked.stop, Some(plan.step(&description))])?;
    let slave: Box<dyn Slave> = Box::new(InProcess::new(blueprint));
    let mut master = Master::new(slave, &description, &Task { stop, step, ..Task::default() })?;
    master.start(&Vec::new())?;
    Ok(master)
}

fn step(master: &mut Master<Box<dyn Slave>>, steps: usize) -> Result<()> {
    (0..steps).try_for_each(|_| master.advance(&Vec::new()))
}

/// The rows of a run that has ended.
fn results(mut master: Master<Box<dyn Slave>>) -> Result<Results> {
    master.close()?;
    let outcome = master.outcome();
    outcome.failure.map_or(Ok(outcome.results), Err)
}
