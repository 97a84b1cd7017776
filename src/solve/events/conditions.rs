//! How far the sliders of a step are beyond the conditions under which it was solved.

use super::search::{NEARLY, Search};
use crate::checked::PathEnds;
use crate::joints::regime::{End, Regime};
use crate::joints::slider::Kinematics;
use crate::newton::Newton;
use crate::numerics::positions::Position;
use crate::solve::tolerances::{LENGTH_ROUNDING, NO_PULL};
use crate::system::{Along, Constraint, Iterate, NO_GAP, Slider, State, System};

impl Slider {
    /// How far `s` is beyond an end of its path, m.
    pub(super) fn beyond_end(&self, end: End, s: Position) -> f64 {
        end.outward() * s.displacement_from(self.path.end(end))
    }

    /// The end of its path that is nearer to `s`.
    pub(super) fn end_near(&self, s: f64) -> End {
        if 2.0 * s < self.path.length() { End::First } else { End::Last }
    }

    /// The same where there is a stop.
    pub(super) fn stop_near(&self, s: f64) -> Option<End> {
        Some(self.end_near(s)).filter(|end| self.ends.stops_at(*end))
    }

    /// Whether it leaves its path at the ends.
    pub(crate) fn leaves(&self) -> bool {
        self.ends == PathEnds::Leave
    }

    /// What of a length is rounding, m.
    pub(crate) fn rounding(&self) -> f64 {
        LENGTH_ROUNDING * self.path.length()
    }

    /// How far beyond its transition the slider is: above 0 where it has passed.
    pub(crate) fn beyond(&self, at: &Iterate, k: impl Fn() -> Kinematics, velocity: f64) -> f64 {
        let own = &at.sliders[self.index];
        match (own.constraint, own.along) {
            (Constraint::Path, Along::Slip(sense)) => -sense.sign() * velocity,
            (Constraint::Path, Along::Stick) => self.static_load(at, &k()).overload(),
            _ => -1.0,
        }
    }
}

impl Search {
    /// A part of a step begins at `state`.
    pub fn begin(&mut self, system: &System, state: &State) {
        let all = self.sliders.iter_mut().zip(&state.sliders);
        for (j, (tried, own)) in all.enumerate() {
            tried.regime = own.regime;
            // Where it has opened a little early its gap is below 0, by the third power of the step, for a
            // while; that is no touch-down. What has been in the air touches down where its gap vanishes.
            let flies = own.regime.is_open()
                && system.sliders[j].gap(&state.q) > LENGTH_ROUNDING * system.size;
            tried.hardly = own.regime.is_open() && !flies;
            tried.depth = match own.regime {
                Regime::Passed => f64::INFINITY,
                _ => system.size * if flies { LENGTH_ROUNDING } else { NO_GAP },
            };
            tried.outside = own.regime.is_open() && system.sliders[j].is_beyond_an_end(&state.q);
        }
    }

    /// Looks at the end of a step, whose solution is in the iterate of `newton`.
    pub fn look_at_end(&mut self, system: &System, newton: &Newton) {
        let all = self.sliders.iter_mut().zip(&newton.at.sliders);
        for (j, (tried, own)) in all.enumerate() {
            tried.kink = system.sliders[j].kink_passed(&newton.at);
            let [friction, contact, stop, kink] = &mut tried.excess;
            (friction.sharp, kink.sharp) = (false, true);
            contact.sharp = own.constraint == Constraint::Open;
            stop.sharp = own.constraint == Constraint::Path;
        }
        self.measure(system, newton, None);
        let mut nearly = self.nearly;
        for excess in self.all_mut() {
            nearly |= excess.now.abs() < NEARLY * (excess.now - excess.over).abs();
            excess.over = excess.now;
        }
        self.nearly = nearly;
        if self.any() {
            for (j, own) in newton.at.sliders.iter().enumerate() {
                let k = system.sliders.place_in(j, &newton.at);
                self.sliders[j].pull = k.tangential_force(&own.multipliers);
            }
        }
    }

    /// Finds how far beyond its conditions each slider is in the iterate, or where it begins with the velocities of a state.
    pub fn measure(&mut self, system: &System, newton: &Newton, velocities: Option<&[f64]>) {
        let (at, scale) = (&newton.at, newton.work.force_scale);
        let all = system.sliders.iter().zip(&mut self.sliders);
        for (j, (slider, tried)) in all.enumerate() {
            let own = &at.sliders[j];
            let place = at.q.get(slider.coordinate);
            let s = place.rounded;
            let k = || system.sliders.place_in(j, at);
            let velocity = velocities.map_or(own.velocity.at(place), |v| v[slider.coordinate]);
            let friction = slider.beyond(at, k, velocity);
            let contact = if own.constraint == Constraint::Open {
                if tried.outside && system.sliders[j].is_beyond_an_end(&at.q) {
                    -1.0
                } else {
                    -system.sliders[j].gap(&at.q) - tried.depth
                }
            } else {
                system.sliders[j].beyond_contact(at, scale)
            };
            let near = slider.end_near(s);
            let stop = match own.constraint {
                // How much it pulls back, beyond what is rounding.
                Constraint::Stop(end) => {
                    -end.outward() * k().tangential_force(&own.multipliers) - NO_PULL * scale
                }
                Constraint::Path if slider.leaves() || slider.ends.stops_at(near) => {
                    slider.beyond_end(near, place) - slider.rounding()
                }
                _ => -1.0,
            };
            let kink = (tried.kink).map_or(-1.0, |kink| kink.beyond(s) + slider.rounding());
            let all = tried.excess.iter_mut().zip([friction, contact, stop, kink]);
            all.for_each(|(excess, now)| excess.now = now);
        }
    }
}
