//! Constraints on positions, on velocities and on accelerations.
//!
//! ```text
//! Φ(q, t) = 0,    G q̇ + Φ_t = 0,    G q̈ + q̇ᵀ Φ_qq q̇ + … = 0,    G = ∂Φ/∂q
//! ```
//!
//! q holds sliding coordinates and prescribed unknowns, too, whose motions stand for the derivatives by time. The rows are those of
//! the border: conditions of joints that act, places that sliders keep, pins. The other rows of the border balance forces.
//!
//! A path that turns under a moment λ₃ by f(s) λ₃ more than its nodes do has no constraint on its rotation, but an elastic law.

use super::{Constraint, Iterate, Slider, System};
use crate::joints::slider::Kinematics;

/// How the unknowns move: q̇ and, where accelerations are asked for, q̈.
#[derive(Clone, Copy)]
struct Moving<'a> {
    /// Where sliders are on their paths.
    placed: &'a [Kinematics],
    velocity: &'a [f64],
    acceleration: Option<&'a [f64]>,
}

impl Slider {
    /// How many of its conditions are constraints where it is on its path.
    fn constraints(&self) -> usize {
        match self.path.is_flexible() {
            true => 2,
            false => self.unknowns.len(),
        }
    }
}

impl System {
    /// Calls `row` with each row of the border that is a constraint at this iterate.
    fn each_constraint(&self, at: &Iterate, mut row: impl FnMut(usize)) {
        for (slider, own) in self.sliders.iter().zip(&at.sliders) {
            if own.constraint == Constraint::Open {
                continue;
            }
            if own.keeps_place() {
                row(slider.border);
            }
            let rows = match slider.carries_friction_of_edge() {
                true => self.constraints_of_edge(slider, at),
                false => slider.constraints(),
            };
            (0..rows).for_each(|i| row(slider.border + 1 + i));
        }
        for pin in &self.pins.list {
            (0..pin.rows()).for_each(|i| row(pin.border + i));
        }
    }

    /// Writes the rows of constraints of `rows` into the `border`.
    pub(crate) fn take_constraints(&self, at: &Iterate, rows: &[f64], border: &mut [f64]) {
        self.each_constraint(at, |row| border[row] = rows[row]);
    }

    /// Writes `scale` times the rates of the constraints, where the unknowns have these velocities, into their rows of the `border`.
    pub(crate) fn constraint_rates(
        &self, at: &Iterate, placed: &[Kinematics], velocity: &[f64], scale: f64,
        border: &mut [f64],
    ) {
        let moving = Moving { placed, velocity, acceleration: None };
        self.write_constraints(at, moving, scale, border);
    }

    /// Writes `scale` times the second derivatives of the constraints by time, where the unknowns have these velocities and the
    /// accelerations of the iterate, into their rows of the `border`.
    pub(crate) fn constraint_accelerations(
        &self, at: &Iterate, placed: &[Kinematics], velocity: &[f64], scale: f64,
        border: &mut [f64],
    ) {
        let moving = Moving { placed, velocity, acceleration: Some(&at.acceleration) };
        self.write_constraints(at, moving, scale, border);
    }

    fn write_constraints(&self, at: &Iterate, moving: Moving, scale: f64, border: &mut [f64]) {
        for (j, (slider, own)) in self.sliders.iter().zip(&at.sliders).enumerate() {
            if own.constraint == Constraint::Open {
                continue;
            }
            let first = moving.acceleration.unwrap_or(moving.velocity);
            if own.keeps_place() {
                border[slider.border] = scale * first[slider.coordinate];
            }
            let rows = &mut border[slider.border + 1..];
            if slider.carries_friction_of_edge() {
                if self.constraints_of_edge(slider, at) > 0 {
                    let shares = slider.shares.iter();
                    let mean = shares.map(|&(k, w)| w * first[self.sliders[k].coordinate]);
                    rows[0] = scale * (mean.sum::<f64>() - first[slider.coordinate]);
                }
                continue;
            }
            let derivative = self.gap_derivative(j, at, moving);
            let rows = rows[..slider.constraints()].iter_mut();
            rows.zip(derivative).for_each(|(row, c)| *row = scale * c);
        }
        for pin in &self.pins.list {
            let rate = pin.rate(&at.q, moving.acceleration.unwrap_or(moving.velocity));
            let bent = match moving.acceleration {
                Some(_) => pin.curvature(&at.q, [moving.velocity; 2]),
                None => [0.0; 2],
            };
            let rows = &mut border[pin.border..][..pin.rows()];
            for (row, (rate, bent)) in rows.iter_mut().zip(rate.into_iter().zip(bent)) {
                *row = scale * (rate + bent);
            }
        }
    }

    /// ċ of slider `j`, or c̈ where accelerations are given.
    fn gap_derivative(&self, j: usize, at: &Iterate, moving: Moving) -> [f64; 3] {
        let (slider, own) = (&self.sliders[j], &at.sliders[j]);
        let k = &moving.placed[j];
        let (path, s) = (&slider.path, slider.coordinate);
        let slopes = k.slopes(&own.multipliers);
        let first = moving.acceleration.unwrap_or(moving.velocity);
        let mut rate = k.gap_of(path, first, &slider.unknowns);
        for (rate, slope) in rate.iter_mut().zip(slopes) {
            *rate -= slope * first[s];
        }
        if moving.acceleration.is_some() {
            let bent = self.gap_curvature(j, k, [moving.velocity; 2]);
            (rate.iter_mut().zip(bent)).for_each(|(rate, bent)| *rate += bent);
        }
        rate
    }

    /// The second derivative of c of slider `j`, with the kinematics `k`, along two changes of the unknowns and of s.
    pub(super) fn gap_curvature(&self, j: usize, k: &Kinematics, along: [&[f64]; 2]) -> [f64; 3] {
        let slider = &self.sliders[j];
        let path = &slider.path;
        let [v, w] = along.map(|by| by[slider.coordinate]);
        let turned = along.map(|by| k.tangent_of(path, by, &slider.unknowns));
        let mut bent = [0.0; 3];
        for i in 0..2 {
            bent[i] = -(v * turned[1][i] + w * turned[0][i] + v * w * k.bend[i]);
        }
        if slider.unknowns.len() == 3 {
            let spun = along.map(|by| k.spin_of(path, by));
            bent[2] = -(v * spun[1] + w * spun[0] + v * w * k.spin[1]);
        }
        if let Some(arm) = &k.arm {
            let [a, b] = along.map(|by| k.turns(path, arm, by)[0]);
            let faster = arm.turning.curvature(along.map(|by| k.axis_tangent_of(path, by)));
            for (i, bent) in bent[..2].iter_mut().enumerate() {
                *bent += arm.turned[i] * a * b - arm.lever[i] * faster;
            }
        }
        bent
    }

    /// Where all sliders are on their paths at this iterate.
    pub(crate) fn placed(&self, at: &Iterate) -> Vec<Kinematics> {
        let sliders = 0..self.sliders.len();
        sliders.map(|j| self.kinematics(j, &at.q, at.sliders[j].decided.element)).collect()
    }

    /// c̈ of slider `j` where it is at the iterate, with the velocities and the iterate's accelerations but s̈ = 0.
    pub(crate) fn gap_acceleration(&self, j: usize, at: &Iterate, velocity: &[f64]) -> [f64; 3] {
        let slider = &self.sliders[j];
        let k = self.kinematics(j, &at.q, at.sliders[j].decided.element);
        let rate = k.gap_of(&slider.path, &at.acceleration, &slider.unknowns);
        let bent = self.gap_curvature(j, &k, [velocity; 2]);
        std::array::from_fn(|i| rate[i] + bent[i])
    }

    /// Writes `scale` times the change of the [rates](System::constraint_rates) of the constraints at these velocities, by the changes `by` of positions
    /// and `faster` of velocities, into their rows of the `border`.
    pub(crate) fn constraint_rates_change(
        &self, at: &Iterate, placed: &[Kinematics], velocity: &[f64],
        (by, faster): (&Iterate, &[f64]), scale: f64, border: &mut [f64],
    ) {
        self.constraint_rates(at, placed, faster, scale, border);
        for (j, (slider, own)) in self.sliders.iter().zip(&at.sliders).enumerate() {
            if own.constraint == Constraint::Open || slider.carries_friction_of_edge() {
                continue;
            }
            let bent = self.gap_curvature(j, &placed[j], [velocity, &by.q]);
            let rows = border[slider.border + 1..][..slider.constraints()].iter_mut();
            rows.zip(bent).for_each(|(row, bent)| *row += scale * bent);
        }
        for pin in &self.pins.list {
            let bent = pin.curvature(&at.q, [velocity, &by.q]);
            let rows = border[pin.border..][..pin.rows()].iter_mut();
            rows.zip(bent).for_each(|(row, bent)| *row += scale * bent);
        }
    }
}
