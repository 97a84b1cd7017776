//! How the place under a slider follows the turning of what carries it.
//!
//! A rough path lifts the place by h along n, whose angle φ + π/2 turns with the section: n = R(φ) n⁰ with φ = Σ w_l r_l where the
//! nodes of the path have rotations. Those of an edge of an elastic body have none: there n is normal to the tangent Y′ = Σ w_l′ Y_l of
//! the axis and φ its angle, so that with t = Y′/|Y′|
//!
//! ```text
//! δφ = g·δY′,   δφ′ = g·δY″ + g′·δY′,   δ²φ = δY′·H δY′,   g = n/|Y′|,   g′ = H Y″,   H = −(t nᵀ + n tᵀ)/|Y′|²
//! ```

#[cfg(test)]
mod tests;

use super::path::{PathPoint, TurnedBy};
use crate::numerics::hypot::hypot;
use crate::numerics::plane::{dot, turned};

/// How the place follows the rotation φ of the section under the slider, or of the body that carries the path.
#[derive(Debug, Clone, Copy, Default)]
pub struct Arm {
    /// ∂Y/∂φ, m: h m, and J R D of a rigid body.
    pub lever: [f64; 2],
    /// −∂²Y/∂φ², m: h n, and R D.
    pub turned: [f64; 2],
    /// The derivative of the lever by s: h′ m − h φ′ n, and J R D′.
    pub swing: [f64; 2],
    /// h n, m.
    pub height: [f64; 2],
    pub turning: Turning,
}

/// The normal of the section under a slider.
#[derive(Debug, Clone, Copy)]
pub struct Section {
    /// n, to the left of growing s.
    pub normal: [f64; 2],
    /// φ′ and φ″, rad per length.
    pub rates: [f64; 2],
    pub turning: Turning,
}

/// How φ follows positions; zero where it follows rotations.
#[derive(Debug, Clone, Copy, Default)]
pub struct Turning {
    /// g, 1/m per length.
    gradient: [f64; 2],
    /// g′.
    rate: [f64; 2],
    /// H.
    second: [[f64; 2]; 2],
}

impl Section {
    /// Of a normal that is initially so and has turned by an angle with these derivatives by s.
    pub fn turned([angle, rate, growth]: [f64; 3], initial: [f64; 2]) -> Section {
        Section {
            normal: turned(initial, angle),
            rates: [rate, growth],
            turning: Turning::default(),
        }
    }

    /// Normal to the tangent Y′, where Y″ and Y‴ are as well.
    pub fn across([tangent, bend, third]: [[f64; 2]; 3]) -> Section {
        let [x, y] = tangent;
        let stretch = hypot(x, y).max(f64::MIN_POSITIVE);
        let (t, n) = ([x / stretch, y / stretch], [-y / stretch, x / stretch]);
        let square = stretch * stretch;
        let second = [0, 1].map(|i| [0, 1].map(|j| -(t[i] * n[j] + n[i] * t[j]) / square));
        let gradient = n.map(|n| n / stretch);
        let rate = second.map(|row| dot(row, bend));
        Section {
            normal: n,
            rates: [dot(gradient, bend), dot(rate, bend) + dot(gradient, third)],
            turning: Turning { gradient, rate, second },
        }
    }
}

impl Arm {
    /// Of a surface at the height h over the axis, with h′.
    pub fn of_surface(section: &Section, [h, slope]: [f64; 2]) -> Arm {
        let (n, [rate, _]) = (section.normal, section.rates);
        let m = [-n[1], n[0]];
        let height = n.map(|n| h * n);
        Arm {
            lever: m.map(|m| h * m),
            turned: height,
            swing: [0, 1].map(|i| slope * m[i] - h * rate * n[i]),
            height,
            turning: section.turning,
        }
    }

    /// Adds the lever on a rigid body whose centre of mass is R D away, with the slope R D′.
    pub fn add_body(&mut self, arm: [f64; 2], slope: [f64; 2]) {
        self.lever = [self.lever[0] - arm[1], self.lever[1] + arm[0]];
        self.turned = [self.turned[0] + arm[0], self.turned[1] + arm[1]];
        self.swing = [self.swing[0] - slope[1], self.swing[1] + slope[0]];
    }

    /// Change of Y′ by those of φ and φ′.
    pub fn tangent_change(&self, [turn, bend]: [f64; 2]) -> [f64; 2] {
        [0, 1].map(|i| self.swing[i] * turn + self.lever[i] * bend)
    }
}

impl Turning {
    /// ∂φ and ∂φ′ by an unknown.
    pub fn by(&self, point: &PathPoint, TurnedBy { node, component: i, .. }: TurnedBy) -> [f64; 2] {
        if i == 2 {
            return [point.rotation[0][node], point.rotation[1][node]];
        }
        let [slope, bend] = [point.position[1][node], point.position[2][node]];
        [slope * self.gradient[i], bend * self.gradient[i] + slope * self.rate[i]]
    }

    /// ∂²φ by two unknowns.
    pub fn by_both(&self, point: &PathPoint, a: TurnedBy, b: TurnedBy) -> f64 {
        if a.component == 2 || b.component == 2 {
            return 0.0;
        }
        let slopes = point.position[1][a.node] * point.position[1][b.node];
        slopes * self.second[a.component][b.component]
    }

    /// The second derivative of φ along two changes of the tangent Y′ of the axis at constant s.
    pub fn curvature(&self, [a, b]: [[f64; 2]; 2]) -> f64 {
        a[0] * dot(self.second[0], b) + a[1] * dot(self.second[1], b)
    }

    /// Change of ∂φ by an unknown, by the change `tangent` of Y′ of the axis at constant s.
    pub fn change(&self, point: &PathPoint, by: TurnedBy, tangent: [f64; 2]) -> f64 {
        if by.component == 2 {
            return 0.0;
        }
        point.position[1][by.node] * dot(self.second[by.component], tangent)
    }
}
