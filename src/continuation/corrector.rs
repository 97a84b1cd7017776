//! Newton's method on equilibrium and one equation more.

use super::gauge::{Gauge, Metric, Tangent};
use crate::checked::statics::{FixedSliders, Scaled, StaticPath};
use crate::joints::regime::End;
use crate::newton::{Failure, Newton, balanced, faces_come, unmet};
use crate::start::equilibrium::{Acting, Statics};
use crate::surfaces::layer::Touch;
use crate::system::{Along, MotionState, State, System, SystemFault};

/// Iterations after which a step is given up for a shorter one.
const MAX_ITERATIONS: usize = 12;

/// A change of a motion over which forces are differenced, relative to the mechanism's size or in
/// rad.
const DIFFERENCE: f64 = 1e-6;

/// The equilibria of a mechanism over a factor.
pub(super) struct Corrector<'a> {
    pub system: &'a System,
    pub newton: Newton,
    /// Loads that stay, and those of the factor 1.
    constant: Acting,
    scaled: Acting,
    /// The motion that the factor is.
    motion: Option<usize>,
    /// Unknowns that it prescribes.
    pub moved: Vec<usize>,
    fixed_sliders: FixedSliders,
    pub metric: Metric,
    /// Factor of the iterate.
    pub factor: f64,
    /// ∂R/∂p, then z_p = −K⁻¹ ∂R/∂p: interior and border.
    by_factor: (Vec<f64>, Vec<f64>),
    /// −R, then −K⁻¹ R.
    change: (Vec<f64>, Vec<f64>),
    slope: Vec<f64>,
}

/// An equilibrium on the path.
#[derive(Debug, Clone)]
pub(crate) struct Place {
    pub state: State,
    pub factor: f64,
    /// Tangent of the path, of length 1 in the metric, in the direction of travel.
    pub tangent: Tangent,
}

/// The tangent stiffness is singular.
#[derive(Debug, Clone, Copy)]
pub(super) struct NoTangent;

/// Two places do not lie on one path: the numbers of their unstable motions differ, and no part of the step, however short, leads
/// from the one number to the other.
#[derive(Debug, Clone, Copy)]
pub(super) struct NotConnected;

impl Place {
    /// What the points of contacts do there.
    pub fn touches(&self) -> impl Iterator<Item = Touch> + '_ {
        self.state.points.iter().map(|point| point.touch)
    }

    /// Whether the factor rises in the direction of travel.
    pub fn rises(&self) -> bool {
        self.tangent.factor > 0.0
    }
}

impl<'a> Corrector<'a> {
    pub fn new(system: &'a System, inputs: &[f64], path: &StaticPath) -> Corrector<'a> {
        let mut constant = Acting::at_first(system, |i| inputs[i]);
        let mut scaled = Acting::none(system);
        let mut motion = None;
        for what in &path.scaled {
            match *what {
                Scaled::Load(id) => {
                    let load = &system.model.loads[id];
                    let now = load.factors.history.at(0.0)[0];
                    let acting = &system.loads.points.list[id];
                    for (component, unknown) in acting.unknowns.iter().enumerate() {
                        let Some(u) = *unknown else { continue };
                        let value = acting.component(component, |i| inputs[i]);
                        scaled.external[u] += value;
                        constant.external[u] -= now * value;
                    }
                }
                Scaled::LineLoad(id) => {
                    let now = system.model.line_loads[id].factors.history.at(0.0)[0];
                    let add = |acting: &mut Acting, factor: f64| {
                        let Acting { external, follower_loads } = acting;
                        system.loads.lines.add(id, factor, |i| inputs[i], external, follower_loads);
                    };
                    add(&mut scaled, 1.0);
                    add(&mut constant, -now);
                }
                Scaled::Gravity => {
                    let input = |i: usize| inputs[i];
                    system.loads.gravity.each_force(input, |u, force| {
                        scaled.external[u] += force;
                        constant.external[u] -= force;
                    });
                }
                Scaled::Motion(m) => motion = Some(m),
            }
        }
        let (n, border) = (system.equations(), system.border());
        Corrector {
            system,
            newton: Newton::new(system),
            constant,
            scaled,
            motion,
            moved: motion.map_or(Vec::new(), |m| system.motions[m].unknowns.clone()),
            fixed_sliders: path.fixed_sliders,
            metric: Metric::of(system),
            factor: 0.0,
            by_factor: (vec![0.0; n], vec![0.0; border]),
            change: (vec![0.0; n], vec![0.0; border]),
            slope: vec![0.0; system.initial.len()],
        }
    }

    /// The factor at which a path from `state` begins.
    pub fn first_factor(&self, state: &State) -> f64 {
        self.motion.map_or(0.0, |m| state.motions[m].value)
    }

    /// Equilibrium under the forces that stay along the path.
    ///
    /// # Errors
    /// When there is none.
    pub fn settle(
        &mut self, state: &mut State, fixed_sliders: FixedSliders,
    ) -> Result<(), SystemFault> {
        Statics {
            system: self.system,
            newton: &mut self.newton,
            loads: &self.constant,
            fixed_sliders: Some(fixed_sliders),
        }
        .settle(state)?;
        state.begin_journal();
        Ok(())
    }

    /// Value of a gauge at a place and its rate along the tangent.
    pub fn rate(&mut self, gauge: &Gauge<'_>, place: &Place) -> (f64, f64) {
        self.put(&place.state, place.factor);
        let at = &self.newton.at;
        let (value, by_factor) =
            gauge.value(self.system, at, place.factor, &self.moved, &mut self.slope);
        let along = self.slope.iter().zip(&place.tangent.q);
        let along: f64 = along.map(|(slope, t)| slope * t).sum();
        (value, along + by_factor * place.tangent.factor)
    }

    /// The iterate at `state`.
    pub fn put(&mut self, state: &State, factor: f64) {
        let (system, fixed_sliders) = (self.system, self.fixed_sliders);
        (self.newton).prepare(system, state, Some(fixed_sliders), &self.constant, 1.0);
        for (own, slider) in self.newton.at.sliders.iter_mut().zip(&system.sliders) {
            // The way that bristles give is not part of an equilibrium's path.
            if own.along == Along::Law {
                own.along = if slider.friction.sticks { Along::Stick } else { Along::Free };
            }
        }
        self.set_factor(factor);
    }

    fn set_factor(&mut self, factor: f64) {
        self.factor = factor;
        let at = &mut self.newton.at;
        for ((force, constant), scaled) in
            (at.external.iter_mut().zip(&self.constant.external)).zip(&self.scaled.external)
        {
            *force = constant + factor * scaled;
        }
        let [constant, scaled] =
            [&self.constant, &self.scaled].map(|acting| &acting.follower_loads);
        for ((now, constant), scaled) in at.follower_loads.iter_mut().zip(constant).zip(scaled) {
            *now = [0, 1, 2, 3].map(|c| constant[c] + factor * scaled[c]);
        }
        if let Some(m) = self.motion {
            let motion = MotionState { value: factor, ..MotionState::default() };
            self.system.motions.move_prescribed(at, m, motion);
        }
    }

    /// Moves the iterate by `length` along `tangent`.
    pub fn move_along(&mut self, tangent: &Tangent, length: f64) {
        for (u, t) in tangent.q.iter().enumerate() {
            self.newton.at.q.add(u, length * t);
        }
        self.set_factor(self.factor + length * tangent.factor);
    }

    /// The iterate between two places.
    pub fn put_between(&mut self, low: &Place, high: &Place, share: f64) {
        let mix = |a: f64, b: f64| a + share * (b - a);
        self.put(&low.state, mix(low.factor, high.factor));
        let at = &mut self.newton.at;
        for &u in &self.system.unknown {
            at.q.set(u, mix(low.state.q[u], high.state.q[u]));
        }
        for u in self.system.nodal..at.q.len() {
            at.q.set(u, mix(low.state.q[u], high.state.q[u]));
        }
        for (j, slider) in at.sliders.iter_mut().enumerate() {
            for (i, multiplier) in slider.multipliers.iter_mut().enumerate() {
                *multiplier = mix(low.state.multipliers[j][i], high.state.multipliers[j][i]);
            }
        }
        let pins = low.state.pins.iter().zip(&high.state.pins);
        for (own, (low, high)) in at.pins.iter_mut().zip(pins) {
            *own = [0, 1].map(|i| mix(low[i], high[i]));
        }
    }

    /// Solves for equilibrium with the gauge at `target`, from the iterate; returns the iterations, without those in which faces of
    /// contacts come to what they bear: their number says nothing about the length of the step.
    ///
    /// # Errors
    /// When Newton's method does not converge, or ends in a crushed element.
    pub fn correct(&mut self, gauge: &Gauge<'_>, target: f64) -> Result<usize, Failure> {
        let iterations = self.converge(gauge, target)?;
        while faces_come(self.system, &mut self.newton.at)? {
            self.converge(gauge, target)?;
        }
        Ok(iterations)
    }

    fn converge(&mut self, gauge: &Gauge<'_>, target: f64) -> Result<usize, Failure> {
        let system = self.system;
        for iteration in 1..=MAX_ITERATIONS {
            self.difference_by_factor();
            let Newton { at, work, .. } = &mut self.newton;
            system.residual_and_tangent(at, work, None);
            for (x, &u) in self.change.0.iter_mut().zip(&system.unknown) {
                *x = -work.residual[u];
            }
            for (y, r) in self.change.1.iter_mut().zip(&work.border) {
                *y = -r;
            }
            (work.matrix.factor_nearly_singular()).map_err(|_| Failure::singular(work))?;
            for (x, y) in [&mut self.change, &mut self.by_factor] {
                work.matrix.solve_nearly_singular(x, y);
            }
            let (value, by_p) = gauge.value(system, at, self.factor, &self.moved, &mut self.slope);
            let along = self.along_slope(&self.by_factor) + by_p;
            let step = (target - value - self.along_slope(&self.change)) / along;
            let size = self.apply(step);
            if !size.is_finite() {
                return Err(Failure::Diverged { iterations: iteration });
            }
            let Newton { at, work, .. } = &mut self.newton;
            system.residual(at, work);
            if size <= system.model.solver.position_tolerance && balanced(system, at, work) {
                return match work.crushed {
                    Some(element) => Err(Failure::Crushed { element }),
                    None => Ok(iteration),
                };
            }
        }
        Err(Failure::NotConverged {
            iterations: MAX_ITERATIONS,
            left: unmet(system, &self.newton.at, &self.newton.work),
        })
    }

    /// Slope of the gauge times a change of the unknowns.
    fn along_slope(&self, change: &(Vec<f64>, Vec<f64>)) -> f64 {
        let system = self.system;
        let nodal = system.unknown.iter().zip(&change.0);
        let nodal: f64 = nodal.map(|(&u, x)| self.slope[u] * x).sum();
        let sliding = system.sliders.iter();
        let sliding: f64 = sliding.map(|s| self.slope[s.coordinate] * change.1[s.border]).sum();
        nodal + sliding
    }

    /// Applies δz_R + `step` z_p and δp = `step`; returns the size of the correction, NaN where it
    /// is none.
    fn apply(&mut self, step: f64) -> f64 {
        let system = self.system;
        let at = &mut self.newton.at;
        let mut size = 0.0_f64;
        let mut grow = |change: f64, scale: f64| {
            size = if change.is_finite() { size.max(change.abs() / scale) } else { f64::NAN };
            size.is_nan()
        };
        let interior = self.change.0.iter().zip(&self.by_factor.0);
        for ((x, z), &u) in interior.zip(&system.unknown) {
            let change = x + step * z;
            let rotates = system.is_rotation[u];
            if grow(change, if rotates { 1.0 } else { system.size }) {
                return f64::NAN;
            }
            at.q.add(u, change);
        }
        for slider in &system.sliders {
            let ds = self.change.1[slider.border] + step * self.by_factor.1[slider.border];
            if grow(ds, system.size) {
                return f64::NAN;
            }
            at.q.add(slider.coordinate, ds);
        }
        at.add_forces(system, 1.0, &self.change.1);
        at.add_forces(system, step, &self.by_factor.1);
        self.set_factor(self.factor + step);
        size
    }

    /// −∂R/∂p by central differences, which are exact for loads.
    fn difference_by_factor(&mut self) {
        let p = self.factor;
        let step = match self.motion {
            None => 1.0,
            Some(m) => {
                DIFFERENCE * if self.system.motions[m].turns { 1.0 } else { self.system.size }
            }
        };
        for side in [-1.0, 1.0] {
            self.set_factor(p + side * step);
            let Newton { at, work, .. } = &mut self.newton;
            self.system.residual(at, work);
            let weight = -0.5 * side / step;
            let first = side < 0.0;
            for (z, &u) in self.by_factor.0.iter_mut().zip(&self.system.unknown) {
                *z = weight * work.residual[u] + if first { 0.0 } else { *z };
            }
            for (z, r) in self.by_factor.1.iter_mut().zip(&work.border) {
                *z = weight * r + if first { 0.0 } else { *z };
            }
        }
        self.set_factor(p);
    }

    /// The place that the iterate stands at, an equilibrium to which a step has led from `state`, with its tangent in the
    /// direction of `before`. The matrix is left factored.
    ///
    /// # Errors
    /// Where it has none: at a bifurcation.
    pub fn place(&mut self, before: Option<&Tangent>, state: &State) -> Result<Place, NoTangent> {
        let system = self.system;
        let mut state = state.clone();
        self.difference_by_factor();
        system.residual(&self.newton.at, &mut self.newton.work);
        self.newton.keep_on_path(system, &mut state);
        if let Some(m) = self.motion {
            state.motions[m].value = self.factor;
        }
        state.scaling.set(self.factor);
        state.unstable_modes = self.newton.unstable_modes(system);
        let Newton { work, .. } = &mut self.newton;
        let (x, y) = &mut self.by_factor;
        work.matrix.solve_nearly_singular(x, y);
        let mut tangent = self.spread(&self.by_factor);
        tangent.factor = 1.0;
        for &u in &self.moved {
            tangent.q[u] = 1.0;
        }
        let length = self.metric.product(&tangent, &tangent).sqrt();
        if !(length.is_finite() && length > 0.0) {
            return Err(NoTangent);
        }
        let forward = before.is_none_or(|before| self.metric.product(before, &tangent) >= 0.0);
        tangent.scale(if forward { 1.0 } else { -1.0 } / length);
        Ok(Place { state, factor: self.factor, tangent })
    }

    /// Whether something resists every motion of the iterate.
    pub fn is_regular(&mut self) -> bool {
        let Newton { at, work, .. } = &mut self.newton;
        self.system.residual_and_tangent(at, work, None);
        work.matrix.factor().is_ok()
    }

    /// Work of the forces of the factor 1 in a motion of length 1, and the most that it could be.
    pub fn work_by_factor(&mut self, motion: &Tangent) -> (f64, f64) {
        self.difference_by_factor();
        let system = self.system;
        let nodal = (system.unknown.iter().zip(&self.by_factor.0)).map(|(&u, f)| (u, *f));
        let sliding = (system.sliders.iter()).map(|s| (s.coordinate, self.by_factor.1[s.border]));
        let (mut work, mut square) = (0.0, 0.0);
        for (u, force) in nodal.chain(sliding) {
            work += force * motion.q[u];
            square += force * force / self.metric.weights[u];
        }
        (work, square.sqrt())
    }

    /// Interior and border of a solution as a change of all unknowns.
    fn spread(&self, solution: &(Vec<f64>, Vec<f64>)) -> Tangent {
        let system = self.system;
        let mut q = vec![0.0; system.initial.len()];
        for (x, &u) in solution.0.iter().zip(&system.unknown) {
            q[u] = *x;
        }
        for slider in &system.sliders {
            q[slider.coordinate] = solution.1[slider.border];
        }
        Tangent { q, factor: 0.0 }
    }

    /// The motion of least stiffness about the equilibrium whose matrix is factored, of the length
    /// 1, its largest entry positive (inverse iteration).
    pub fn softest(&mut self) -> Tangent {
        let system = self.system;
        // Anything that is not at right angles to it will do.
        let mut seed = 1_u32;
        let mut motion = Tangent { q: vec![0.0; system.initial.len()], factor: 0.0 };
        for q in &mut motion.q {
            seed = seed.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
            *q = 0.5 + f64::from(seed) / f64::from(u32::MAX);
        }
        for _ in 0..6 {
            for (x, &u) in self.change.0.iter_mut().zip(&system.unknown) {
                *x = self.metric.weights[u] * motion.q[u];
            }
            self.change.1.fill(0.0);
            for (j, slider) in system.sliders.iter().enumerate() {
                let s = slider.coordinate;
                if self.newton.at.sliders[j].along != Along::Stick {
                    self.change.1[slider.border] = self.metric.weights[s] * motion.q[s];
                }
            }
            let (x, y) = &mut self.change;
            self.newton.work.matrix.solve_nearly_singular(x, y);
            motion = self.spread(&self.change);
            let length = self.metric.of_unknowns(&motion.q, &motion.q).sqrt();
            motion.scale(1.0 / length);
        }
        let largest = motion.q.iter().zip(&self.metric.weights).fold(
            (0.0_f64, 1.0),
            |(most, sign), (q, w)| {
                let size = w.sqrt() * q.abs();
                // Slightly more, so that rounding does not choose between equal ones.
                if size > 1.000_001 * most { (size, q.signum()) } else { (most, sign) }
            },
        );
        motion.scale(largest.1);
        motion
    }

    /// The joint whose slider stands beyond an end of its path in the iterate.
    pub fn off_its_path(&self) -> Option<usize> {
        let q = &self.newton.at.q;
        self.system.sliders.iter().position(|slider| {
            let s = q[slider.coordinate];
            let ends = |end| slider.rests_between_its_ends() || slider.ends.stops_at(end);
            slider.is_beyond_its_path(s) && ends(if s < 0.0 { End::First } else { End::Last })
        })
    }
}
