//! What the surface of a rough path adds to the tangent, see [`crate::joints::slider`].

#[cfg(test)]
mod tests;

use super::assembly::{dot, has_own_row};
use super::{Iterate, System};
use crate::joints::slider::{Kinematics, SlidingRow};
use crate::linear::Bordered;

impl System {
    /// The part of the tangent by which the surface of a rough path turns with its section.
    pub(super) fn add_roughness_tangent(
        &self,
        j: usize,
        k: &Kinematics,
        row: &SlidingRow,
        at: &Iterate,
        matrix: &mut Bordered,
    ) {
        let (slider, multipliers) = (&self.sliders[j], &at.sliders[j].multipliers);
        let Some(arm) = &k.arm else { return };
        let own_row = has_own_row(slider, &at.sliders[j]);
        let sliding = slider.border;
        let pressed = dot(multipliers, arm.turned);
        let weights = &k.point.rotation;
        let nodes = k.point.carriers(&slider.path);
        for (l, node) in nodes.iter().enumerate() {
            let Some(e) = node.rotation.and_then(|r| self.equation_of(r)) else {
                continue;
            };
            let slope = arm.tangent_change([weights[0][l], weights[1][l]]);
            for (i, lever) in arm.lever.into_iter().enumerate() {
                matrix.add_column(e, sliding + 1 + i, -weights[0][l] * lever);
            }
            matrix.add_column(e, sliding, -dot(multipliers, slope));
            if own_row {
                let by_tangent = [row.by_tangent[0], row.by_tangent[1], 0.0];
                matrix.add_row(sliding, e, dot(&by_tangent, slope));
            }
            for (m, other) in nodes.iter().enumerate().take(l + 1) {
                if let Some(f) = other.rotation.and_then(|r| self.equation_of(r)) {
                    let place = matrix.interior.layout.position(e, f);
                    matrix.interior.values[place] += pressed * weights[0][l] * weights[0][m];
                }
            }
        }
    }
}
