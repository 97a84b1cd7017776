//! What every law has to say.

use num_dual::{Dual64, DualNum};

/// Green strain (E₁₁, E₂₂, 2 E₁₂).
pub type Strain<D> = [D; 3];

/// ∂S/∂E by the same three numbers, Pa; symmetric.
pub type Tangent = [[f64; 3]; 3];

/// What happens across the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Across<D> {
    /// λ₃² = 1 + 2 E₃₃, the square of thickness by initial thickness.
    pub stretch_squared: D,
    /// S₃₃, Pa.
    pub stress: D,
}

/// The physics of a law, over plain numbers and those with derivatives.
pub trait Law {
    /// Principal stretch below which the law yields: the force no longer grows as the stretch falls. 0 where it
    /// never does.
    const LEAST_STRETCH: f64;

    /// Name of the law, state and numbers, for people.
    fn summary(&self) -> String;

    /// Strain energy per initial volume u, J/m³.
    fn energy<D: DualNum<Primitive = f64> + Copy>(&self, strain: Strain<D>) -> D;

    /// ∂u/∂E = (S₁₁, S₂₂, S₁₂), Pa.
    fn stress<D: DualNum<Primitive = f64> + Copy>(&self, strain: Strain<D>) -> [D; 3];

    /// Thickness and stress across the plane.
    fn across<D: DualNum<Primitive = f64> + Copy>(&self, strain: Strain<D>) -> Across<D>;

    /// Stress with ∂S/∂E: by dual numbers where the law does not write it out.
    fn response(&self, strain: Strain<f64>) -> ([f64; 3], Tangent) {
        let column = |i: usize| {
            let mut moving = strain.map(Dual64::from_re);
            moving[i].eps = 1.0;
            self.stress(moving).map(|s| s.eps)
        };
        (self.stress(strain), [0, 1, 2].map(column))
    }
}
