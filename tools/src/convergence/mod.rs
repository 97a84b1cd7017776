//! What halved steps and meshes twice as fine change, and with which order.
//!
//! The model runs with its step doubled and halved again and again, its mesh as it is, and then with the mesh coarser and finer, its
//! step as it is. Of each output y the largest change from one run to the next counts, dₖ = max |yₖ − yₖ₊₁| over all rows but one of
//! twenty, as a share of the range of y (of energies, of the largest range of any): where something jumps, it does so between other rows
//! in another run. With the order p = log₂(dₖ₋₁/dₖ) of the last two
//! changes the error of a run is about the sum of the changes behind it and dₙ/(2ᵖ − 1), what the finest run is off by itself.

mod mesh;
mod report;
mod row;

use anyhow::{Context, Result, anyhow, bail};
use clap::ValueEnum;
use coulisse::fmu::Blueprint;
use coulisse::message::figure;
use coulisse::model::Model;
use coulisse::model::checked::{Analysis, Checked, LARGEST_TOLERANCE};

pub use self::report::{csv, drawn, text};
use self::row::{Counting, Row};
use crate::description::{Description, chosen};
use crate::master::Value;
use crate::results::Results;

/// What is refined.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum What {
    Step,
    Mesh,
}

impl What {
    fn name(self) -> &'static str {
        match self {
            What::Step => "step",
            What::Mesh => "mesh",
        }
    }
}

/// What is asked of a study.
#[derive(Debug)]
pub struct Asked<'a> {
    /// How often the step is halved and the mesh refined.
    pub finer: usize,
    /// How often the step is doubled and the mesh coarsened.
    pub coarser: usize,
    /// End of the runs, s; the model's own where absent.
    pub stop: Option<f64>,
    /// Time from which rows count, s.
    pub from: f64,
    /// Outputs that count, by names that may end in `*`; all where there are none.
    pub outputs: &'a [String],
}

/// A run of a study: its rows, or why there are none, and its warnings.
pub type Ran = (Result<Results>, Vec<String>);

/// Runs of a model that are to be made for a study.
pub struct Plan<'a> {
    model: &'a Model,
    checked: &'a Checked,
    what: What,
    asked: &'a Asked<'a>,
    variants: Vec<Variant>,
    /// The study without its runs.
    begun: Study,
}

/// How a run differs from the file.
struct Variant {
    /// In words.
    size: String,
    /// log₂ of its step or mesh by the file's.
    exponent: f64,
    values: Vec<Value>,
}

/// Runs of a model that differ in step or mesh alone, the coarsest first.
pub struct Study {
    /// What is refined, in words.
    pub name: &'static str,
    /// How each differs from the file, in words.
    sizes: Vec<String>,
    /// What is set for it, in words; empty where the size says so.
    settings: Vec<String>,
    /// log₂ of the size of each by the file's.
    exponents: Vec<f64>,
    /// Which is the file's own.
    own: usize,
    rows: Vec<Row>,
    /// What could not be run.
    notes: Vec<String>,
    /// Whether there are errors that it does not see.
    is_blind: bool,
}

impl Study {
    fn of(name: &'static str) -> Study {
        Study {
            name,
            sizes: Vec::new(),
            settings: Vec::new(),
            exponents: Vec::new(),
            own: 0,
            rows: Vec::new(),
            notes: Vec::new(),
            is_blind: false,
        }
    }

    /// Step or mesh of a run, in words.
    fn shown(&self, k: usize) -> String {
        let size = format!("the {} {}", self.name, self.sizes[k]);
        match self.settings[k].as_str() {
            "" => size,
            set => format!("{set} ({size})"),
        }
    }
}

/// Most runs of a study: each takes twice as long as the one before, or longer.
const MAX_REFINEMENTS: usize = 12;

impl<'a> Plan<'a> {
    /// The runs of a model that show what its step or its mesh changes; none where nothing can be refined.
    ///
    /// # Errors
    /// When more or fewer runs are asked for than a study has.
    pub fn of(
        model: &'a Model, checked: &'a Checked, what: What, asked: &'a Asked<'a>,
    ) -> Result<Plan<'a>> {
        let Asked { finer, coarser, .. } = *asked;
        if finer < 1 || finer + coarser > MAX_REFINEMENTS {
            bail!(
                "--finer {finer} and --coarser {coarser}; allowed: at least one finer, together at most {MAX_REFINEMENTS}"
            );
        }
        let mut plan = Plan {
            model,
            checked,
            what,
            asked,
            variants: Vec::new(),
            begun: Study::of(match checked.solver.tolerance {
                Some(_) if what == What::Step => "tolerance",
                _ => what.name(),
            }),
        };
        plan.vary();
        if what == What::Mesh {
            plan.begun.notes.extend(mesh::beyond(checked));
            plan.begun.is_blind = !plan.begun.notes.is_empty();
            if plan.variants.len() < 2 {
                plan.begun.notes.push("nothing of the mesh can be refined".to_owned());
                plan.variants.clear();
            }
        }
        Ok(plan)
    }

    /// Finds how the runs differ.
    fn vary(&mut self) {
        let (checked, what) = (self.checked, self.what);
        // Errors of steps grow with the third power of their length.
        let controlled = |tolerance: f64, level: i32| tolerance * 0.125_f64.powi(level);
        // Where no larger tolerance may be given, smaller ones stand for it.
        let least = match checked.solver.tolerance.filter(|_| what == What::Step) {
            Some(given) => {
                let allowed = |level: &i32| controlled(given, *level) <= LARGEST_TOLERANCE;
                (-(self.asked.coarser as i32)..=0).find(allowed).unwrap_or(0)
            }
            None => -(self.asked.coarser as i32),
        };
        for level in (least..).take(self.asked.coarser + self.asked.finer + 1) {
            let (size, values) = match what {
                What::Step => match checked.solver.tolerance {
                    Some(given) => {
                        let tolerance = controlled(given, level);
                        (figure(tolerance), vec![("solver.tolerance".to_string(), tolerance)])
                    }
                    None => {
                        let step = checked.solver.step * 0.5_f64.powi(level);
                        let size = format!("{} s", figure(step));
                        (size, vec![("solver.step".to_string(), step)])
                    }
                },
                What::Mesh => {
                    let values = mesh::refined(self.model, checked, level);
                    (mesh::size(level, &values), values)
                }
            };
            let variant = Variant { size, exponent: -f64::from(level), values };
            // A mesh that cannot be coarser, or finer, is the same again; the file's own stays.
            if self.variants.last().is_none_or(|before| before.values != variant.values) {
                self.variants.push(variant);
            } else if let Some(last) = self.variants.last_mut().filter(|_| level <= 0) {
                *last = variant;
            }
        }
    }

    /// How many runs it has.
    pub fn len(&self) -> usize {
        self.variants.len()
    }

    /// Whether nothing can be refined.
    pub fn is_empty(&self) -> bool {
        self.variants.is_empty()
    }

    /// What run `k` is called.
    pub fn name(&self, k: usize) -> String {
        format!("{} {}", self.begun.name, self.variants[k].size)
    }

    /// Whether run `k` is coarser than the file: what it warns of is the study's doing.
    pub fn is_coarser(&self, k: usize) -> bool {
        self.variants[k].exponent > 0.0
    }

    /// The model of run `k`.
    ///
    /// # Errors
    /// When its values make no model.
    pub fn blueprint(&self, k: usize) -> Result<Blueprint> {
        let values = self.variants[k].values.iter();
        let model = values.cloned().try_fold(self.model.clone(), |model, (path, value)| {
            model.with_value(&path, value).map_err(|fault| anyhow!("{fault}"))
        })?;
        Ok(Blueprint::of(model)?)
    }

    /// Communication step of all runs, s: rows at the same instants whatever the step of the solver is.
    pub fn step(&self, description: &Description) -> f64 {
        let coarsest = self.checked.solver.step * 2.0_f64.powi(self.asked.coarser as i32);
        let stop = self.asked.stop.or(description.stop_time);
        let own = description.step_size.or(stop.map(|t| t / 500.0)).unwrap_or(coarsest);
        if own < coarsest { own * (coarsest / own).ceil() } else { own }
    }

    /// The study of its runs, which are given in their order.
    ///
    /// # Errors
    /// When a run fails that is not coarser than the file, or fewer than two are left; for a name of no output.
    pub fn study(self, runs: impl IntoIterator<Item = Result<Results>>) -> Result<Study> {
        let mut found = self.begun;
        if self.variants.is_empty() {
            return Ok(found);
        }
        let mut results: Vec<Results> = Vec::new();
        for (Variant { size, exponent, values }, run) in self.variants.into_iter().zip(runs) {
            match run {
                Ok(result) => {
                    if exponent == 0.0 {
                        found.own = results.len();
                    }
                    results.push(result);
                    found.sizes.push(size);
                    found.settings.push(match self.what {
                        What::Mesh => mesh::written(&values),
                        What::Step => String::new(),
                    });
                    found.exponents.push(exponent);
                }
                Err(error) if exponent > 0.0 => {
                    // Only what follows a failure without a gap is a row of halvings.
                    results.clear();
                    found.sizes.clear();
                    found.settings.clear();
                    found.exponents.clear();
                    found.notes.push(format!("{} {size} does not run: {error:#}", found.name));
                }
                Err(error) => return Err(error.context(format!("{} {size}", found.name))),
            }
        }
        let finest = results.last().filter(|_| results.len() > 1);
        let finest = finest.context("no two runs to compare")?;
        let own: Vec<&str> = finest.columns.iter().map(|column| column.name.as_str()).collect();
        chosen("--outputs", "output", self.asked.outputs, &own)?;
        let counts = Counting {
            is_static: self.checked.solver.analysis == Analysis::QuasiStatic,
            from: self.asked.from,
            outputs: self.asked.outputs,
        };
        found.rows = Row::all(&results, &counts);
        Ok(found)
    }
}
