//! Steps against what is driven.

use std::f64::consts::TAU;

use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{Analysis, Direction};
use coulisse::model::history::{History, MotionLaw};

/// Share by which one step may be longer than another before that is worth a word.
const LONGER: f64 = 1.0 + 1e-6;

/// Steps in a period below which a driven motion is not resolved.
const FEWEST: f64 = 10.0;

/// Steps of the solver that are longer than those of the experiment, and those longer than the run.
pub fn against_each_other(model: &Checked) -> Vec<String> {
    let (solver, experiment) = (&model.solver, &model.experiment);
    let mut lines = Vec::new();
    let communication = experiment.communication_step;
    if solver.step_is_given && solver.step > LONGER * communication {
        lines.push(format!(
            "solver.step is {} s, and every communication step of {} s ends one: the solver takes the latter; write solver.step = {} or less, or a longer \
             experiment.communication_step",
            rounded(solver.step, 6),
            rounded(communication, 6),
            rounded(communication, 6)
        ));
    }
    if communication > LONGER * experiment.stop_time {
        lines.push(format!(
            "experiment.communication_step is {} s, longer than the run of {} s (stop_time), which has a single row of results then",
            rounded(communication, 6),
            rounded(experiment.stop_time, 6)
        ));
    }
    lines
}

/// The step of a dynamic run that takes equal ones of a given length. Without a step one is found from the model, and with a tolerance steps
/// follow from their error.
fn equal_step(model: &Checked) -> Option<f64> {
    let solver = &model.solver;
    let equal = solver.step_is_given && solver.tolerance.is_none();
    (equal && solver.analysis == Analysis::Dynamic)
        .then(|| solver.step.min(model.experiment.communication_step))
}

/// Records and tables with several values in a step: what is between is skipped.
pub fn against_samples(model: &Checked) -> Vec<String> {
    let Some(step) = equal_step(model) else {
        return Vec::new();
    };
    let of_history = |history: &History| match history {
        History::Table(curve, _) => Some(typical_interval(curve.knots())),
        _ => None,
    };
    let motions = model.motions.iter().filter_map(|motion| {
        let (kind, interval) = match &motion.law {
            MotionLaw::Record { ground, .. } => ("record", ground.interval()),
            MotionLaw::Scaled { history, .. } => ("history.table", of_history(history)?),
            _ => return None,
        };
        Some((format!("motions.{}.{kind}", motion.name), interval))
    });
    let loads = (model.loads.iter()).map(|load| (&load.name, &load.factors.history));
    let line_loads = (model.line_loads.iter()).map(|load| (&load.name, &load.factors.history));
    let loads = loads.chain(line_loads).filter_map(|(name, history)| {
        Some((format!("loads.{name}.history.table"), of_history(history)?))
    });
    (motions.chain(loads))
        .filter(|(_, interval)| step > LONGER * interval)
        .map(|(path, interval)| {
            format!(
                "{path} has a value every {} s, and a step of {} s skips those between; write solver.step = {} or less",
                rounded(interval, 3),
                rounded(step, 3),
                rounded(interval, 3),
            )
        })
        .collect()
}

/// The median of the intervals between rising numbers: two that are close together make a jump.
fn typical_interval(knots: &[f64]) -> f64 {
    let mut intervals: Vec<f64> = knots.windows(2).map(|pair| pair[1] - pair[0]).collect();
    intervals.sort_by(f64::total_cmp);
    intervals[intervals.len() / 2]
}

/// Motions and loads that turn or swing in less than so many steps.
pub fn against_motions(model: &Checked) -> Vec<String> {
    let Some(step) = equal_step(model) else {
        return Vec::new();
    };
    let of_history = |history: &History| match history {
        History::Sine { frequency, .. } if *frequency != 0.0 => Some(1.0 / frequency.abs()),
        _ => None,
    };
    let motions = model.motions.iter().filter_map(|motion| {
        let turns = motion.direction == Direction::Rotation;
        let period = match &motion.law {
            MotionLaw::Rate(rate) if turns && *rate != 0.0 => Some(TAU / rate.abs()),
            MotionLaw::Scaled { history, value } if *value != 0.0 => of_history(history),
            _ => None,
        };
        Some((format!("motions.{}", motion.name), period?))
    });
    let loads = (model.loads.iter()).map(|load| (&load.name, of_history(&load.factors.history)));
    let line_loads =
        (model.line_loads.iter()).map(|load| (&load.name, of_history(&load.factors.history)));
    let loads = loads
        .chain(line_loads)
        .filter_map(|(name, period)| Some((format!("loads.{name}"), period?)));
    let too_long = (motions.chain(loads)).filter(|(_, period)| step > period / FEWEST);
    too_long
        .map(|(path, period)| {
            format!(
                "{path} has a period of {} s, and a step of {} s is more than a tenth of it; write solver.step = {} or less, and see with \
                 `coulisse converge` what it changes",
                rounded(period, 3),
                rounded(step, 3),
                rounded(period / 50.0, 1),
            )
        })
        .collect()
}
