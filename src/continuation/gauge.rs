//! What measures the way along a path of equilibria.

use num_dual::Dual64;

use crate::checked::{Output, Subject};
use crate::system::outputs::{OfPoint, Probe};
use crate::system::{Iterate, System};

/// A place on a path and its tangent there.
#[derive(Debug, Clone)]
pub(super) struct Tangent {
    /// dq/dσ of all unknowns, sliding coordinates included.
    pub q: Vec<f64>,
    /// dp/dσ.
    pub factor: f64,
}

/// How lengths along a path are measured: |(δq, δp)|² = mean of w δq² + ψ² δp².
#[derive(Debug, Clone)]
pub(super) struct Metric {
    /// 1/size² of positions, 1 of rotations; 0 of prescribed unknowns.
    pub weights: Vec<f64>,
    /// ψ.
    pub factor: f64,
}

/// The equation that is solved beside those of equilibrium.
pub(super) enum Gauge<'a> {
    /// p.
    Factor,
    /// A quantity of the mechanism.
    Quantity(Output),
    /// direction · (z − origin), with p; both in the metric.
    Along { direction: &'a Tangent, origin: &'a [f64], factor: f64, metric: &'a Metric },
}

impl Metric {
    /// The metric of a system, with ψ = 1.
    pub fn of(system: &System) -> Metric {
        let mut weights = vec![0.0; system.initial.len()];
        let place = 1.0 / (system.size * system.size);
        for &u in &system.unknown {
            weights[u] = if system.is_rotation[u] { 1.0 } else { place };
        }
        weights[system.nodal..].fill(place);
        let free = weights.iter().filter(|w| **w > 0.0).count().max(1) as f64;
        weights.iter_mut().for_each(|w| *w /= free);
        Metric { weights, factor: 1.0 }
    }

    /// Σ w a b of the unknowns alone.
    pub fn of_unknowns(&self, a: &[f64], b: &[f64]) -> f64 {
        let products = self.weights.iter().zip(a).zip(b);
        products.map(|((w, a), b)| w * a * b).sum()
    }

    /// The product of two tangents.
    pub fn product(&self, a: &Tangent, b: &Tangent) -> f64 {
        self.of_unknowns(&a.q, &b.q) + self.factor * self.factor * a.factor * b.factor
    }
}

impl Tangent {
    /// Multiplies by `by`.
    pub fn scale(&mut self, by: f64) {
        self.q.iter_mut().for_each(|v| *v *= by);
        self.factor *= by;
    }
}

impl Gauge<'_> {
    /// Value of the gauge and its derivatives by all unknowns, with that by p from `by_factor` alone, where
    /// `moved` are the unknowns that p prescribes.
    pub fn value(
        &self, system: &System, at: &Iterate, p: f64, moved: &[usize], slope: &mut [f64],
    ) -> (f64, f64) {
        slope.fill(0.0);
        match self {
            Gauge::Factor => (p, 1.0),
            Gauge::Quantity(output) => {
                let value = quantity(system, &at.q, *output, slope);
                let by_factor = moved.iter().map(|&u| slope[u]).sum();
                for (u, slope) in slope[..system.nodal].iter_mut().enumerate() {
                    if !system.equation.has(u) {
                        *slope = 0.0;
                    }
                }
                (value, by_factor)
            }
            Gauge::Along { direction, origin, factor, metric } => {
                let mut value = 0.0;
                for (u, slope) in slope.iter_mut().enumerate() {
                    *slope = metric.weights[u] * direction.q[u];
                    value += *slope * (at.q[u] - origin[u]);
                }
                let by_factor = metric.factor * metric.factor * direction.factor;
                (value + by_factor * (p - factor), by_factor)
            }
        }
    }
}

/// A place, a rotation, a sliding coordinate or a probe, and its derivatives by all unknowns.
fn quantity(system: &System, q: &[f64], output: Output, slope: &mut [f64]) -> f64 {
    let single = match output.of {
        Subject::Slider(j) => Some(system.sliders[j].coordinate),
        Subject::Point(point) => {
            let (_, direction) = OfPoint::at(output).motion();
            system.nodes.of_point(point, None, direction)
        }
        _ => None,
    };
    if let Some(u) = single {
        slope[u] = 1.0;
        return q[u];
    }
    if let Subject::Place(place) = output.of {
        let (_, direction) = OfPoint::at(output).motion();
        let axis = direction as usize;
        for u in system.places[place].unknowns(&system.groups) {
            let one = |w: usize| f64::from(u8::from(w == u));
            slope[u] = system.places[place].interpolated(&system.groups, axis, one);
        }
        return system.places[place].interpolated(&system.groups, axis, |u| q[u]);
    }
    let Subject::Probe(probe) = output.of else {
        return 0.0;
    };
    let probe = Probe::of(system, system.model.probes[probe].kind);
    for (u, slope) in slope.iter_mut().enumerate().take(system.nodal) {
        let place = |w: usize| Dual64::new(q[w], f64::from(u8::from(w == u)));
        *slope = probe.value(place).eps;
    }
    probe.value(|u| q[u])
}
