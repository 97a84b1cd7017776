//! Tables whose curve leaves the range of their values.

use coulisse::joints::roughness::Profile;
use coulisse::laws::transmission::Transmission;
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::history::{History, Interpolation, MotionLaw, Spline};

/// Share of the range of its values by which a curve may leave it before that is worth a word: a sine with eight values per period rises 4 %
/// of its range above them.
const OUTSIDE: f64 = 0.05;

/// Curves that swing beyond their values, and those that run on beyond their last one.
pub(super) fn leaving_their_range(model: &Checked) -> Vec<String> {
    let loads = model
        .loads
        .iter()
        .map(|load| (&load.name, &load.factors.history));
    let line_loads = model
        .line_loads
        .iter()
        .map(|load| (&load.name, &load.factors.history));
    let loads = loads
        .chain(line_loads)
        .map(|(name, history)| (format!("loads.{name}"), history));
    let motions = model.motions.iter().filter_map(|motion| match &motion.law {
        MotionLaw::Scaled { history, .. } => Some((format!("motions.{}", motion.name), history)),
        _ => None,
    });
    let mut lines = Vec::new();
    for (path, history) in loads.chain(motions) {
        let History::Table(curve, interpolation) = history else {
            continue;
        };
        let path = format!("{path}.history.table");
        if *interpolation == Interpolation::Smooth {
            let instead = "`interpolation = \"monotone\"`, \"linear\" or, for a load, \"step\" stays between them";
            lines.extend(overshoot(&path, curve, ["t", "s"], instead));
        }
        let hold = "`beyond = \"hold\"` keeps the end values";
        lines.extend(runs_on(
            &path,
            curve,
            model.experiment.stop_time,
            ["t", "s"],
            hold,
        ));
    }
    let more = "take more points where it bends";
    for coupling in &model.couplings {
        for driver in &coupling.drivers {
            if let Transmission::Table { curve, .. } = &driver.law {
                let path = format!("couplings.{}.drivers.table", coupling.name);
                let unit = if driver.coordinate.turns() {
                    "rad"
                } else {
                    "m"
                };
                lines.extend(overshoot(&path, curve, ["driver", unit], more));
            }
        }
    }
    for (_, slider) in model.sliders_of_joints() {
        if let Some(Profile::Table(curve)) = slider.roughness.as_ref().map(|r| &r.profile) {
            let path = format!("joints.{}.roughness.table", slider.name);
            lines.extend(overshoot(&path, curve, ["s", "m"], more));
            let parts = slider.path.iter();
            let length = parts.map(|p| model.length_of_carrier(p.carrier)).sum();
            let whole = "give it the heights of the whole path";
            lines.extend(runs_on(&path, curve, length, ["s", "m"], whole));
        }
    }
    lines
}

/// Whether `value` is outside of the range of a curve's values by more than may be.
fn is_outside(curve: &Spline, value: f64) -> bool {
    let [least, largest] = curve.range();
    (value - largest).max(least - value) > OUTSIDE * (largest - least)
}

fn range(curve: &Spline) -> String {
    let [least, largest] = curve.range().map(|y| rounded(y, 6));
    format!("from {least} to {largest}")
}

fn overshoot(path: &str, curve: &Spline, [what, unit]: [&str; 2], instead: &str) -> Option<String> {
    let [x, y] = curve.overshoot().filter(|[_, y]| is_outside(curve, *y))?;
    Some(format!(
        "{path}: the smooth curve through its values, which go {}, reaches {} at {what} = {} {unit}; {instead}",
        range(curve),
        rounded(y, 3),
        rounded(x, 4),
    ))
}

/// Records that begin when the experiment has ended.
pub(super) fn too_late(model: &Checked) -> Vec<String> {
    let stop = model.experiment.stop_time;
    let motions = model.motions.iter().filter_map(|motion| match motion.law {
        MotionLaw::Record { start, .. } if start >= stop => Some((&motion.name, start)),
        _ => None,
    });
    motions
        .map(|(name, start)| {
            format!(
                "motions.{name}.record begins at {} s, when the experiment has ended ({} s); write a longer experiment.stop_time or a smaller `start`",
                rounded(start, 6),
                rounded(stop, 6)
            )
        })
        .collect()
}

/// A table that ends before the experiment or the path does and goes on as a straight line.
fn runs_on(
    path: &str,
    curve: &Spline,
    stop: f64,
    [what, unit]: [&str; 2],
    cure: &str,
) -> Option<String> {
    let knots = curve.knots();
    let [first, last] = [knots[0], knots[knots.len() - 1]];
    let outside = |t: f64| !(first..=last).contains(&t) && is_outside(curve, curve.at(t)[0]);
    let t = [0.0, stop].into_iter().find(|&t| outside(t))?;
    Some(format!(
        "{path} goes from {} to {} {unit}, and as a straight line to {} at {what} = {} {unit}, where its values go {}; {cure}",
        rounded(first, 6),
        rounded(last, 6),
        rounded(curve.at(t)[0], 3),
        rounded(t, 6),
        range(curve),
    ))
}
