//! What the surface of a rough path adds to the tangent, see [`crate::joints::slider`].

use super::{Slider, dot};
use crate::joints::slider::{Kinematics, SlidingRow};
use crate::linear::Bordered;
use crate::system::Iterate;
use crate::system::equations::Equations;

impl Slider {
    /// The part of the tangent by which the surface of a rough path turns with its section.
    pub(super) fn add_roughness_tangent(
        &self, equations: &Equations, k: &Kinematics, row: &SlidingRow, at: &Iterate,
        matrix: &mut Bordered,
    ) {
        let multipliers = &at.sliders[self.index].multipliers;
        let Some(arm) = &k.arm else { return };
        let own_row = self.has_own_row(&at.sliders[self.index]);
        let sliding = self.border;
        let [pressed, moment] = [arm.turned, arm.lever].map(|a| dot(multipliers, a));
        let unknowns = || self.path.turned_by(k.point.element);
        for (l, own) in unknowns().enumerate() {
            let Some(e) = equations.of(own.unknown) else {
                continue;
            };
            let [turn, bend] = arm.turning.by(&k.point, own);
            let slope = arm.tangent_change([turn, bend]);
            for (i, lever) in arm.lever.into_iter().enumerate() {
                matrix.add_column(e, sliding + 1 + i, -turn * lever);
            }
            matrix.add_column(e, sliding, -dot(multipliers, slope));
            if own_row {
                let by_tangent = [row.by_tangent[0], row.by_tangent[1], 0.0];
                matrix.add_row(sliding, e, dot(&by_tangent, slope));
            }
            for other in unknowns().take(l + 1) {
                if let Some(f) = equations.of(other.unknown) {
                    let place = matrix.interior.layout.position(e, f);
                    let [too, _] = arm.turning.by(&k.point, other);
                    matrix.interior.values[place] +=
                        pressed * turn * too - moment * arm.turning.by_both(&k.point, own, other);
                }
            }
        }
    }
}
