//! From one equilibrium to the next.

use super::corrector::{Corrector, NotConnected, Place};
use super::gauge::{Gauge, Metric};
use super::slides::Breakaway;
use crate::checked::statics::{Branch, Control, Scaled, StaticPath};
use crate::message::rounded;
use crate::start::initial::initial_in_place;
use crate::system::{RigidMotions, Scaling, State, System, SystemFault};

/// Displacement relative to the mechanism's size that is rounding, if all of the way went on as it begins.
const STILL: f64 = 1e-9;

/// A step is given up at this share of the first one.
const SHORTEST: f64 = 1e-7;

/// In steps this many times longer than the shortest, special points are located separately, and in shorter ones a path that bends has a corner.
const SHORT: f64 = 1e3;

/// With fewer iterations the next step is longer, with more it is shorter.
const ITERATIONS: f64 = 7.0;

/// A step may lead this many times as far as was meant.
const FARTHER: f64 = 2.0;

/// Least cosine between the tangents of two points.
const LEAST_COSINE: f64 = 0.9;

/// Share of the factor in the tangent below which the path does not change the loads.
const SLIDES: f64 = 1e-6;

/// What is special about a point of a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Station {
    Start,
    Along,
    /// The factor turns back.
    Limit,
    /// Other equilibria branch off; so many motions lose or win their stiffness.
    Bifurcation {
        motions: u32,
    },
    /// The first point on the other branch.
    Branch,
}

/// An equilibrium on a path.
#[derive(Debug, Clone, Copy)]
pub struct Point<'a> {
    /// With the number of [unstable motions](State::unstable_modes).
    pub state: &'a State,
    pub factor: f64,
    pub station: Station,
}

/// Why a path ends.
#[derive(Debug, Clone, PartialEq)]
pub enum Ended {
    /// The path has come to the last value asked for.
    Reached,
    /// The path has as many points as it may.
    Points,
    /// No step leads on; the text says why and what to try.
    Stuck(String),
}

/// Follows the equilibria of `system` along `path`, with the values `inputs` of its inputs, and
/// hands every point to `each`.
///
/// # Errors
/// When there is no equilibrium to begin with, contacts can open or motions end.
pub fn follow(
    system: &System, inputs: &[f64], path: &StaticPath, each: &mut dyn FnMut(Point<'_>),
) -> Result<Ended, SystemFault> {
    if let Some(slider) = system.model.sliders.iter().find(|s| s.side.is_some()) {
        return Err(SystemFault(format!(
            "{}: a path of equilibria does not follow contacts that open and close; make it \
             `contact = \"bilateral\"`, or follow it in time with `analysis = \"quasi_static\"`",
            slider.name
        )));
    }
    if let Some(motion) = system.model.motions.iter().find(|m| m.release.is_some()) {
        return Err(SystemFault(format!(
            "motions.{}: a path of equilibria knows no time at which a motion ends; leave its \
             `release` out",
            motion.name
        )));
    }
    let mut trace = Trace::begin(system, inputs, path)?;
    trace.tell(each, Station::Start);
    let mut points = 1;
    let mut switch = path.switch;
    loop {
        if points >= path.points {
            return Ok(Ended::Points);
        }
        match trace.advance(&mut switch, each) {
            Next::Point => points += 1,
            Next::Last => return Ok(Ended::Reached),
            Next::None(why) => return Ok(Ended::Stuck(why)),
        }
    }
}

/// What measures a step from `here`.
fn gauge<'a>(path: &StaticPath, here: &'a Place, metric: &'a Metric) -> Gauge<'a> {
    match (path.control, &path.quantity) {
        (Control::ArcLength, _) => Gauge::Along {
            direction: &here.tangent,
            origin: &here.state.q,
            factor: here.factor,
            metric,
        },
        (Control::Displacement, Some(steered)) => Gauge::Quantity(steered.output),
        _ => Gauge::Factor,
    }
}

enum Next {
    Point,
    Last,
    None(String),
}

struct Trace<'a> {
    system: &'a System,
    path: &'a StaticPath,
    corrector: Corrector<'a>,
    here: Place,
    /// Step of the controlled value.
    step: f64,
    shortest: f64,
}

impl<'a> Trace<'a> {
    fn begin(
        system: &'a System, inputs: &[f64], path: &'a StaticPath,
    ) -> Result<Trace<'a>, SystemFault> {
        let mut corrector = Corrector::new(system, inputs, path);
        let mut state = initial_in_place(system, inputs, &mut corrector.newton)?;
        corrector.settle(&mut state, path.fixed_sliders)?;
        state.scaling = Scaling::of(&path.scaled);
        let factor = corrector.first_factor(&state);
        let first = |corrector: &mut Corrector<'_>| {
            corrector.put(&state, factor);
            let place = corrector.place(None, &state);
            let place = place.ok().filter(|_| corrector.is_regular());
            place.ok_or_else(|| {
                let mobility = RigidMotions::of(system).in_statics()
                    .map_or(String::new(), |motion| {
                        format!(": the mechanism has a rigid-body mode, in which {motion}")
                    });
                let moved = path.scaled.iter().find_map(|scaled| match *scaled {
                    Scaled::Motion(m) if factor != 0.0 => Some(&system.model.motions[m].name),
                    _ => None,
                });
                let begins = moved.map_or(String::new(), |name| {
                    format!(
                        "; the path begins where the file has `motions.{name}`, which leads there in one go: write 0 there, from \
                         where the path follows it"
                    )
                });
                SystemFault(format!(
                    "no path begins at the factor {factor}: the tangent stiffness is singular \
                     there{mobility}; support it, or let a constant load or gravity give it stiffness{begins}"
                ))
            })
        };
        let here = first(&mut corrector)?;
        // The factor counts as much as the unknowns do at the start, or, where none of them moves, its way as the
        // mechanism's size.
        let metric = &mut corrector.metric;
        let moved = metric.of_unknowns(&here.tangent.q, &here.tangent.q).sqrt();
        let by_factor = moved / here.tangent.factor.abs();
        let way = (path.to - factor).abs();
        metric.factor =
            if by_factor * way > STILL { by_factor } else { 1.0 / way.max(f64::MIN_POSITIVE) };
        let mut here = first(&mut corrector)?;
        let mut trace =
            Trace { system, path, step: 0.0, shortest: 0.0, corrector, here: here.clone() };
        let (value, rate) = trace.controlled();
        if path.control == Control::Displacement && rate == 0.0 {
            return Err(SystemFault(
                "the quantity of displacement control does not move with the loads at the start; \
                 choose one that does"
                    .into(),
            ));
        }
        let way = match path.control {
            Control::ArcLength => path.to - factor,
            Control::Load | Control::Displacement => path.to - value,
        };
        if path.control == Control::ArcLength && way < 0.0 {
            here.tangent.scale(-1.0);
        }
        let first = path.first_step.unwrap_or(StaticPath::FIRST_STEP * way.abs());
        trace.step = match path.control {
            Control::ArcLength => first / here.tangent.factor.abs(),
            Control::Load | Control::Displacement => first,
        };
        trace.shortest = SHORTEST * trace.step;
        trace.here = here;
        Ok(trace)
    }

    fn tell(&self, each: &mut dyn FnMut(Point<'_>), station: Station) {
        each(Point { state: &self.here.state, factor: self.here.factor, station });
    }

    /// The controlled value here and its rate along the tangent.
    fn controlled(&mut self) -> (f64, f64) {
        match self.path.control {
            Control::ArcLength => (0.0, 1.0),
            Control::Load => (self.here.factor, self.here.tangent.factor),
            Control::Displacement => {
                let metric = self.corrector.metric.clone();
                self.corrector.rate(&gauge(self.path, &self.here, &metric), &self.here)
            }
        }
    }

    /// The next point, or what ends the path.
    fn advance(&mut self, switch: &mut Option<Branch>, each: &mut dyn FnMut(Point<'_>)) -> Next {
        let (value, rate) = self.controlled();
        let arc = self.path.control == Control::ArcLength;
        let way = self.path.to - value;
        if !arc && way == 0.0 {
            return Next::Last;
        }
        let direction = if arc { 1.0 } else { way.signum() };
        let reach = self.path.largest_move / self.system.size_of(&self.here.tangent);
        let mut step = self.step.min(reach * rate.abs());
        loop {
            if step < self.shortest || !step.is_finite() {
                return Next::None(self.stuck());
            }
            // No crumb is left over for a last step.
            let last = !arc && 1.001 * step >= way.abs();
            let target = match (arc, last) {
                (true, _) => step,
                (false, true) => self.path.to,
                (false, false) => value + direction * step,
            };
            match self.attempt(value, target, rate) {
                Ok((iterations, place)) => {
                    self.step = step * (ITERATIONS / iterations as f64).clamp(0.5, 2.0);
                    let arrived = self.arrive(place, [value, target], last, switch, each);
                    if let Ok(next) = arrived {
                        return next;
                    }
                }
                Err(Some(why)) => return Next::None(why),
                Err(None) => {}
            }
            step *= 0.5;
        }
    }

    /// Solves for the place with the controlled value `target`; where a shorter step is no help
    /// either, the error says why.
    fn attempt(
        &mut self, value: f64, target: f64, rate: f64,
    ) -> Result<(usize, Place), Option<String>> {
        let here = &self.here;
        let corrector = &mut self.corrector;
        corrector.put(&here.state, here.factor);
        corrector.move_along(&here.tangent, (target - value) / rate);
        let metric = corrector.metric.clone();
        let gauge = gauge(self.path, here, &metric);
        let iterations = corrector.correct(&gauge, target).map_err(|_| None)?;
        let place = (corrector.place(Some(&here.tangent), &here.state)).map_err(|_| None)?;
        let moved = self.system.largest_move(&place.state.q, &here.state.q);
        let cosine = corrector.metric.product(&here.tangent, &place.tangent);
        let short = (target - value).abs() <= SHORT * self.shortest;
        let corner = short && !here.touches().eq(place.touches());
        let bends = self.path.control == Control::ArcLength && cosine < LEAST_COSINE && !corner;
        // A limit and a bifurcation point at once would be missed.
        let twice = here.rises() != place.rises()
            && here.state.unstable_modes == place.state.unstable_modes
            && !short;
        if moved > FARTHER * self.path.largest_move || bends || twice {
            return Err(None);
        }
        if let Some(slider) = corrector.off_its_path() {
            // Steps that end before it are of no more use than the last point.
            return Err(Some(format!(
                "{} comes to the end of its path, or to its stop, at the factor {}; lengthen the path or \
                 set `ends` to \"continue\"",
                self.system.model.path_of_slider(slider),
                rounded(self.here.factor, 6)
            )));
        }
        Ok((iterations, place))
    }

    /// Tells what was passed on the way to `place`, and goes there or onto another branch.
    ///
    /// # Errors
    /// When no path leads there.
    fn arrive(
        &mut self, place: Place, values: [f64; 2], last: bool, switch: &mut Option<Branch>,
        each: &mut dyn FnMut(Point<'_>),
    ) -> Result<Next, NotConnected> {
        let here = self.here.clone();
        let metric = self.corrector.metric.clone();
        let gauge = gauge(self.path, &here, &metric);
        let (mut place, mut last) = (place, last);
        let to = self.path.to;
        let passes = (here.factor - to) * (place.factor - to) <= 0.0 && here.factor != to;
        if self.path.control == Control::ArcLength && passes {
            last = true;
            let share = (to - here.factor) / (place.factor - here.factor);
            self.corrector.put_between(&here, &place, share);
            if self.corrector.correct(&Gauge::Factor, to).is_ok()
                && let Ok(end) = self.corrector.place(Some(&here.tangent), &here.state)
            {
                place = end;
            }
        }
        let value = match self.path.control {
            Control::ArcLength => (self.corrector).rate(&gauge, &place).0,
            _ => values[1],
        };
        if self.slides_on(&place) {
            // Rounding turns the factor there and back.
            self.here = place;
            self.tell(each, Station::Along);
            return Ok(Next::None(self.stuck()));
        }
        let far = self.path.largest_move;
        let values = [values[0], value];
        for special in (self.corrector).specials(&gauge, &here, &place, values, far)? {
            each(Point {
                state: &special.before.state,
                factor: special.before.factor,
                station: special.station,
            });
            let Station::Bifurcation { .. } = special.station else {
                continue;
            };
            let Some(side) = *switch else { continue };
            let sign = if side == Branch::Plus { 1.0 } else { -1.0 };
            let Some((length, branch)) =
                self.corrector.other_branch(&special, &here.tangent, sign, far)
            else {
                return Ok(Next::None(format!(
                    "no equilibrium was found on the branch that leaves at the factor {}; try \
                     a smaller `largest_move`",
                    rounded(special.before.factor, 6)
                )));
            };
            *switch = None;
            self.here = branch;
            if self.path.control == Control::ArcLength {
                self.step = length;
            }
            self.tell(each, Station::Branch);
            return Ok(Next::Point);
        }
        self.here = place;
        self.tell(each, Station::Along);
        Ok(if last { Next::Last } else { Next::Point })
    }

    /// Whether the path goes on from a place along the sliding of a surface, which nothing resists any more.
    fn slides_on(&self, place: &Place) -> bool {
        let of_factor = self.corrector.metric.factor * place.tangent.factor.abs();
        of_factor < SLIDES && Breakaway::of(self.system, &place.state).of_surface().is_some()
    }

    fn stuck(&self) -> String {
        let factor = rounded(self.here.factor, 9);
        let breakaway = Breakaway::of(self.system, &self.here.state);
        if let Some(contact) = breakaway.of_surface() {
            let name = &self.system.model.contacts[contact].name;
            return format!(
                "contacts.{name} begins to slide at the factor {factor}: friction is at its limit at all points of its surface in \
                 contact, and no equilibrium carries more. `coulisse sliding MODEL.toml --contact {name}` computes how it slides from there on; with \
                 `--limit NAME=FROM:TO` it finds up to which value of a number of the model, like the offset of a load, the \
                 surface slides and from which on it jams"
            );
        }
        if let Some(contact) = breakaway.of_point() {
            let name = &self.system.model.contacts[contact].name;
            return format!(
                "contacts.{name} breaks away in part at the factor {factor}: a point of its surface is at its static coefficient and slides with \
                 less, so that others follow it; no equilibrium was found near. `coulisse run` computes whether and where the surface \
                 comes to rest again, `coulisse sliding MODEL.toml --contact {name}` how it slides"
            );
        }
        match self.path.control {
            Control::Load => format!(
                "no equilibrium was found beyond the factor {factor}, as at a limit point; \
                 control = \"arc_length\" goes on where the load has to fall"
            ),
            Control::Displacement => format!(
                "no equilibrium was found beyond the factor {factor}, as where the quantity of \
                 displacement control turns back; control = \"arc_length\" goes on there"
            ),
            Control::ArcLength => format!(
                "Newton's method does not converge beyond the factor {factor}, however short \
                 the step; look for a slider at a kink of its path, or for crushed members"
            ),
        }
    }
}
