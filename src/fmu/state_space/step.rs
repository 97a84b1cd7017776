//! Exact steps of a linear model.

use nalgebra::DMatrix;

use super::StateSpace;

/// A step of one length, exact for inputs that change at constant rates:
///
/// ```text
/// [Φ Γ₀ Γ₁; 0 1 1; 0 0 1] = exp([A B 0; 0 0 1/h; 0 0 0] h),    x⁺ = Φ x + Γ₀ (u − u₀) + Γ₁ h u̇
/// ```
#[derive(Debug, Clone)]
pub(super) struct Step {
    pub length: f64,
    /// [Φ Γ₀ Γ₁].
    pub matrix: DMatrix<f64>,
}

impl Step {
    pub fn of(model: &StateSpace, length: f64) -> Step {
        let (n, m) = model.b.shape();
        let mut whole = DMatrix::zeros(n + 2 * m, n + 2 * m);
        whole.view_mut((0, 0), (n, n)).copy_from(&(&model.a * length));
        whole.view_mut((0, n), (n, m)).copy_from(&(&model.b * length));
        whole.view_mut((n, n + m), (m, m)).fill_with_identity();
        Step { length, matrix: whole.exp().rows(0, n).into_owned() }
    }
}
