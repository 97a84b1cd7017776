//! Small motions about steady sliding, and whether they grow.
//!
//! What slides [steadily](crate::sliding) with q̈ = a φ, is moved a little by x e^{λt}:
//!
//! ```text
//! (λ² M + λ C + K + N) x + (∂c/∂q)ᵀ μ = 0, ∂c/∂q x + ∂c/∂s σ = 0
//! ```
//!
//! K is the symmetric half of the tangent, that of contact layers and of the acceleration's own loads included. N is what makes it
//! unsymmetric: friction follows the normal force, ∂T/∂N = ±μ, and forces may follow what they act on. C is damping, and the
//! slope of friction by the velocity beside rest, which is negative where it falls. Every point that touches slides and goes on sliding
//! the same way. Without C a motion alone can grow only where two frequencies have met (flutter): with λ there is −λ.
//! (Zhang & Wang's method of the kinetic force cannot show it.)
//!
//! With v = λ x and a shift τ the operator
//!
//! ```text
//! y = (τ² M + τ C + K + N)⁻¹ (M v + C x + τ M x), T (x, v) = (−y, x − τ y)
//! ```
//!
//! has the eigenvalues 1/(λ − τ), of which [`leading`] finds the largest: the slowest motions, all of them where the mechanism is small.
//! The motion along the path itself is left out, where nothing resists it.

use crate::joints::regime::Sense;
use crate::linear::leading;
use crate::newton::Newton;
use crate::sliding::{Sliding, slide_steadily};
use crate::system::{Iterate, SingularMotion, System, SystemFault, Term};

/// What becomes of a small motion.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outlook {
    Grows,
    Decays,
    /// Neither within rounding, as of a vibration that nothing damps.
    Stays,
}

/// A small motion about steady sliding.
#[derive(Debug, Clone)]
pub struct Motion {
    /// Re λ, 1/s: it is e times as large after 1/rate.
    pub rate: f64,
    /// Im λ, rad/s; not negative.
    pub angular_frequency: f64,
    pub outlook: Outlook,
    /// |x| of each nodal unknown; the largest displacement is 1.
    pub shape: Vec<f64>,
}

/// Small motions about steady sliding.
#[derive(Debug, Clone)]
pub struct Growth {
    pub sliding: Sliding,
    /// The contacts that slide together, with their senses.
    pub contacts: Vec<(usize, Sense)>,
    /// By falling rate.
    pub list: Vec<Motion>,
    /// Whether these are all that there are; else they are the slowest, and of those with a damping ratio above a half not all.
    pub whole: bool,
    /// How many motions nothing resists within rounding, the motion along the path included; they are not in the list.
    pub neutral: usize,
}

impl Growth {
    /// Re λ of the motion that grows most, 1/s; 0 where none does.
    pub fn largest(&self) -> f64 {
        let grows = self.list.first().filter(|m| m.outlook == Outlook::Grows);
        grows.map_or(0.0, |motion| motion.rate)
    }
}

/// Mechanisms with so many equations, or less, have all their motions found.
const ALL: usize = 200;

/// Vectors to each motion that is wanted, at the most, and so many more.
const PER_MOTION: usize = 8;
const MORE: usize = 60;

/// ‖Tx − θx‖/|θ|.
const ACCURACY: f64 = 1e-9;

/// |Re λ| below this share of |λ| is rounding.
const STEADY: f64 = 1e-7;

/// τ relative to the slowest unknown on its own: motions of many unknowns are as much slower.
const SHIFT: f64 = 0.02;

/// Motions with a damping ratio above this are over before they swing; damping by the stiffness brings any number of them to one
/// place, where they are not told apart.
const OVERDAMPED: f64 = 0.5;

/// |λ|² below this multiple of what rounding makes of a stiffness is zero.
const ZERO_EIGENVALUE: f64 = 64.0 * f64::EPSILON;

/// Share of itself by which a motion may leave the path and still be one along it.
const ALONG: f64 = 1e-9;

/// The `count` slowest small motions, or all where the mechanism is small, about steady sliding of `contact` with `sense` under the
/// loads of `time` (s).
///
/// # Errors
/// As [`sliding`](crate::sliding::sliding); where nothing with mass can move, or the motions are not found.
pub fn growth(
    system: &System, inputs: &[f64], (contact, sense): (usize, Sense), time: f64, count: usize,
) -> Result<Growth, SystemFault> {
    let mut newton = Newton::new(system);
    let (found, moving) = slide_steadily(system, &mut newton, inputs, (contact, sense), time)?;
    // From now on its place is free.
    newton.at.driven.release(moving.kept);
    newton.fix_sticking_sliders();
    let mut pencil = Pencil::new(system, newton)?;
    let order = 2 * system.equations();
    let [wanted, most] = match order <= 2 * ALL {
        true => [order, order],
        false => [count, MORE + PER_MOTION * count],
    };
    let along = pencil.along(&moving.shape);
    let left_out = along.len();
    let (weights, shift) = (pencil.weights(), pencil.shift);
    let spectrum = leading(
        |both| pencil.apply(both),
        |theta| {
            let lambda = shift + 1.0 / theta;
            lambda.re >= -OVERDAMPED * lambda.norm()
        },
        &weights,
        &along,
        [wanted, most],
        ACCURACY,
    );
    let spectrum = spectrum.map_err(|_| {
        SystemFault(
            "the motions about steady sliding cannot be found: numbers leave the finite range"
                .into(),
        )
    })?;
    // Of ±λ and λ = 0 twice each motion has two.
    let (mut list, mut neutral) = (Vec::new(), left_out);
    for eigen in spectrum.list {
        let lambda = shift + 1.0 / eigen.value;
        let mut shape = vec![0.0; system.nodal];
        for (x, &u) in eigen.vector.iter().zip(&system.unknown) {
            shape[u] = x.norm();
        }
        if lambda.norm_sqr() <= pencil.noise(&shape) {
            neutral += if lambda.im == 0.0 { 1 } else { 2 };
            continue;
        }
        let largest = (0..system.nodal).filter(|&u| !system.is_rotation[u]);
        let largest = largest.map(|u| shape[u]).fold(0.0, f64::max);
        if largest > 0.0 {
            shape.iter_mut().for_each(|x| *x /= largest);
        }
        let outlook = match lambda.re / lambda.norm() {
            share if share > STEADY => Outlook::Grows,
            share if share < -STEADY => Outlook::Decays,
            _ => Outlook::Stays,
        };
        list.push(Motion { rate: lambda.re, angular_frequency: lambda.im.abs(), outlook, shape });
    }
    // Those that stay differ by rounding alone.
    let key = |motion: &Motion| match motion.outlook {
        Outlook::Stays => 0.0,
        Outlook::Grows | Outlook::Decays => motion.rate,
    };
    list.sort_by(|a, b| {
        let slower = a.angular_frequency.total_cmp(&b.angular_frequency);
        key(b).total_cmp(&key(a)).then(slower)
    });
    let senses = moving.senses.iter().enumerate();
    let contacts = senses
        .filter(|(_, own)| **own != Sense::Neither)
        .map(|(contact, own)| (contact, Sense::of(own.sign() * sense.sign())));
    Ok(Growth {
        sliding: found,
        contacts: contacts.collect(),
        list,
        whole: spectrum.whole,
        neutral: neutral.div_ceil(2),
    })
}

/// M, C and K + N about the iterate.
struct Pencil<'a> {
    system: &'a System,
    newton: Newton,
    /// τ, 1/s.
    shift: f64,
    /// Diagonals of K and M by equation.
    stiffness: Vec<f64>,
    mass: Vec<f64>,
    /// A change of the velocities alone.
    by: Iterate,
    /// Changes of the laws' numbers: none.
    numbers: Vec<Vec<f64>>,
    /// The border part of the last product.
    border: Vec<f64>,
}

impl<'a> Pencil<'a> {
    fn new(system: &'a System, mut newton: Newton) -> Result<Pencil<'a>, SystemFault> {
        let Newton { at, work, .. } = &mut newton;
        at.flow.factor = 0.0;
        system.residual_and_tangent(at, work, None);
        let stiffness = work.stiffness.clone();
        let diagonal = |&u: &usize| system.mass.diagonal(u);
        let driven = |&u: &usize| at.driven[u].is_some();
        let mass = |u: &usize| if driven(u) { 0.0 } else { diagonal(u) };
        let mass: Vec<f64> = system.unknown.iter().map(mass).collect();
        let alone = stiffness.iter().zip(&mass);
        let alone = alone.filter(|(k, m)| **k > 0.0 && **m > 0.0).map(|(k, m)| (k / m).sqrt());
        let slowest = alone.fold(f64::INFINITY, f64::min);
        if !slowest.is_finite() {
            return Err(SystemFault(
                "there are no motions about steady sliding: nothing that can move has a mass and a stiffness".into(),
            ));
        }
        let shift = SHIFT * slowest;
        at.flow.factor = shift;
        for u in 0..system.nodal {
            at.flow.origin.set(u, at.q.get(u));
        }
        system.residual_and_tangent(at, work, Some(shift * shift));
        work.matrix.factor().map_err(|_| {
            let motion = work.matrix.free_motion();
            let what = SingularMotion::of(system, &motion).describe();
            SystemFault(format!("the motions about steady sliding cannot be found: {what}"))
        })?;
        let by = Iterate::unchanged(system);
        Ok(Pencil {
            shift,
            stiffness,
            mass,
            by,
            numbers: vec![Vec::new(); system.sliders.len() + system.surfaces.contacts.len()],
            border: vec![0.0; system.border()],
            system,
            newton,
        })
    }

    /// Of x, as the velocities of its motion with τ, and of v; what has no mass weighs as the lightest.
    fn weights(&self) -> Vec<f64> {
        let positive = self.mass.iter().copied().filter(|m| *m > 0.0);
        let least = positive.fold(f64::INFINITY, f64::min);
        let weight = |m: &f64| m.max(least);
        let square = self.shift * self.shift;
        let of_x = self.mass.iter().map(|m| square * weight(m));
        of_x.chain(self.mass.iter().map(weight)).collect()
    }

    /// M a + C b of the free unknowns.
    fn forces(&mut self, a: &[f64], b: &[f64]) -> Vec<f64> {
        let system = self.system;
        let at = &self.newton.at;
        let (mut all, mut forces) = (vec![0.0; system.nodal], vec![0.0; system.nodal]);
        for ((a, b), &u) in a.iter().zip(b).zip(&system.unknown) {
            all[u] = *a;
            self.by.flow.origin.set(u, -b / self.shift);
        }
        system.mass.forces(&all, &mut forces);
        if let Some(damped) = system.damped(at.flow.factor) {
            damped.add_change(at, &self.by, &mut forces);
        }
        system.surfaces.add_change(at, &self.by, &self.numbers, &mut forces);
        let of = |&u: &usize| match at.driven[u] {
            Some(_) => 0.0,
            None => forces[u],
        };
        system.unknown.iter().map(of).collect()
    }

    /// T (x, v).
    fn apply(&mut self, both: &[f64]) -> Vec<f64> {
        let (x, v) = both.split_at(both.len() / 2);
        let speeds: Vec<f64> = (x.iter().zip(v)).map(|(x, v)| v + self.shift * x).collect();
        let mut y = self.forces(&speeds, x);
        self.border.fill(0.0);
        let outcome = self.newton.work.matrix.solve(&mut y, &mut self.border);
        if outcome.is_err() {
            y.fill(f64::NAN);
        }
        let rates = y.iter().zip(x).map(|(y, x)| x - self.shift * y);
        let rates: Vec<f64> = rates.collect();
        y.iter_mut().for_each(|y| *y = -*y);
        y.extend(rates);
        y
    }

    /// The motion along the path and that with a velocity along it, where nothing resists them; else none.
    fn along(&mut self, shape: &[f64]) -> Vec<Vec<f64>> {
        let system = self.system;
        let own: Vec<f64> = system.unknown.iter().map(|&u| shape[u]).collect();
        let still = vec![0.0; own.len()];
        let both = [[&own[..], &still[..]].concat(), [&still[..], &own[..]].concat()];
        let square = |a: &[f64]| a.iter().map(|a| a * a).sum::<f64>();
        let stays = both.iter().all(|vector| {
            let image = self.apply(vector);
            let (x, v) = image.split_at(own.len());
            // Both as velocities.
            let parts = [(x, self.shift), (v, 1.0)].map(|(part, factor)| {
                let share = part.iter().zip(&own).map(|(a, b)| a * b).sum::<f64>() / square(&own);
                let rest: Vec<f64> = (part.iter().zip(&own)).map(|(a, b)| a - share * b).collect();
                [square(&rest), square(part)].map(|size| factor * factor * size)
            });
            let [[a, b], [c, d]] = parts;
            (a + c).sqrt() <= ALONG * (b + d).sqrt()
        });
        if stays { both.to_vec() } else { Vec::new() }
    }

    /// What rounding of the stiffness may make of |λ|².
    fn noise(&self, shape: &[f64]) -> f64 {
        let weigh = |of: &[f64]| -> f64 {
            let pairs = self.system.unknown.iter().zip(of);
            pairs.map(|(&u, k)| k * shape[u] * shape[u]).sum()
        };
        ZERO_EIGENVALUE
            * (weigh(&self.stiffness) / weigh(&self.mass).max(f64::MIN_POSITIVE)
                + self.shift * self.shift)
    }
}
