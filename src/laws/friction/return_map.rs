//! How a law passes through zero velocity: from μ(|v|) to force and complete tangent.

use num_dual::Dual64;

use super::law::{Law, Surroundings};
use super::rest::{Rest, Transition};
use super::{Contact, Response};

/// Share of the limit of static friction by which a force at the limit may be beyond it: no rounding decides whether what is loaded up to its limit
/// slides.
pub const AT_LIMIT: f64 = 1e-10;

/// Which of its equations the law answers with.
#[derive(Debug, Clone, Copy)]
enum Branch {
    Stick,
    /// With the sign of the force, at |v|.
    Slide(f64),
    /// With the sign of the force, the static coefficient and no viscous part (Eq. 28).
    Yield(f64),
}

/// Dry friction of a slider that moves, without its sign, and its derivatives.
struct Dry {
    force: f64,
    by_speed: f64,
    by_normal_force: f64,
    by_position: f64,
}

impl Surroundings {
    /// What a law sees of a contact besides its speed.
    fn of(contact: &Contact) -> Surroundings {
        Surroundings {
            normal_force: Dual64::from_re(contact.normal_force),
            position: Dual64::from_re(contact.position),
            time: contact.time,
        }
    }
}

impl Dry {
    /// Where `coefficient` carries its derivative by the speed.
    fn of(
        law: &dyn Law, contact: &Contact, coefficient: impl Fn(&Surroundings) -> Dual64,
        by_others: impl Fn(&Surroundings) -> Dual64,
    ) -> Dry {
        let (at, n) = (Surroundings::of(contact), contact.normal_force);
        let mu = coefficient(&at);
        let factor = law.factor(Dual64::new(n, 1.0));
        let follows = law.follows();
        let by = |follows: bool, normal_force: f64, position: f64| {
            let normal_force = Dual64::new(n, normal_force);
            let position = Dual64::new(contact.position, position);
            let change = || by_others(&Surroundings { normal_force, position, ..at }).eps;
            if follows { change() } else { 0.0 }
        };
        Dry {
            force: mu.re * (factor.re * n),
            by_speed: mu.eps * (factor.re * n),
            by_normal_force: mu.re * (factor.re + factor.eps * n)
                + by(follows.normal_force, 1.0, 0.0) * (factor.re * n),
            by_position: by(follows.position, 0.0, 1.0) * (factor.re * n),
        }
    }

    /// Of a slider with this speed, by which it `changes` or not.
    fn sliding(law: &dyn Law, contact: &Contact, speed: f64, changes: f64) -> Dry {
        Dry::of(
            law,
            contact,
            |at| sliding(law, Dual64::new(speed, changes), at),
            |at| sliding(law, Dual64::from_re(speed), at),
        )
    }

    /// Of one that begins to move.
    fn yielding(law: &dyn Law, contact: &Contact) -> Dry {
        let still = |at: &Surroundings| Dual64::from_re(at_rest(law, at).re);
        Dry::of(law, contact, still, |at| at_rest(law, at))
    }

    /// With the sign of the force and the `viscous` part, where the speed grows with v times `forward`.
    fn response(&self, sign: f64, forward: f64, viscous: f64, velocity: f64) -> Response {
        Response {
            force: sign * self.force + viscous * velocity,
            by_velocity: sign * forward * self.by_speed + viscous,
            by_normal_force: sign * self.by_normal_force,
            by_position: sign * self.by_position,
            sticking: false,
            ..Response::default()
        }
    }
}

/// Force and tangent at `contact`.
pub(super) fn respond(law: &dyn Law, contact: &Contact) -> Response {
    let v = contact.velocity;
    let (sign, dry, viscous) = match branch(law, contact) {
        Branch::Stick => return hold(law, contact),
        Branch::Slide(sign) => (sign, Dry::sliding(law, contact, v.abs(), 1.0), law.viscous().re),
        Branch::Yield(sign) => (sign, Dry::yielding(law, contact), 0.0),
    };
    dry.response(sign, v.signum(), viscous, v)
}

/// Force and tangent of a slider that slides with the sign `direction`.
pub(super) fn slide(law: &dyn Law, contact: &Contact, direction: f64) -> Response {
    // The iterates may overshoot rest by a little.
    let forward = direction * contact.velocity > 0.0;
    let speed = if forward { contact.velocity.abs() } else { 0.0 };
    let dry = Dry::sliding(law, contact, speed, f64::from(u8::from(forward)));
    dry.response(direction, direction, law.viscous().re, contact.velocity)
}

/// The branch of rest, however large its force: F_f = T + ηv, of the printed form without the viscous part; where the law
/// creeps, its straight line through zero.
pub(super) fn hold(law: &dyn Law, contact: &Contact) -> Response {
    let v = contact.velocity;
    let viscous = if is_printed(law) { 0.0 } else { law.viscous().re };
    match law.rest() {
        Rest::Holds(transition) => Response {
            force: trial(transition, contact) + viscous * v,
            by_velocity: contact.stick_stiffness + viscous,
            by_normal_force: 0.0,
            by_resultant: 1.0,
            sticking: true,
            ..Response::default()
        },
        Rest::Creeps => {
            let n = contact.normal_force;
            let factor = law.factor(Dual64::new(n, 1.0));
            let at = Surroundings::of(contact);
            let slope = sliding(law, Dual64::new(0.0, 1.0), &at).eps;
            Response {
                force: (slope * (factor.re * n) + viscous) * v,
                by_velocity: slope * (factor.re * n) + viscous,
                // How a slope follows from the normal force or the position only helps Newton's method.
                by_normal_force: slope * (factor.re + factor.eps * n) * v,
                sticking: true,
                ..Response::default()
            }
        }
    }
}

/// The derivative part of the force of a `law` whose numbers carry one, on the branch on which it
/// has answered with `response`.
pub(super) fn change(law: &dyn Law, contact: &Contact, response: &Response) -> f64 {
    let v = contact.velocity;
    let at = Surroundings::of(contact);
    let set_valued = law.rest() == Rest::Holds(Transition::SetValued);
    let branch = if response.sticking {
        Branch::Stick
    } else if set_valued {
        Branch::Slide((response.force - law.viscous().re * v).signum())
    } else {
        branch(law, contact)
    };
    let (sign, coefficient) = match branch {
        Branch::Stick if is_printed(law) => return 0.0,
        Branch::Stick => return law.viscous().eps * v,
        Branch::Slide(sign) => (sign, sliding(law, Dual64::from_re(v.abs()), &at)),
        Branch::Yield(sign) => (sign, at_rest(law, &at)),
    };
    let dry = coefficient * law.factor(Dual64::from_re(contact.normal_force));
    let viscous = match branch {
        Branch::Slide(_) => law.viscous().eps * v,
        _ => 0.0,
    };
    sign * dry.eps * contact.normal_force + viscous
}

/// The largest force that static friction bears, N.
pub(super) fn static_force(law: &dyn Law, contact: &Contact) -> f64 {
    limit(law, contact, at_rest(law, &Surroundings::of(contact)).re)
}

/// Whether static friction does not suffice where `needed` would hold the slider.
pub(super) fn breaks_away(law: &dyn Law, needed: f64, contact: &Contact) -> bool {
    let limit = static_force(law, contact);
    needed.abs() > (1.0 + AT_LIMIT) * limit || limit == 0.0
}

fn branch(law: &dyn Law, contact: &Contact) -> Branch {
    let v = contact.velocity;
    match law.rest() {
        Rest::Creeps => Branch::Slide(v.signum()),
        Rest::Holds(Transition::SiqueiraCoda2023) => printed_form(law, contact),
        Rest::Holds(Transition::SetValued) => {
            let trial = trial(Transition::SetValued, contact);
            let at = Surroundings::of(contact);
            let limit = limit(law, contact, sliding(law, Dual64::from_re(v.abs()), &at).re);
            let rested = contact.rested && law.keeps_rest();
            // Nothing holds where nothing presses.
            if limit > 0.0 && (rested || trial.abs() <= limit) {
                Branch::Stick
            } else {
                Branch::Slide(trial.signum())
            }
        }
    }
}

/// Siqueira & Coda 2023, Eq. 28.
fn printed_form(law: &dyn Law, contact: &Contact) -> Branch {
    let (v, transition) = (contact.velocity, Transition::SiqueiraCoda2023);
    let static_force = static_force(law, contact);
    let resultant = resultant(transition, contact);
    // v₀ of Eq. 29, up to which it sticks or nearly does.
    let band = (static_force - resultant.abs()).abs() / contact.stick_stiffness;
    if v.abs() > band {
        return Branch::Slide(v.signum());
    }
    if resultant.abs() >= static_force {
        return Branch::Yield(resultant.signum());
    }
    let inside = trial(transition, contact);
    if inside.abs() <= static_force { Branch::Stick } else { Branch::Yield(inside.signum()) }
}

/// μ(|v|), 0 where the formula falls below.
pub(super) fn sliding(law: &dyn Law, speed: Dual64, at: &Surroundings) -> Dual64 {
    let coefficient = law.coefficient(speed, at);
    if coefficient.re < 0.0 { Dual64::from_re(0.0) } else { coefficient }
}

fn at_rest(law: &dyn Law, at: &Surroundings) -> Dual64 {
    law.static_coefficient().unwrap_or_else(|| sliding(law, Dual64::from_re(0.0), at))
}

fn limit(law: &dyn Law, contact: &Contact, coefficient: f64) -> f64 {
    let n = contact.normal_force;
    coefficient * (law.factor(Dual64::from_re(n)).re * n)
}

fn is_printed(law: &dyn Law) -> bool {
    law.rest() == Rest::Holds(Transition::SiqueiraCoda2023)
}

/// What friction has to stand up to: Q_s, with the slider's inertia force in the printed form.
fn resultant(transition: Transition, contact: &Contact) -> f64 {
    match transition {
        Transition::SetValued => contact.tangential_force,
        Transition::SiqueiraCoda2023 => contact.tangential_force + contact.inertia_force,
    }
}

/// T, that and (m/Δt) v.
fn trial(transition: Transition, contact: &Contact) -> f64 {
    resultant(transition, contact) + contact.stick_stiffness * contact.velocity
}
