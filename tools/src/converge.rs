//! `coulisse converge`: what halved steps and meshes twice as fine change, and with which order.

use std::path::PathBuf;

use anyhow::{Result, bail};
use clap::Args;
use coulisse::fmu::Blueprint;
use coulisse::message::figure;

use crate::convergence::{self, Asked, Plan, Ran, Study, What};
use crate::run::{self, Settings, Subject, Value};
use crate::{assignment, files, print, report, several};

#[derive(Args)]
pub struct Request {
    /// Model file (TOML).
    model: PathBuf,
    /// Refine only one of both.
    #[arg(long, value_enum)]
    only: Option<What>,
    /// How often the step is halved and the mesh refined.
    #[arg(long, value_name = "N", default_value_t = 2, allow_hyphen_values = true, value_parser = crate::whole)]
    finer: usize,
    /// How often the step is doubled and the mesh coarsened.
    #[arg(long, value_name = "N", default_value_t = 1, allow_hyphen_values = true, value_parser = crate::whole)]
    coarser: usize,
    /// Accuracy wanted in all outputs, as a fraction of their ranges.
    #[arg(long, value_name = "SHARE", default_value_t = 0.01, allow_hyphen_values = true)]
    accuracy: f64,
    /// Set a number of the file; may be repeated.
    #[arg(long, value_name = "NAME=VALUE", value_parser = assignment)]
    set: Vec<Value>,
    /// End of the simulation, s; the model's own unless given.
    #[arg(long, value_name = "T", allow_hyphen_values = true)]
    stop: Option<f64>,
    /// Only rows from this time on count, s: without a transient.
    #[arg(
        long,
        value_name = "T",
        default_value_t = 0.0,
        hide_default_value = true,
        allow_hyphen_values = true
    )]
    from: f64,
    /// Only these outputs count, separated by commas; a name that ends in * stands for all that begin so.
    #[arg(long, value_name = "NAMES", value_delimiter = ',')]
    outputs: Vec<String>,
    /// Write the changes here as CSV.
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,
    /// Draw the changes here over step and mesh, both axes logarithmic.
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
}

/// Runs and prints what `request` asks for.
///
/// # Errors
/// When the model has faults or does not run as it is, or a file cannot be written.
pub fn perform(request: &Request) -> Result<()> {
    if run::is_fmu(&request.model) {
        bail!(
            "{}: an FMU; allowed: a model file (TOML), whose step and mesh can be refined",
            request.model.display()
        );
    }
    let results = [&request.output, &request.svg].into_iter().flatten();
    files::may_write(results, &[&request.model])?;
    if !(request.accuracy > 0.0 && request.accuracy.is_finite()) {
        bail!("--accuracy is {}; allowed: above 0", figure(request.accuracy));
    }
    let model = run::with_values(run::model(&request.model)?, &request.set)?;
    let blueprint = Blueprint::of(model)?;
    let (model, checked) = (blueprint.model(), blueprint.checked());
    let wanted = |what: &What| request.only.is_none_or(|only| only == *what);
    let asked = Asked {
        finer: request.finer,
        coarser: request.coarser,
        stop: request.stop,
        from: request.from,
        outputs: &request.outputs,
    };
    let studies = [What::Step, What::Mesh].into_iter().filter(wanted);
    let studies = studies.map(|what| study(Plan::of(model, checked, what, &asked)?, &asked));
    let studies = studies.collect::<Result<Vec<Study>>>()?;
    if let Some(file) = &request.output {
        files::write(file, &convergence::csv(&studies)?)?;
    }
    if let Some(file) = &request.svg {
        files::write(file, convergence::drawn(&studies).as_bytes())?;
    }
    print(&convergence::text(&studies, request.accuracy))
}

/// Makes the runs of a plan.
fn study(plan: Plan<'_>, asked: &Asked<'_>) -> Result<Study> {
    let ran = several::all(plan.len(), |k| simulated(&plan, k, asked));
    let own = |k: usize, ran: &Ran| if plan.is_coarser(k) { Vec::new() } else { ran.1.clone() };
    let warnings: Vec<Vec<String>> = ran.iter().enumerate().map(|(k, ran)| own(k, ran)).collect();
    for line in report::of_runs(warnings.iter().map(Vec::as_slice), |k| plan.name(k)) {
        eprintln!("{line}");
    }
    plan.study(ran.into_iter().map(|(results, _)| results))
}

/// Run `k` of a plan, and what it warns of.
fn simulated(plan: &Plan<'_>, k: usize, asked: &Asked<'_>) -> Ran {
    let mut warnings = Vec::new();
    let mut run = || {
        let mut subject = Subject::of(plan.blueprint(k)?)?;
        let settings = Settings {
            stop: asked.stop,
            step: Some(plan.step(&subject.description)),
            from: asked.from,
            quiet: true,
            ..Settings::default()
        };
        let outcome = subject.run(&settings);
        warnings = std::mem::take(&mut subject.warnings);
        let outcome = outcome?;
        outcome.failure.map_or(Ok(outcome.results), Err)
    };
    (run(), warnings)
}
