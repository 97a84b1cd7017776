//! Tables whose curve leaves the range of their values.

use coulisse::joints::roughness::Profile;
use coulisse::laws::friction::Friction;
use coulisse::laws::transmission::Transmission;
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::{Direction, Moved, Target};
use coulisse::model::history::{History, Interpolation, MotionLaw, Spline};
use coulisse::quantity::Quantity;

use super::{GRAVITY, jams};

/// Share of the range of its values by which a curve may leave it before that is worth a word: a sine with eight values per period rises 4 %
/// of its range above them.
const OUTSIDE: f64 = 0.05;

/// Peak acceleration of ground above which a unit is in doubt, g.
const STRONGEST: f64 = 2.0;

/// All histories of loads and motions, with their paths.
pub(super) fn histories(model: &Checked) -> impl Iterator<Item = (String, &History)> {
    let loads = (model.loads.iter()).map(|load| (&load.name, &load.factors.history));
    let line_loads = (model.line_loads.iter()).map(|load| (&load.name, &load.factors.history));
    let loads = loads.chain(line_loads);
    let motions = model.motions.iter().filter_map(|motion| match &motion.law {
        MotionLaw::Scaled { history, .. } => Some((&motion.name, history)),
        _ => None,
    });
    let loads = loads.map(|(name, history)| (format!("loads.{name}.history"), history));
    loads.chain(motions.map(|(name, history)| (format!("motions.{name}.history"), history)))
}

/// Files whose heading states another unit than the model: g for a record with `unit = "m/s2"`, or one of another kind of quantity.
pub(super) fn of_other_units(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for read in &model.read {
        for column in &read.columns {
            if let (Some(stated), Some(given)) = (&column.instead_of, &column.unit) {
                let path = read.path.strip_suffix(".file").unwrap_or(&read.path);
                let key = if column.quantity == Quantity::Time { "time_unit" } else { "unit" };
                let name = column.name.trim_matches('`');
                let other = match stated.measures(column.quantity) {
                    true => String::new(),
                    false => format!(", which is no unit of {name}"),
                };
                lines.push(format!(
                    "{path}.{key} is `{}`, and `{}` states {}{other}: the numbers are taken to be in {}; leave `{key}` out if the file is right",
                    given.name, read.file, stated.name, given.name,
                ));
            }
        }
    }
    lines
}

/// Records of ground motion that are stronger than nearly all that have been measured: their unit may be another.
pub(super) fn too_strong(model: &Checked) -> Vec<String> {
    let records = model.motions.iter().filter_map(|motion| match &motion.law {
        MotionLaw::Record { ground, scale, .. } => Some((motion, ground.peaks()[2] * scale.abs())),
        _ => None,
    });
    let strong = records.filter(|(_, peak)| *peak > STRONGEST * GRAVITY);
    strong
        .map(|(motion, peak)| {
            format!(
                "motions.{}.record has a peak of {} m/s², {} g, which hardly any earthquake has; is its unit right (`unit`, or the heading of the file)?",
                motion.name,
                rounded(peak, 3),
                rounded(peak / GRAVITY, 3),
            )
        })
        .collect()
}

/// Curves that swing beyond their values, and those that run on beyond their last one.
pub(super) fn leaving_their_range(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (path, history) in histories(model) {
        let History::Table(curve, interpolation) = history else {
            continue;
        };
        let path = format!("{path}.table");
        if *interpolation == Interpolation::Smooth {
            let instead = "`interpolation = \"monotone\"`, \"linear\" or, for a load, \"step\" stays between them";
            lines.extend(overshoot(&path, curve, ["t", "s"], instead));
        }
        lines.extend(runs_on(&path, curve, model.experiment.stop_time));
    }
    let more = "take more points where it bends";
    for coupling in &model.couplings {
        for driver in &coupling.drivers {
            if let Transmission::Table { curve, .. } = &driver.law {
                let path = format!("couplings.{}.drivers.table", coupling.name);
                let unit = if driver.coordinate.turns() { "rad" } else { "m" };
                lines.extend(overshoot(&path, curve, ["driver", unit], more));
            }
        }
    }
    for (_, slider) in model.sliders_of_joints() {
        if let Some(Profile::Table(curve)) = slider.roughness.as_ref().map(|r| &r.profile) {
            let path = format!("joints.{}.roughness.table", slider.name);
            lines.extend(overshoot(&path, curve, ["s", "m"], more));
        }
    }
    lines
}

/// Friction of sliders that a motion drives faster along their path than their table of speeds reaches, or than their law is above 0.
pub(super) fn of_friction(model: &Checked) -> Vec<String> {
    let mut lines = Vec::new();
    for (_, slider) in model.sliders_of_joints() {
        let Some([along, _]) = jams::straight(model, &slider.path) else {
            continue;
        };
        let driven = model.motions.iter().filter_map(|motion| {
            let Moved::Target(Target::Point { point, .. }) = motion.moved else {
                return None;
            };
            let share = match motion.direction {
                Direction::X => along[0].abs(),
                Direction::Y => along[1].abs(),
                Direction::Rotation => 0.0,
            };
            // On a straight path the component along an axis gives the speed along the path.
            let speed = fastest(&motion.law, model.experiment.stop_time) / share;
            (point == slider.point && share > 0.5).then_some((&motion.name, speed))
        });
        for (motion, speed) in driven {
            let name = &slider.name;
            let (speed_text, most) = (rounded(speed, 3), slider.friction.largest_coefficient());
            if let Friction::Table(table) = &slider.friction
                && let (Some(&last), Some(&coefficient)) =
                    (table.velocities.last(), table.coefficients.last())
                && speed > (1.0 + OUTSIDE) * last
            {
                lines.push(format!(
                    "joints.{name}.friction.table goes to {} m/s, and motions.{motion} drives the slider at up to {speed_text} m/s, where its last coefficient, \
                     {}, is taken; give it points up to that speed",
                    rounded(last, 3),
                    rounded(coefficient, 3),
                ));
            } else if most > 0.0 && speed > 0.0 && slider.friction.characteristic(speed, 1.0) == 0.0
            {
                lines.push(format!(
                    "joints.{name}.friction decreases to 0 at the {speed_text} m/s at which motions.{motion} drives the slider: its law has left its range; give it \
                     coefficients that stay above 0 up to that speed",
                ));
            }
        }
    }
    lines
}

/// The largest rate of a motion in a run, m/s.
fn fastest(law: &MotionLaw, stop: f64) -> f64 {
    let instants = (0..=1000).map(|i| stop * f64::from(i) * 1e-3);
    match law {
        MotionLaw::Position(_) => 0.0,
        MotionLaw::Rate(rate) => rate.abs(),
        MotionLaw::Acceleration(acceleration) => acceleration.abs() * stop,
        MotionLaw::Scaled { value, history } => {
            instants.map(|t| (value * history.at(t)[1]).abs()).fold(0.0, f64::max)
        }
        MotionLaw::Record { ground, scale, .. } => (scale * ground.peaks()[1]).abs(),
    }
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

/// Records, ramps and tables that begin when the experiment has ended.
pub(super) fn too_late(model: &Checked) -> Vec<String> {
    let stop = model.experiment.stop_time;
    let motions = model.motions.iter().filter_map(|motion| match motion.law {
        MotionLaw::Record { start, .. } if start >= stop => {
            Some((format!("motions.{}.record", motion.name), start, "a smaller `start`"))
        }
        _ => None,
    });
    let histories = histories(model).filter_map(|(path, history)| match history {
        History::Ramp { start, .. } if *start >= stop => {
            Some((format!("{path}.ramp"), *start, "a smaller `start`"))
        }
        History::Table(curve, interpolation) => {
            let begin = begins(curve, *interpolation).filter(|begin| *begin >= stop)?;
            Some((format!("{path}.table"), begin, "earlier times"))
        }
        _ => None,
    });
    (motions.chain(histories))
        .map(|(path, start, earlier)| {
            format!(
                "{path} begins at {} s, when the experiment has ended ({} s); write a longer experiment.stop_time or {earlier}",
                rounded(start, 6),
                rounded(stop, 6)
            )
        })
        .collect()
}

/// The time up to which a table is 0; none where it is not at the beginning, or always.
fn begins(curve: &Spline, interpolation: Interpolation) -> Option<f64> {
    let knots = curve.knots();
    let at = curve.values().position(|value| value != 0.0)?;
    let before = at.checked_sub(1)?;
    // Before its first value a curve may go on as a straight line.
    let still = curve.at(knots[0] - 1.0)[0] == 0.0;
    still.then(|| match interpolation {
        Interpolation::Step => knots[at],
        _ => knots[before],
    })
}

/// A table that ends before the experiment does and goes on as a straight line.
fn runs_on(path: &str, curve: &Spline, stop: f64) -> Option<String> {
    let knots = curve.knots();
    let [first, last] = [knots[0], knots[knots.len() - 1]];
    let outside = |t: f64| !(first..=last).contains(&t) && is_outside(curve, curve.at(t)[0]);
    let t = [0.0, stop].into_iter().find(|&t| outside(t))?;
    Some(format!(
        "{path} goes from {} to {} s, and as a straight line to {} at t = {} s, where its values go {}; `beyond = \"hold\"` keeps the end values",
        rounded(first, 6),
        rounded(last, 6),
        rounded(curve.at(t)[0], 3),
        rounded(t, 6),
        range(curve),
    ))
}
