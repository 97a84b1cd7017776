//! Static equilibrium at t = 0.
//!
//! Loads are put on in parts, halved where Newton's method does not follow. What loads alone hold,
//! such as a pendulum, has no stiffness to begin with: then it descends [the energy](crate::solve::statics::descent).

mod surfaces;

use super::contact_continuation::{TO_STICK, solve_by};
use crate::checked::Analysis;
use crate::checked::statics::FixedSliders;
use crate::message::rounded;
use crate::newton::{Failure, Newton, fault};
use crate::solve::tolerances::{AT_REST, LONGEST_STEP, MOST_STEPS};
use crate::start::initial::initial_in_place;
use crate::system::{
    Along, ContinuationFactors, FollowerLoad, Iterate, Prescribed, RigidMotions, State, System,
    SystemFault,
};

/// Where a static equilibrium is not found, its loads are halved down to this fraction.
const SMALLEST_LOAD: f64 = 1.0 / (1 << 30) as f64;

/// The smallest fraction of the loads where a continuation in friction and contact layers has ended before: it may slide, and then no fraction helps.
const SMALLEST_ON_SURFACES: f64 = 1.0 / (1 << 10) as f64;

/// Share of their members' stiffness below which nothing is left of what loads resist with but rounding.
const LEAST_STIFFNESS: f64 = 1e-12;

/// The static equilibrium under the loads of t = 0, motions where they begin, also of a model that
/// starts without.
///
/// # Errors
/// As [`start`](crate::start::start()); when there is none, or none is found.
pub fn equilibrium(system: &System, inputs: &[f64]) -> Result<State, SystemFault> {
    let mobility = RigidMotions::of(system).are_resisted();
    if system.model.solver.analysis == Analysis::Dynamic {
        mobility.clone()?;
    }
    let mut newton = Newton::new(system);
    let mut state = initial_in_place(system, inputs, &mut newton)?;
    let fixed_sliders = match system.model.solver.analysis {
        Analysis::QuasiStatic => None,
        Analysis::Dynamic => system.model.start.equilibrium.or(Some(FixedSliders::Friction)),
    };
    settle(system, &mut newton, &mut state, fixed_sliders)?;
    loads_resist(system, &mut newton, mobility)?;
    Ok(state)
}

/// What acts on a mechanism in statics.
#[derive(Debug, Clone)]
pub(crate) struct Acting {
    /// Forces on the nodal unknowns.
    pub external: Vec<f64>,
    /// Components of the loads along members that turn with the axis.
    pub follower_loads: Vec<FollowerLoad>,
}

impl Acting {
    /// Nothing.
    pub fn none(system: &System) -> Acting {
        Acting {
            external: vec![0.0; system.nodal],
            follower_loads: vec![[0.0; 4]; system.loads.lines.list.len()],
        }
    }

    /// What does at t = 0, where `input(i)` is the value of input i.
    pub fn at_first(system: &System, input: impl Fn(usize) -> f64) -> Acting {
        Acting::at(system, 0.0, input)
    }

    /// What does at `time` (s).
    pub fn at(system: &System, time: f64, input: impl Fn(usize) -> f64) -> Acting {
        let mut acting = Acting::none(system);
        system.loads.forces(time, &input, &mut acting.external);
        system.loads.lines.follower_loads(time, &input, &mut acting.follower_loads);
        acting
    }
}

/// Statics of a mechanism under loads.
pub(crate) struct Statics<'a> {
    pub system: &'a System,
    pub newton: &'a mut Newton,
    pub loads: &'a Acting,
    /// Which sliders are held or free; without it they have the friction of their laws.
    pub fixed_sliders: Option<FixedSliders>,
}

/// Puts `state` into equilibrium with the loads of t = 0. Sliders have the friction of their laws, or are held or free as `fixed_sliders` says.
///
/// # Errors
/// When there is none, or none is found; the message says what moves.
pub(super) fn settle(
    system: &System, newton: &mut Newton, state: &mut State, fixed_sliders: Option<FixedSliders>,
) -> Result<(), SystemFault> {
    let loads = &Acting::at_first(system, |i| state.reached[i][0]);
    Statics { system, newton, loads, fixed_sliders }.settle(state)
}

impl Statics<'_> {
    /// Puts `state` into equilibrium.
    ///
    /// # Errors
    /// When there is none, or none is found; the message says what moves.
    pub fn settle(&mut self, state: &mut State) -> Result<(), SystemFault> {
        // What begins to slide under small loads is off balance by less than the rounding of positions in stiff bodies.
        let to_rounding = self.newton.corrections.to_rounding;
        self.newton.corrections.to_rounding |= !self.system.surfaces.contacts.is_empty();
        let settled = self.settle_in_parts(state);
        self.newton.corrections.to_rounding = to_rounding;
        settled
    }

    fn settle_in_parts(&mut self, state: &mut State) -> Result<(), SystemFault> {
        let system = self.system;
        let initial = state.clone();
        // Loads that put it into equilibrium by degrees presuppose a stiffness that resists them.
        let resists = RigidMotions::of(system).in_statics().is_none();
        if resists || !system.surfaces.contacts.is_empty() {
            self.load_in_parts(state)?;
        } else {
            let none = || without_equilibrium(system, 0.0, &Failure::Diverged { iterations: 0 });
            self.descend(state).map_err(|beyond| beyond.unwrap_or_else(none))?;
        }
        if let Err(beyond) = system.stands_on_its_paths(&state.q, &state.points) {
            // One correction may jump over the equilibrium on a path to another beyond its end.
            state.copy_from(&initial);
            if !self.reaches_faces(state) {
                self.descend(state).map_err(|again| again.unwrap_or(beyond))?;
            }
        }
        if !system.surfaces.contacts.is_empty() {
            let forgets = self.reset_memory(&initial, state);
            if !forgets {
                self.put(state);
                system.residual(&self.newton.at, &mut self.newton.work);
            }
            if let Some(failure) = self.slides_away(state) {
                return Err(without_equilibrium(system, 0.0, &failure));
            }
            system.surfaces.forces_are_known(&self.newton.work)?;
            if forgets {
                self.newton.keep(system, state);
            }
        }
        self.rest_bristles(state)?;
        system.stands_on_its_paths(&state.q, &state.points)?;
        state.unstable_modes = self.newton.unstable_modes(system);
        Ok(())
    }

    /// Puts `state` into equilibrium by loads in parts, or down the energy where Newton's method does not follow the smallest of them.
    fn load_in_parts(&mut self, state: &mut State) -> Result<(), SystemFault> {
        let system = self.system;
        let initial = state.clone();
        let (mut share, mut by) = (0.0, 1.0);
        let mut ways = &TO_STICK[..];
        let smallest = match system.surfaces.contacts.is_empty() {
            true => SMALLEST_LOAD,
            false => SMALLEST_ON_SURFACES,
        };
        while share < 1.0 {
            let next = share + by;
            let outcome = self.balance(state, next, ways);
            ways = &[];
            match outcome {
                Ok(()) => {
                    self.newton.keep(system, state);
                    share = next;
                    // Both are sums of powers of two: the last part ends at 1 exactly.
                    if (share / by) % 2.0 == 0.0 && share < 1.0 {
                        by *= 2.0;
                    }
                }
                Err(_) if by > smallest => by *= 0.5,
                Err(failure) => {
                    state.copy_from(&initial);
                    match self.descend(state) {
                        Ok(()) => break,
                        Err(None) if self.reaches_faces(state) => break,
                        Err(beyond) => {
                            return Err(beyond
                                .unwrap_or_else(|| without_equilibrium(system, share, &failure)));
                        }
                    }
                }
            }
        }
        Ok(())
    }

    /// The iterate at `state`, under all of the loads.
    pub(super) fn put(&mut self, state: &State) {
        self.newton.prepare(self.system, state, self.fixed_sliders, self.loads, 1.0);
    }

    /// Moves `state` down the energy to an equilibrium; see [`Newton::descend`].
    fn descend(&mut self, state: &mut State) -> Result<(), Option<SystemFault>> {
        let Statics { system, loads, fixed_sliders, .. } = *self;
        self.newton.descend(system, state, |newton, at| {
            newton.prepare(system, at, fixed_sliders, loads, 1.0);
        })
    }

    /// Equilibrium with a share of the loads, from `state`, directly or by one of the `ways`; it is then in the iterate.
    fn balance(
        &mut self, state: &State, share: f64, ways: &[ContinuationFactors],
    ) -> Result<(), Failure> {
        let Statics { system, loads, fixed_sliders, .. } = *self;
        solve_by(system, self.newton, ways, |newton, factors, known| {
            newton.prepare(system, state, fixed_sliders, loads, share);
            newton.at.begin_with(factors, known);
            newton.solve_static_from(system, state)?;
            // Farther away there are equilibria to which these loads do not lead, such as the same one some turns on.
            match system.largest_move(&newton.at.q, &state.q) <= LONGEST_STEP {
                true => Ok(()),
                false => Err(Failure::Diverged { iterations: 0 }),
            }
        })
    }

    /// Bends bristles until nothing moves any more: what their force owes to a velocity goes.
    fn rest_bristles(&mut self, state: &mut State) -> Result<(), SystemFault> {
        let system = self.system;
        let bends = |j: &usize| self.newton.at.sliders[*j].along == Along::Law;
        let bent: Vec<usize> = (0..system.sliders.len()).filter(bends).collect();
        if bent.is_empty() || self.fixed_sliders.is_none() {
            return Ok(());
        }
        for _ in 0..MOST_STEPS {
            let before = state.q.clone();
            let outcome = self.balance(state, 1.0, &[]);
            outcome.map_err(|failure| without_equilibrium(system, 1.0, &failure))?;
            self.newton.keep(system, state);
            // What contacts do at their friction's limit is rounding.
            let slides = |&j: &usize| {
                let s = system.sliders[j].coordinate;
                state.q.get(s).displacement_from(before.get(s)).abs() > AT_REST * system.size
            };
            if !bent.iter().any(slides) {
                break;
            }
        }
        Ok(())
    }
}

impl Newton {
    /// The iterate at `state`, with a `share` of the loads.
    pub(crate) fn prepare(
        &mut self, system: &System, state: &State, fixed_sliders: Option<FixedSliders>,
        loads: &Acting, share: f64,
    ) {
        self.load_state(system, state, system.model.solver.step);
        self.at.complementary = true;
        self.place_motions(system, state);
        for (force, load) in self.at.external.iter_mut().zip(&loads.external) {
            *force = share * load;
        }
        for (now, load) in self.at.follower_loads.iter_mut().zip(&loads.follower_loads) {
            *now = load.map(|q| share * q);
        }
        let Some(fixed_sliders) = fixed_sliders else {
            return;
        };
        let Iterate { sliders, q, driven, .. } = &mut self.at;
        let prescribed = Prescribed { equations: &system.equation, driven };
        for (j, (own, slider)) in sliders.iter_mut().zip(&system.sliders).enumerate() {
            let holds = match fixed_sliders {
                FixedSliders::All => true,
                FixedSliders::None => false,
                FixedSliders::Friction => slider.friction.sticks,
            };
            own.along = match fixed_sliders {
                // Bristles hold by being bent: their law has to find out how far.
                FixedSliders::Friction if slider.friction.remembers => Along::Law,
                // Where motions and supports hold it along its path, nothing but their reactions depends on its friction.
                _ if holds && !system.sliders.is_moved_along(j, q, prescribed) => Along::Stick,
                _ => Along::Free,
            };
        }
    }
}

/// Looks whether a mechanism with this `mobility` in the initial configuration is held by its loads in the equilibrium of the iterate, as
/// a mass that hangs is.
///
/// # Errors
/// The mobility, where nothing resists in the equilibrium either.
pub(super) fn loads_resist(
    system: &System, newton: &mut Newton, mobility: Result<(), SystemFault>,
) -> Result<(), SystemFault> {
    if mobility.is_ok() {
        return Ok(());
    }
    system.residual_and_tangent(&newton.at, &mut newton.work, None);
    if newton.work.matrix.factor().is_err() || least_stiffness(system, newton) < LEAST_STIFFNESS {
        return mobility;
    }
    Ok(())
}

/// About the least eigenvalue of the factored tangent K in units of the stiffness of each unknown by itself: with
/// D of these, 1/max |D^½ K⁻¹ D^½ r| for numbers r without a pattern, to which no motion is orthogonal.
fn least_stiffness(system: &System, newton: &mut Newton) -> f64 {
    let Newton { work, corrections, .. } = newton;
    // What no member supports has the stiffness of its loads.
    let least = work.force_scale / system.size;
    let stiffness = &work.stiffness;
    let root = |i: usize| stiffness[i].max(least).sqrt();
    let (x, y) = corrections.room();
    for (i, x) in x.iter_mut().enumerate() {
        *x = root(i) * (i as f64 + 1.0).sin();
    }
    y.fill(0.0);
    if work.matrix.solve(x, y).is_err() {
        return 0.0;
    }
    let moved = x.iter().enumerate().map(|(i, x)| (x * root(i)).abs());
    1.0 / moved.fold(0.0, f64::max)
}

fn without_equilibrium(system: &System, share: f64, failure: &Failure) -> SystemFault {
    let mut what = "has no static equilibrium at t = 0".to_string();
    if share > 0.0 {
        what += &format!(" above {} % of its loads", rounded(100.0 * share, 4));
    }
    match RigidMotions::of(system).in_statics() {
        Some(motion) => SystemFault(format!(
            "the mechanism {what}: it runs away under its loads by a rigid-body mode, in which \
             {motion}; constrain it by a support, a joint, a spring or a motion{}",
            match (system.sliders.is_empty(), system.model.start.equilibrium) {
                (true, _) | (_, Some(FixedSliders::All)) => "",
                _ => ", or lock its sliders (`fixed_sliders = \"all\"`)",
            }
        )),
        None => {
            let SystemFault(cause) = fault(system, &what, failure);
            let yields = match failure {
                Failure::NotConverged { .. }
                | Failure::Crushed { .. }
                | Failure::Diverged { .. } => {
                    "; or members buckle under the loads: check moduli and sections"
                }
                _ => "",
            };
            SystemFault(format!("{cause}{yields}"))
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::model::Model;

    #[test]
    fn where_one_load_step_fails_its_halves_succeed() {
        // A strip of 2 m whose tip is pulled down to where it was clamped and beyond.
        let text = r#"
            name = "strip"
            solver = { step = 1e-3, max_iterations = 8 }
            points = { wall = [0.0, 0.0], tip = [2.0, 0.0] }
            materials.steel = { young_modulus = 210e9, poisson_ratio = 0.3, density = 7850.0 }
            sections.strip = { rectangle = { height = 0.01, width = 0.05 } }
            supports.wall = { point = "wall", fix = ["x", "y", "rotation"] }
            loads.weight = { point = "tip", fy = -4000.0 }
            [members.beam]
            from = "wall"
            to = "tip"
            elements = 8
            material = "steel"
            section = "strip"
        "#;
        let none = |_: &str| Err::<String, _>(std::io::Error::other("no data"));
        let model = Model::parse(text, "strip.toml", &none).expect("TOML");
        let system = System::build(&model.check().expect("no fault")).expect("a system");
        let mut state = State::initial(&system, &[]);
        let mut newton = Newton::new(&system);
        let loads = Acting::at_first(&system, |_| 0.0);
        let fixed_sliders = Some(FixedSliders::Friction);
        let (system, loads) = (&system, &loads);
        let mut statics = Statics { system, newton: &mut newton, loads, fixed_sliders };
        let whole = statics.balance(&state, 1.0, &[]);
        assert!(whole.is_err(), "one step suffices");
        statics.settle(&mut state).expect("an equilibrium");
        statics.put(&state);
        system.residual(&newton.at, &mut newton.work);
        let residual = system.unknown.iter().map(|&u| newton.work.residual[u].abs());
        assert!(residual.fold(0.0, f64::max) < 1e-4, "N, of 4000 N");
    }
}
