//! Dual functions of the nodes of a side (Wohlmuth 2000).
//!
//! ```text
//! ψ = D M⁻¹ N,   D = diag ∫ N dξ,   M = ∫ N Nᵀ dξ
//! ```

use nalgebra::SMatrix;

use crate::numerics::gauss;
use crate::numerics::lagrange::{MAX_NODES, shape};

/// Gauss points of the integrals, which are exact for order 4.
const POINTS: usize = 5;

/// A number of each node of a side.
pub type Values = [f64; MAX_NODES];

/// The dual functions of sides of an order.
#[derive(Debug, Clone)]
pub struct Duals {
    order: usize,
    /// D M⁻¹.
    matrix: [Values; MAX_NODES],
}

impl Duals {
    /// Dual functions of a side of the `order` 1 to 4.
    pub fn of_order(order: usize) -> Duals {
        let mut mass = SMatrix::<f64, MAX_NODES, MAX_NODES>::identity();
        for a in 0..=order {
            mass[(a, a)] = 0.0;
        }
        let mut ones = Values::default();
        for (xi, weight) in gauss::legendre(POINTS) {
            let at = shape(order, xi);
            for a in 0..=order {
                ones[a] += weight * at.value[a];
                for b in 0..=order {
                    mass[(a, b)] += weight * at.value[a] * at.value[b];
                }
            }
        }
        // Shape functions are independent.
        let inverse = mass.try_inverse().unwrap_or_default();
        let matrix = std::array::from_fn(|a| std::array::from_fn(|b| ones[a] * inverse[(a, b)]));
        Duals { order, matrix }
    }

    /// ψ at ξ with its derivative.
    pub fn at(&self, xi: f64) -> [Values; 2] {
        let at = shape(self.order, xi);
        [at.value, at.first].map(|shapes| self.of(&shapes))
    }

    /// Values of the dual functions, or their derivatives, where those of the shape functions are `shapes`.
    pub fn of(&self, shapes: &Values) -> Values {
        self.matrix.map(|row| row.iter().zip(shapes).map(|(a, n)| a * n).sum())
    }
}
