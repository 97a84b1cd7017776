//! Area, centroid and second moment of area of a mesh.

use super::Mesh;
use crate::numerics::gauss::legendre;
use crate::numerics::lagrange::{Shape, shape};

/// Integrals over the area of a mesh.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// m².
    pub area: f64,
    /// Centroid, m.
    pub centre: [f64; 2],
    /// Polar second moment about the centroid, m⁴.
    pub polar: f64,
}

impl Mesh {
    /// By Green's theorem around each triangle: A = ½ ∮ (x dy − y dx), ∫ x dA = ½ ∮ x² dy, ∫ x² dA = ⅓ ∮ x³ dy, and those of y
    /// with −dx; what two triangles share cancels. Exact for curved sides.
    pub fn moments(&self) -> Moments {
        // Of degree 4p − 1.
        let rule: Vec<(f64, Shape)> = legendre(2 * self.order)
            .into_iter()
            .map(|(xi, weight)| (weight, shape(self.order, xi)))
            .collect();
        // Counted from a node, far less is lost to rounding than from the origin.
        let origin = self.nodes.first().copied().unwrap_or_default();
        let (mut area, mut first, mut second) = (0.0, [0.0; 2], 0.0);
        for nodes in self.triangles() {
            for side in 0..3 {
                for (weight, shape) in &rule {
                    let (mut at, mut slope) = ([0.0; 2], [0.0; 2]);
                    for (l, node) in self.side(nodes, side).enumerate() {
                        for i in 0..2 {
                            let place = self.nodes[node][i] - origin[i];
                            at[i] += shape.value[l] * place;
                            slope[i] += shape.first[l] * place;
                        }
                    }
                    let ([x, y], [dx, dy]) = (at, slope);
                    area += 0.5 * weight * (x * dy - y * dx);
                    first[0] += 0.5 * weight * x * x * dy;
                    first[1] -= 0.5 * weight * y * y * dx;
                    second += weight * (x * x * x * dy - y * y * y * dx) / 3.0;
                }
            }
        }
        let centre = first.map(|s| s / area);
        Moments {
            area,
            centre: [0, 1].map(|i| centre[i] + origin[i]),
            polar: second - area * (centre[0] * centre[0] + centre[1] * centre[1]),
        }
    }
}
