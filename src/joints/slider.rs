//! The constraint of a sliding joint and the forces it exerts.
//!
//! With the slider's position Ŷ (and rotation r̂) and the path's node weights at s
//!
//! ```text
//! c_i = Ŷ_i − Σ w_l(s) Y_l,i   (i = 1, 2),     c_3 = r̂ − Σ w_l(s) r_l   (prismatic)
//! ```
//!
//! (Siqueira & Coda 2023, Eq. 7 without roughness; rotations are measured from the initial
//! directions, so that Δθ⁰ drops out). The potential λ·c makes λ the force that the slider exerts
//! on the path; the row of s reads F_f − Q_s = 0 with Q_s = λ·Y′ + λ₃ r′.

use super::path::{Path, PathPoint};
use crate::laws::friction::{Contact, Response};

/// Geometry of the path under a slider and the gap of the constraint.
#[derive(Debug, Clone, Copy)]
pub struct Kinematics {
    pub point: PathPoint,
    /// c: m, m, rad.
    pub gap: [f64; 3],
    /// dY/ds of the current path; its length is the stretch.
    pub tangent: [f64; 2],
    /// d²Y/ds², 1/m.
    pub bend: [f64; 2],
    /// dr/ds and d²r/ds² of the path's rotation.
    pub spin: [f64; 2],
}

impl Kinematics {
    /// `q` holds all unknowns, `slider` the indices of Ŷ₁, Ŷ₂ and (prismatic) r̂.
    pub fn at(path: &Path, point: PathPoint, q: &[f64], slider: &[usize]) -> Kinematics {
        let mut gap = [0.0; 3];
        for (g, &dof) in gap.iter_mut().zip(slider) {
            *g = q[dof];
        }
        let (mut tangent, mut bend, mut spin) = ([0.0; 2], [0.0; 2], [0.0; 2]);
        let prismatic = slider.len() == 3;
        for (l, node) in path.elements()[point.element].nodes.iter().enumerate() {
            for i in 0..2 {
                gap[i] -= point.position[0][l] * q[node[i]];
                tangent[i] += point.position[1][l] * q[node[i]];
                bend[i] += point.position[2][l] * q[node[i]];
            }
            if prismatic {
                gap[2] -= point.rotation[0][l] * q[node[2]];
                spin[0] += point.rotation[1][l] * q[node[2]];
                spin[1] += point.rotation[2][l] * q[node[2]];
            }
        }
        Kinematics {
            point,
            gap,
            tangent,
            bend,
            spin,
        }
    }

    /// The rate of c at constant s when the unknowns move with the velocities `rates`.
    pub fn gap_of(&self, path: &Path, rates: &[f64], slider: &[usize]) -> [f64; 3] {
        Kinematics::at(path, self.point, rates, slider).gap
    }

    /// Q_s = λ·Y′ + λ₃ r′, the contact force along the path, conjugate to s, N.
    pub fn tangential_force(&self, multipliers: &[f64; 3]) -> f64 {
        multipliers[0] * self.tangent[0]
            + multipliers[1] * self.tangent[1]
            + multipliers[2] * self.spin[0]
    }

    /// λ·n, N; positive where the slider pushes to the left of growing s.
    pub fn signed_normal_force(&self, multipliers: &[f64; 3]) -> f64 {
        let stretch = self.tangent[0].hypot(self.tangent[1]);
        if stretch > 0.0 {
            (multipliers[1] * self.tangent[0] - multipliers[0] * self.tangent[1]) / stretch
        } else {
            0.0
        }
    }
}

/// The row of s, F_f − Q_s, linearised: coefficients of the variations of λ, Y′, r′ and s. The
/// part of s through Y′ and r′ is already in `by_s`.
#[derive(Debug, Clone, Copy)]
pub struct SlidingRow {
    pub residual: f64,
    pub by_multipliers: [f64; 3],
    pub by_tangent: [f64; 2],
    pub by_spin: f64,
    pub by_s: f64,
    /// ∂F_f/∂F_R; times Y′ it multiplies the slider's inertia force.
    pub by_resultant: f64,
    /// By the s at which v vanishes.
    pub by_origin: f64,
}

impl SlidingRow {
    /// Complete linearisation with the friction `response`, where `inertia` is (M q̈) of the
    /// slider (zero if it is not part of the law's resultant) and ∂v/∂s = `factor`, 1/s.
    ///
    /// F_N = |λ·n| varies with λ and, through n, with the nodes of the path and s.
    pub fn with_friction(
        k: &Kinematics,
        multipliers: &[f64; 3],
        response: &Response,
        inertia: [f64; 2],
        factor: f64,
    ) -> SlidingRow {
        let stretch = k.tangent[0].hypot(k.tangent[1]);
        let t = k.tangent.map(|x| x / stretch);
        let sign = k.signed_normal_force(multipliers).signum();
        let by_normal = sign * response.by_normal_force;
        let by_resultant = response.by_resultant;
        // ∂(λ·n)/∂Y′ = (1 − t tᵀ)(λ₂, −λ₁)/|Y′|
        let turned = [multipliers[1], -multipliers[0]];
        let along = turned[0] * t[0] + turned[1] * t[1];
        let by_tangent = [0, 1].map(|i| {
            by_normal * (turned[i] - along * t[i]) / stretch
                + by_resultant * (multipliers[i] + inertia[i])
                - multipliers[i]
        });
        let by_spin = (by_resultant - 1.0) * multipliers[2];
        SlidingRow {
            residual: response.force - k.tangential_force(multipliers),
            by_multipliers: [
                -by_normal * t[1] + (by_resultant - 1.0) * k.tangent[0],
                by_normal * t[0] + (by_resultant - 1.0) * k.tangent[1],
                (by_resultant - 1.0) * k.spin[0],
            ],
            by_tangent,
            by_spin,
            by_s: response.by_velocity * factor
                + by_tangent[0] * k.bend[0]
                + by_tangent[1] * k.bend[1]
                + by_spin * k.spin[1],
            by_resultant,
            by_origin: -response.by_velocity * factor,
        }
    }
}

/// What the friction law sees of a slider.
pub fn contact(
    k: &Kinematics,
    multipliers: &[f64; 3],
    inertia: [f64; 2],
    velocity: f64,
    stick_stiffness: f64,
    rested: bool,
) -> Contact {
    Contact {
        velocity,
        normal_force: k.signed_normal_force(multipliers).abs(),
        tangential_force: k.tangential_force(multipliers),
        inertia_force: inertia[0] * k.tangent[0] + inertia[1] * k.tangent[1],
        stick_stiffness,
        rested,
        ..Contact::default()
    }
}
