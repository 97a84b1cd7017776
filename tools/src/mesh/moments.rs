//! Area, centroid and second moment of area from the outline of a mesh.

use coulisse::mesh::Mesh;
use coulisse::numerics::gauss::legendre;
use coulisse::numerics::lagrange::{Shape, shape};

pub struct Moments {
    /// m².
    pub area: f64,
    /// m.
    pub centre: [f64; 2],
    /// Polar second moment about the centroid, m⁴.
    pub polar: f64,
}

impl Moments {
    /// By Green's theorem along the closed `loops` of sides, with the body on the left: A = ∮ x dy, ∫ x dA = ½ ∮ x² dy,
    /// ∫ x² dA = ⅓ ∮ x³ dy, and those of y with −dx. Exact for curved sides.
    pub fn of(mesh: &Mesh, loops: &[Vec<usize>]) -> Moments {
        let order = mesh.order;
        // Of degree 4p − 1.
        let rule: Vec<(f64, Shape)> = legendre(2 * order)
            .into_iter()
            .map(|(xi, weight)| (weight, shape(order, xi)))
            .collect();
        // Counted from a node, far less is lost to rounding than from the origin.
        let origin = mesh.nodes[loops[0][0]];
        let (mut area, mut first, mut second) = (0.0, [0.0; 2], 0.0);
        let sides = loops
            .iter()
            .flat_map(|l| l.windows(order + 1).step_by(order));
        for side in sides {
            for (weight, shape) in &rule {
                let (mut at, mut slope) = ([0.0; 2], [0.0; 2]);
                for (l, &node) in side.iter().enumerate() {
                    for i in 0..2 {
                        let place = mesh.nodes[node][i] - origin[i];
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
        let centre = first.map(|s| s / area);
        Moments {
            area,
            centre: [0, 1].map(|i| centre[i] + origin[i]),
            polar: second - area * (centre[0] * centre[0] + centre[1] * centre[1]),
        }
    }
}
