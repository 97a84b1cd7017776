//! Friction of a slider: what its law sees and answers, and the equation of s that follows.

use super::Slider;
use crate::joints::regime::{End, Sense};
use crate::joints::slider::{Kinematics, SlidingRow, contact};
use crate::laws::friction::{Contact, Response};
use crate::numerics::positions::Position;
use crate::system::{Along, Constraint, Iterate, Sliding, StaticFriction};

impl Slider {
    /// Friction and the linearised equation of s where the slider stands as `k` says, and `inertia_forces` is M q̈.
    pub fn sliding(
        &self, k: &Kinematics, at: &Iterate, inertia_forces: &[f64],
    ) -> (SlidingRow, Response) {
        let own = &at.sliders[self.index];
        let s = at.q.get(self.coordinate);
        match own.constraint {
            // Nothing depends on s: it follows when everything else is known.
            Constraint::Open => return (SlidingRow::kept_at(s, s), Response::default()),
            Constraint::Stop(end) => {
                let row =
                    SlidingRow { by_origin: 0.0, ..SlidingRow::kept_at(s, self.path.end(end)) };
                return (row, Response::default());
            }
            Constraint::Path => {}
        }
        let multipliers = &own.multipliers;
        if own.along == Along::Stick {
            let response = Response {
                force: k.force_along_surface(multipliers),
                sticking: true,
                ..Response::default()
            };
            return (SlidingRow::kept_at(s, own.before), response);
        }
        let (seen, inertia_force) = self.contact(k, at, inertia_forces);
        let law = at.tuning.friction(self.index);
        let respond = |normal_force| {
            let seen = Contact { normal_force, ..seen };
            let response = match own.along {
                Along::Free => Response::default(),
                Along::Slip(sense) => law.slide(&seen, sense.sign()),
                // Anything up to the static friction locks it, and its motion does, too.
                Along::Driven(Sense::Neither) => Response { sticking: true, ..Response::default() },
                Along::Driven(sense) => law.slide(&seen, sense.sign()),
                Along::Law | Along::Stick => self.law(&seen, at),
            };
            let by_velocity = match at.rises {
                true => response.by_velocity.max(0.0),
                false => response.by_velocity,
            };
            Response { by_velocity, ..response }
        };
        let normal = k.signed_normal_force(multipliers);
        let (pressing, response) = self.bearing.press(normal, multipliers[2], respond);
        let row = SlidingRow::with_friction(
            k,
            multipliers,
            &seen,
            &pressing,
            &response,
            inertia_force,
            own.velocity.factor,
        );
        (row, response)
    }

    /// Answer of its friction law, which may be looked for together with others'.
    fn law(&self, seen: &Contact, at: &Iterate) -> Response {
        let (law, decided) = (at.tuning.friction(self.index), &at.sliders[self.index].decided);
        let together = at.together && self.friction.bounded;
        let bounded = together.then(|| law.bounded(seen, decided.bristles.sign()));
        bounded
            .flatten()
            .unwrap_or_else(|| if decided.reverses { law.hold(seen) } else { law.respond(seen) })
    }

    /// What its friction law sees, and its inertia force as far as the law does.
    pub fn contact(
        &self, k: &Kinematics, at: &Iterate, inertia_forces: &[f64],
    ) -> (Contact, [f64; 2]) {
        let own = &at.sliders[self.index];
        let inertia_force = if self.friction.feels_inertia {
            [0, 1].map(|axis| inertia_forces[self.unknowns[axis]])
        } else {
            [0.0; 2]
        };
        let rate = own.velocity.at(at.q.get(self.coordinate));
        // Where rest is redundant with other constraints a motion may drive the slider from rest: what holds it is then as stiff as they are.
        let stick_stiffness = match own.compliance[0] {
            compliance if compliance > 0.0 && own.decided.at_rest => at.step / compliance,
            _ => self.mass / at.step,
        };
        let seen = Contact {
            step: at.step,
            memory: own.memory,
            position: at.q[self.coordinate],
            time: at.time,
            ..contact(
                k,
                &own.multipliers,
                self.bearing,
                inertia_force,
                rate,
                stick_stiffness,
                own.decided.static_friction == StaticFriction::Holds,
            )
        };
        (seen, inertia_force)
    }

    /// Whether the equation of s is not its column transposed.
    pub fn has_own_row(&self, own: &Sliding) -> bool {
        self.friction.acts || own.keeps_place()
    }

    /// s at which it stays in this step; `None` where it follows from the forces along its path.
    pub fn kept_place(&self, at: &Iterate) -> Option<Position> {
        let own = &at.sliders[self.index];
        match (own.constraint, own.along) {
            (Constraint::Open, _) => Some(at.q.get(self.coordinate)),
            (Constraint::Stop(end), _) => Some(self.path.end(end).into()),
            (Constraint::Path, Along::Stick) => Some(own.before),
            (Constraint::Path, _) => None,
        }
    }

    /// The constraints at this iterate: where the solution decides on stops, that at an end of its path begins to act where the slider is
    /// beyond, and ceases where the stop would have to pull.
    pub fn constraint_at(&self, at: &Iterate) -> Constraint {
        let own = &at.sliders[self.index];
        if !self.ends.stops() || !at.complementary {
            return own.constraint;
        }
        let (s, length) = (at.q[self.coordinate], self.path.length());
        match own.constraint {
            Constraint::Path if s > length && self.ends.stops_at(End::Last) => {
                Constraint::Stop(End::Last)
            }
            Constraint::Path if s < 0.0 && self.ends.stops_at(End::First) => {
                Constraint::Stop(End::First)
            }
            Constraint::Open | Constraint::Path => own.constraint,
            Constraint::Stop(end) => {
                let k = self.kinematics_in(at);
                let push = k.tangential_force(&own.multipliers) * end.outward();
                if push < 0.0 { Constraint::Path } else { own.constraint }
            }
        }
    }
}
