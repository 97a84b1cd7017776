//! Small undamped vibrations about a state: natural frequencies, shapes, participation.
//!
//! ```text
//! K x − ω² M x + (∂c/∂q)ᵀ λ = 0, ∂c/∂q x + ∂c/∂s σ = 0, row of s varied = 0
//! ```
//!
//! K is the tangent of Newton's method without friction, the geometric stiffness of members and
//! multipliers and the symmetric half of that of follower loads included; so sliding coordinates, multipliers and unknowns without mass follow
//! algebraically. With a shift μ the symmetric operator T = (K + μM)⁻¹M on what the constraints
//! leave has the eigenvalues 1/(ω² + μ), of which [`largest`] finds the lowest ω². The shift is raised
//! until the signs of the pivots of K + μM say that no ω² lies below −μ: no instability is left out.

mod at_rest;
mod damping;
pub mod proposal;
mod rigid;

use self::rigid::{centre, rigid_motions};
use crate::checked::{Analysis, Checked};
use crate::linear::{Beside, Operator, Pair, largest, numbers};
use crate::message::rounded;
use crate::newton::Newton;
use crate::system::{Along, SingularMotion, State, System, SystemFault};

/// What sliding joints do in a mode.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Sliding {
    /// Sliders move without friction; one that stands at its stop is held.
    Free,
    /// None moves along its path.
    Stuck,
}

/// What follower loads do in a mode; dead loads do nothing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Loads {
    /// Follower loads are left out, as in the drawing.
    Absent,
    /// Follower loads act with their stiffness, as in an equilibrium under them.
    Acting,
}

impl Loads {
    /// As the start of `model` has felt them: not in dynamics, unless it starts in equilibrium.
    pub fn at_start(model: &Checked) -> Loads {
        let dynamic = model.solver.analysis == Analysis::Dynamic;
        if dynamic && model.start.equilibrium.is_none() { Loads::Absent } else { Loads::Acting }
    }
}

/// What happens after a small push.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Nature {
    /// ω² > 0.
    Vibration,
    /// ω² = 0 within rounding: nothing resists.
    Rigid,
    /// ω² < 0: the push grows as exp(√−ω² t).
    Unstable,
}

/// One mode.
#[derive(Debug, Clone, PartialEq)]
pub struct Mode {
    /// ω², 1/s².
    pub square: f64,
    pub nature: Nature,
    /// Change of every unknown of [`State::q`], with φᵀMφ = 1 kg; the first of its largest
    /// displacements is positive.
    pub shape: Vec<f64>,
    /// Γ = φᵀMr for r a translation along x and y (√kg) and a turn about the centre of mass
    /// (√kg·m) of the whole, supports included.
    pub participation: [f64; 3],
    /// φᵀDφ/2ω with the damping of the model; 0 for what does not vibrate.
    pub damping_ratio: f64,
}

impl Mode {
    /// ω, rad/s; 0 for what does not vibrate.
    pub fn angular_frequency(&self) -> f64 {
        match self.nature {
            Nature::Vibration => self.square.sqrt(),
            Nature::Rigid | Nature::Unstable => 0.0,
        }
    }

    /// √−ω² of an instability, 1/s; 0 for all others.
    pub fn growth(&self) -> f64 {
        match self.nature {
            Nature::Unstable => (-self.square).sqrt(),
            Nature::Vibration | Nature::Rigid => 0.0,
        }
    }

    /// Γ², kg, kg and kg·m²: what a support that shakes along x, y or about the centre feels of it.
    pub fn effective_mass(&self) -> [f64; 3] {
        self.participation.map(|gamma| gamma * gamma)
    }
}

/// The lowest modes about a state.
#[derive(Debug, Clone, PartialEq)]
pub struct Modes {
    /// By rising ω².
    pub list: Vec<Mode>,
    /// Centre of mass, m.
    pub centre: [f64; 2],
    /// Mass (kg, kg) and moment of inertia about the centre (kg·m²) of the whole: what all effective
    /// masses together come to, less what supports, motions and joints keep from moving so.
    pub total: [f64; 3],
}

/// ω² below this multiple of what rounding makes of a stiffness is zero.
const ZERO_EIGENVALUE: f64 = 64.0 * f64::EPSILON;

/// Shift relative to the slowest unknown on its own, with which the search begins.
const FIRST_SHIFT: f64 = 1e-4;

/// Share of the shift below which ω² is not known well: it is a difference.
const UNRESOLVED: f64 = 1e-3;

/// Share of ω² that what is left out may change.
const CIRCULATION: f64 = 1e-4;

/// Hundredfold reductions of the shift, after which what is still below it is zero.
const MAX_REDUCTIONS: usize = 6;

/// ‖Tφ − θφ‖/θ of the shapes, and as a last resort.
const ACCURACY: [f64; 2] = [1e-9, 1e-5];

/// The `count` lowest modes about `state`, with motions held; fewer where there are no more.
///
/// # Errors
/// When nothing with mass can move, joints hold the same, an unknown without mass is unstable, or
/// follower loads without a potential would change a mode.
pub fn modes(
    system: &System, state: &State, count: usize, sliding: Sliding, loads: Loads,
) -> Result<Modes, SystemFault> {
    let centre = centre(system, &state.q);
    let rigid = rigid_motions(system, &state.q, centre);
    let mut result = Modes {
        list: Vec::new(),
        centre,
        total: rigid.each_ref().map(|r| system.mass.product(r, r)),
    };
    if count == 0 {
        return Ok(result);
    }
    let mut pencil = Pencil::new(system, state, sliding, loads)?;
    let motions = system.independent_motions(&pencil.newton.at);
    if motions == 0 {
        pencil.factor()?;
        return Err(SystemFault(
            "there are no modes: nothing can vibrate, because supports, motions and joints leave no degree of freedom. \
             All members and bodies that they do not fix are rigid: make one elastic, or add a spring to a degree of \
             freedom that a motion now prescribes"
                .into(),
        ));
    }
    let count = count.min(motions);
    let equations = system.equations();
    let [needed, most] = numbers(equations, count);
    if needed > most {
        return Err(SystemFault(format!(
            "the modes cannot be found: the search for {count} of them with {equations} equations takes {} GB at least; allowed: {} GB; \
             ask for fewer modes, or take fewer elements or a lower order",
            rounded(8e-9 * needed as f64, 2),
            rounded(8e-9 * most as f64, 2)
        )));
    }
    pencil.choose_shift(count)?;
    let pairs = pencil.lowest(count)?;
    // No ω² lies below −μ, so that T has positive values alone; the rest of what it seems to have is
    // rounding, of either sign.
    let most = pairs.first().map_or(0.0, |pair| pair.value);
    let least = (f64::EPSILON * most).max(f64::MIN_POSITIVE);
    for pair in pairs {
        let (theta, shape) = pencil.refined(&pair);
        if theta <= least {
            continue;
        }
        let square = 1.0 / theta - pencil.shift;
        pencil.refuse_circulation(square, &shape)?;
        let nature = if square.abs() <= pencil.noise(&shape) {
            Nature::Rigid
        } else if square > 0.0 {
            Nature::Vibration
        } else {
            Nature::Unstable
        };
        let damping =
            system.damped(1.0).map_or(0.0, |damped| damped.product(&pencil.newton.at.q, &shape))
                + system.springs.damping(&pencil.newton.at, &shape);
        result.list.push(Mode {
            square,
            nature,
            participation: rigid.each_ref().map(|r| system.mass.product(&shape, r)),
            damping_ratio: match nature {
                Nature::Vibration => 0.5 * damping / square.sqrt(),
                Nature::Rigid | Nature::Unstable => 0.0,
            },
            shape,
        });
    }
    if result.list.is_empty() {
        return Err(SystemFault(
            "there are no modes: supports, motions and joints fix everything with \
             mass; free some of it"
                .into(),
        ));
    }
    result.list.sort_by(|a, b| a.square.total_cmp(&b.square));
    Ok(result)
}

/// K, M and the joints about a state.
struct Pencil<'a> {
    system: &'a System,
    newton: Newton,
    /// μ, 1/s².
    shift: f64,
    /// Diagonals of K and M by equation.
    stiffness: Vec<f64>,
    mass: Vec<f64>,
    /// Equations of what a motion drives that will end: fixed like all that motions drive.
    driven: Vec<bool>,
    /// N on the equations.
    circulation: Beside,
    /// The border part of the last product.
    border: Vec<f64>,
}

impl<'a> Pencil<'a> {
    fn new(
        system: &'a System, state: &State, sliding: Sliding, loads: Loads,
    ) -> Result<Pencil<'a>, SystemFault> {
        let mut newton = Newton::new(system);
        newton.load_state(system, state, system.model.solver.step);
        newton.find_forces_at_rest(system, state);
        let Newton { at, work, .. } = &mut newton;
        at.leave_friction_out();
        if sliding == Sliding::Stuck {
            (at.sliders.iter_mut()).for_each(|slider| slider.along = Along::Stick);
        }
        if loads != Loads::Acting {
            at.follower_loads.fill([0.0; 4]);
        }
        system.residual_and_tangent(at, work, None);
        let circulation = work.matrix.take_beside();
        let stiffness = work.stiffness.clone();
        let diagonal = |&u: &usize| system.mass.diagonal(u);
        let driven: Vec<bool> = (system.unknown.iter()).map(|&u| at.driven[u].is_some()).collect();
        let mass = system.unknown.iter().map(diagonal).zip(&driven);
        let mass: Vec<f64> = (mass.map(|(m, driven)| if *driven { 0.0 } else { m })).collect();
        if mass.iter().all(|m| *m <= 0.0) {
            return Err(SystemFault(
                "there are no modes: nothing that can move has a mass; give a material a density \
                 or a point a mass"
                    .into(),
            ));
        }
        Ok(Pencil {
            system,
            newton,
            shift: 0.0,
            stiffness,
            mass,
            driven,
            circulation,
            border: vec![0.0; system.border()],
        })
    }

    /// Finds a μ with all ω² above −μ, of the size of the lowest of them.
    fn choose_shift(&mut self, count: usize) -> Result<(), SystemFault> {
        let pairs = self.stiffness.iter().zip(&self.mass);
        let alone = pairs.filter(|(k, m)| **k > 0.0 && **m > 0.0).map(|(k, m)| k / m);
        let range = alone
            .fold((f64::INFINITY, 0.0_f64), |(low, high), ratio| (low.min(ratio), high.max(ratio)));
        let (slowest, fastest) = if range.1 > 0.0 { range } else { (1.0, 1.0) };
        self.shift = FIRST_SHIFT * slowest;
        while self.below() > 0 {
            // An infinite one would not grow any more.
            if !self.shift.is_finite() || self.shift > 1e6 * fastest {
                return Err(SystemFault(
                    "an unknown without mass is unstable: it would move away at once, infinitely \
                     fast; look for a load beyond the limit load of the mechanism"
                        .into(),
                ));
            }
            self.shift *= 100.0;
        }
        // Every ω² is 1/θ − μ: with a μ that is much larger its digits are lost.
        for _ in 0..MAX_REDUCTIONS {
            self.factor()?;
            let found = self.approximate(count);
            let doubtful =
                found.iter().filter(|(square, _)| square.abs() < UNRESOLVED * self.shift);
            let Some(noise) = doubtful.map(|(_, noise)| *noise).reduce(f64::max) else {
                break;
            };
            let before = self.shift;
            self.shift *= 0.01;
            if self.shift <= 100.0 * noise || self.below() > 0 {
                self.shift = before;
                break;
            }
        }
        Ok(())
    }

    /// Roughly the lowest ω², each with what rounding may have made of it.
    fn approximate(&mut self, count: usize) -> Vec<(f64, f64)> {
        let found = largest(self, count, 1e-3).unwrap_or_default();
        let shift = self.shift;
        let of = |pair: &Pair| {
            let mut shape = vec![0.0; self.system.nodal];
            for (value, &u) in pair.vector.iter().zip(&self.system.unknown) {
                shape[u] = *value;
            }
            (1.0 / pair.value - shift, self.noise(&shape))
        };
        found.iter().map(of).collect()
    }

    fn lowest(&mut self, count: usize) -> Result<Vec<Pair>, SystemFault> {
        self.factor()?;
        let mut outcome = largest(self, count, ACCURACY[0]);
        if outcome.is_err() {
            outcome = largest(self, count, ACCURACY[1]);
        }
        outcome.map_err(|found| {
            SystemFault(format!(
                "of the {count} modes asked for only {} are found to five digits: members or elements \
                 are too different in stiffness; take fewer elements, or ask for fewer modes",
                found.0
            ))
        })
    }

    /// K + μM, ready to be factored.
    fn assemble(&mut self) {
        let Newton { at, work, .. } = &mut self.newton;
        self.system.residual_and_tangent(at, work, Some(self.shift));
        work.matrix.take_beside();
    }

    fn factor(&mut self) -> Result<(), SystemFault> {
        self.assemble();
        let matrix = &mut self.newton.work.matrix;
        let outcome = matrix.factor();
        outcome.map_err(|_| {
            let motion = matrix.free_motion();
            let what = SingularMotion::of(self.system, &motion).describe();
            SystemFault(format!("the modes cannot be found: {what}"))
        })
    }

    /// How many ω² lie below −μ. Each multiplier makes one more negative eigenvalue of the whole
    /// matrix.
    fn below(&mut self) -> usize {
        self.assemble();
        let multipliers = self.system.acting_multipliers(&self.newton.at);
        let negative = self.newton.work.matrix.factor_counting().0;
        negative.saturating_sub(multipliers)
    }

    /// What rounding of the stiffness may make of ω².
    fn noise(&self, shape: &[f64]) -> f64 {
        let pairs = self.system.unknown.iter().zip(&self.stiffness);
        let stiffness: f64 = pairs.map(|(&u, k)| k * shape[u] * shape[u]).sum();
        ZERO_EIGENVALUE * (stiffness + self.shift)
    }

    /// Refuses a mode that the skew half N of the stiffness would change. Alone it does not feel it,
    /// φᵀNφ = 0, but through all others by about −(Nφ)ᵀ (K + μM)⁻¹ (Nφ).
    fn refuse_circulation(&mut self, square: f64, shape: &[f64]) -> Result<(), SystemFault> {
        if self.circulation.is_empty() {
            return Ok(());
        }
        let unknowns = self.system.unknown.iter();
        let interior: Vec<f64> = unknowns.map(|&u| shape[u]).collect();
        let mut forces = vec![0.0; interior.len()];
        self.circulation.times(&interior, &mut forces);
        let moved = self.apply(&forces);
        let change: f64 = moved.iter().zip(&forces).map(|(x, f)| x * f).sum();
        let share = change.abs() / square.abs().max(self.noise(shape));
        if share > CIRCULATION {
            return Err(SystemFault(format!(
                "loads that follow the structure act here without a potential: the unsymmetric part of their \
                 stiffness would change the mode of {} rad/s and may make it flutter; such modes are not \
                 computed. Take the modes at the start of a dynamic analysis, which leaves these loads out, or \
                 simulate",
                rounded(square.abs().sqrt(), 4)
            )));
        }
        Ok(())
    }

    /// θ and the whole shape, from one more product: the constraints then hold to rounding, and
    /// what has no mass is where it belongs.
    fn refined(&mut self, pair: &Pair) -> (f64, Vec<f64>) {
        let system = self.system;
        let weighed = self.weigh(&pair.vector);
        let interior = self.apply(&weighed);
        let mut shape = vec![0.0; system.initial.len()];
        for (value, &u) in interior.iter().zip(&system.unknown) {
            shape[u] = *value;
        }
        for slider in &system.sliders {
            shape[slider.coordinate] = self.border[slider.border];
        }
        let theta: f64 = interior.iter().zip(&weighed).map(|(x, w)| x * w).sum();
        let norm = system.mass.product(&shape, &shape).sqrt();
        let factor = sign(system, &shape) / norm;
        shape.iter_mut().for_each(|v| *v *= factor);
        (theta, shape)
    }
}

impl Operator for Pencil<'_> {
    fn order(&self) -> usize {
        self.system.equations()
    }

    fn weigh(&self, x: &[f64]) -> Vec<f64> {
        let system = self.system;
        let (mut all, mut forces) = (vec![0.0; system.nodal], vec![0.0; system.nodal]);
        for (value, &u) in x.iter().zip(&system.unknown) {
            all[u] = *value;
        }
        system.mass.forces(&all, &mut forces);
        let forces = system.unknown.iter().map(|&u| forces[u]).zip(&self.driven);
        forces.map(|(f, driven)| if *driven { 0.0 } else { f }).collect()
    }

    fn apply(&mut self, weighed: &[f64]) -> Vec<f64> {
        let mut x = weighed.to_vec();
        self.border.fill(0.0);
        // N has been taken.
        let matrix = &mut self.newton.work.matrix;
        matrix.solve_factored(&mut x, &mut self.border);
        x
    }
}

/// Sign of the first of the largest displacements; of rotations where nothing else moves.
fn sign(system: &System, shape: &[f64]) -> f64 {
    let of = |rotations: bool| {
        let all = || (0..system.nodal).filter(|&u| system.is_rotation[u] == rotations);
        let largest = all().fold(0.0_f64, |most, u| most.max(shape[u].abs()));
        let first = all().find(|&u| shape[u].abs() >= (1.0 - 1e-6) * largest);
        first.filter(|_| largest > 0.0).map(|u| shape[u].signum())
    };
    of(false).or_else(|| of(true)).unwrap_or(1.0)
}

#[cfg(test)]
mod tests;
