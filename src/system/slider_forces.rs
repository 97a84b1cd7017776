//! Gaps and forces of sliders in numbers of any kind.

use num_dual::DualStruct;

use super::numbers::{Number, Numbers, Placed};
use super::{State, System};

impl System {
    /// The gap of slider `j` in a state.
    pub(super) fn gap_in<N: Numbers<State>>(&self, state: &N, j: usize) -> N::Number {
        let now = state.now();
        let gap = self.gap_of_state(j, now);
        state.with(gap, |by| self.gap_rate(j, now, &by.q))
    }

    /// F_N, N and M′ of slider `j` in a state.
    pub(super) fn normal_force_of<N: Numbers<State>>(&self, state: &N, j: usize) -> [N::Number; 3] {
        let friction = state.get(|s| s.sliders[j].friction);
        let [normal, moment] = self.pressing(j, None, state);
        let bearing = &self.sliders[j].bearing;
        let force = bearing.normal_force(normal, moment, friction);
        let own = bearing.moment_at_faces(normal, moment, friction, force);
        [force, normal, own]
    }

    /// λ·n, with n normal to the current path, in N and λ₃ of slider `j` in N·m.
    pub(super) fn pressing<S: Placed, N: Numbers<S>>(
        &self, j: usize, kept: Option<usize>, at: &N,
    ) -> [N::Number; 2] {
        let ([x, y], _) = self.path_slope(j, kept, at);
        let force = |i: usize| at.get(|s| s.multipliers_of(j)[i]);
        let stretch = x.hypot(y);
        let normal = if stretch.re() > 0.0 {
            (force(1) * x - force(0) * y) / stretch
        } else {
            N::Number::from(0.0)
        };
        [normal, force(2)]
    }

    /// Y′ and r′ + ½ f′ λ₃ of the current path under slider `j`.
    pub(super) fn path_slope<S: Placed, N: Numbers<S>>(
        &self, j: usize, kept: Option<usize>, at: &N,
    ) -> ([N::Number; 2], N::Number) {
        let slider = &self.sliders[j];
        let k = self.kinematics(j, at.now().places(), kept);
        let slid = |by: &S| by.places()[slider.coordinate];
        let tangent = [0, 1].map(|i| {
            at.with(k.tangent[i], |by| {
                let turned = k.tangent_of(&slider.path, by.places(), &slider.unknowns);
                k.bend[i] * slid(by) + turned[i]
            })
        });
        let [_, rate, growth] = k.flexibility.map(|f| 0.5 * f);
        let moment = |at: &S| at.multipliers_of(j)[2];
        let now = moment(at.now());
        let spin = at.with(k.spin[0] + rate * now, |by| {
            (k.spin[1] + growth * now) * slid(by)
                + rate * moment(by)
                + k.spin_of(&slider.path, by.places())
        });
        (tangent, spin)
    }
}
