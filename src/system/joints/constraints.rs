//! Constraints of sliders on velocities and on accelerations: the first and second derivatives of c = 0 by time.

use super::{Slider, SliderJoints};
use crate::joints::slider::Kinematics;
use crate::system::constraints::Moving;
use crate::system::{Constraint, Iterate};

impl Slider {
    /// How many of its conditions are constraints where it is on its path.
    fn constraints(&self) -> usize {
        if self.path.is_flexible() { 2 } else { self.unknowns.len() }
    }

    /// ċ, or c̈ where accelerations are given.
    fn gap_derivative(&self, at: &Iterate, moving: Moving) -> [f64; 3] {
        let k = &moving.placed[self.index];
        let slopes = k.slopes(&at.sliders[self.index].multipliers);
        let first = moving.highest();
        let mut rate = k.gap_of(&self.path, first, &self.unknowns);
        for (rate, slope) in rate.iter_mut().zip(slopes) {
            *rate -= slope * first[self.coordinate];
        }
        if moving.acceleration.is_some() {
            let bent = self.gap_curvature(k, [moving.velocity; 2]);
            (rate.iter_mut().zip(bent)).for_each(|(rate, bent)| *rate += bent);
        }
        rate
    }

    /// The second derivative of c at a place of its path along two changes of the unknowns and of s.
    pub(super) fn gap_curvature(&self, k: &Kinematics, along: [&[f64]; 2]) -> [f64; 3] {
        let path = &self.path;
        let [v, w] = along.map(|by| by[self.coordinate]);
        let turned = along.map(|by| k.tangent_of(path, by, &self.unknowns));
        let mut bent = [0.0; 3];
        for i in 0..2 {
            bent[i] = -(v * turned[1][i] + w * turned[0][i] + v * w * k.bend[i]);
        }
        if self.unknowns.len() == 3 {
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

    /// c̈ where it is at the iterate, with the velocities and the iterate's accelerations but s̈ = 0.
    pub fn gap_acceleration(&self, at: &Iterate, velocity: &[f64]) -> [f64; 3] {
        let k = self.kinematics_in(at);
        let rate = k.gap_of(&self.path, &at.acceleration, &self.unknowns);
        let bent = self.gap_curvature(&k, [velocity; 2]);
        std::array::from_fn(|i| rate[i] + bent[i])
    }
}

impl SliderJoints {
    /// Calls `row` with each row of the border that is a constraint at this iterate.
    pub fn each_constraint(&self, at: &Iterate, mut row: impl FnMut(usize)) {
        for (slider, own) in self.iter().zip(&at.sliders) {
            if own.constraint == Constraint::Open {
                continue;
            }
            if own.keeps_place() {
                row(slider.border);
            }
            let rows = match slider.carries_friction_of_edge() {
                true => slider.constraints_of_edge(at),
                false => slider.constraints(),
            };
            (0..rows).for_each(|i| row(slider.border + 1 + i));
        }
    }

    /// Writes `scale` times the first or second derivatives of the constraints into their rows of the `border`.
    pub fn write_constraints(&self, at: &Iterate, moving: Moving, scale: f64, border: &mut [f64]) {
        let first = moving.highest();
        for (slider, own) in self.iter().zip(&at.sliders) {
            if own.constraint == Constraint::Open {
                continue;
            }
            if own.keeps_place() {
                border[slider.border] = scale * first[slider.coordinate];
            }
            let rows = &mut border[slider.border + 1..];
            if slider.carries_friction_of_edge() {
                if slider.constraints_of_edge(at) > 0 {
                    let shares = slider.shares.iter();
                    let mean = shares.map(|&(k, w)| w * first[slider.coordinate_of(k)]);
                    rows[0] = scale * (mean.sum::<f64>() - first[slider.coordinate]);
                }
                continue;
            }
            let derivative = slider.gap_derivative(at, moving);
            let rows = rows[..slider.constraints()].iter_mut();
            rows.zip(derivative).for_each(|(row, c)| *row = scale * c);
        }
    }

    /// Adds `scale` times the second derivatives of the constraints along two changes of the unknowns to their rows of the `border`.
    pub fn add_curvature(
        &self, at: &Iterate, placed: &[Kinematics], along: [&[f64]; 2], scale: f64,
        border: &mut [f64],
    ) {
        for (slider, own) in self.iter().zip(&at.sliders) {
            if own.constraint == Constraint::Open || slider.carries_friction_of_edge() {
                continue;
            }
            let bent = slider.gap_curvature(&placed[slider.index], along);
            let rows = border[slider.border + 1..][..slider.constraints()].iter_mut();
            rows.zip(bent).for_each(|(row, bent)| *row += scale * bent);
        }
    }

    /// Where all sliders are on their paths at this iterate.
    pub fn placed(&self, at: &Iterate) -> Vec<Kinematics> {
        self.iter().map(|slider| slider.kinematics_in(at)).collect()
    }
}
