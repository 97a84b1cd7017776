//! Area, centroid and second moments of area.

use super::{Curve, Mesh};
use crate::numerics::gauss::legendre;
use crate::numerics::lagrange::{Shape, shape};

/// Integrals over an area.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Moments {
    /// m².
    pub area: f64,
    /// Centroid, m.
    pub centre: [f64; 2],
    /// ∫ (x − x_c)² dA, ∫ (y − y_c)² dA, ∫ (x − x_c)(y − y_c) dA, m⁴.
    pub second: [f64; 3],
    /// Polar second moment about the centroid, m⁴.
    pub polar: f64,
}

/// Sums of Green's theorem, with places from an origin.
#[derive(Default)]
struct Sums {
    area: f64,
    first: [f64; 2],
    second: [f64; 3],
}

impl Sums {
    /// A = ½ ∮ (x dy − y dx), ∫ x dA = ½ ∮ x² dy, ∫ x² dA = ⅓ ∮ x³ dy, ∫ xy dA = ½ ∮ x² y dy, and those of y with −dx, by a
    /// place of a quadrature around the area, counter-clockwise.
    fn add(&mut self, [x, y]: [f64; 2], [dx, dy]: [f64; 2]) {
        self.area += 0.5 * (x * dy - y * dx);
        self.first[0] += 0.5 * x * x * dy;
        self.first[1] -= 0.5 * y * y * dx;
        self.second[0] += x * x * x * dy / 3.0;
        self.second[1] -= y * y * y * dx / 3.0;
        self.second[2] += 0.5 * x * x * y * dy;
    }

    fn moments(&self, origin: [f64; 2]) -> Moments {
        let area = self.area;
        let [x, y] = self.first.map(|s| s / area);
        let [xx, yy, xy] = self.second;
        let second = [xx - area * x * x, yy - area * y * y, xy - area * x * y];
        Moments {
            area,
            centre: [x + origin[0], y + origin[1]],
            second,
            polar: second[0] + second[1],
        }
    }
}

impl Moments {
    /// Moments of the area that closed loops of curves enclose, the outer one counter-clockwise, holes clockwise; to rounding.
    pub fn within<'a>(curves: impl Iterator<Item = &'a Curve> + Clone) -> Moments {
        let mut places = curves.clone().map(|curve| curve.axis.at(0.0).position);
        let origin = places.next().unwrap_or_default();
        let mut sums = Sums::default();
        for curve in curves {
            let sign = if curve.reversed { -1.0 } else { 1.0 };
            for [place, way] in curve.axis.quadrature() {
                sums.add([0, 1].map(|i| place[i] - origin[i]), way.map(|w| sign * w));
            }
        }
        sums.moments(origin)
    }
}

impl Mesh {
    /// What two triangles share cancels. Exact for curved sides.
    pub fn moments(&self) -> Moments {
        // Of degree 4p − 1.
        let rule: Vec<(f64, Shape)> = legendre(2 * self.order)
            .into_iter()
            .map(|(xi, weight)| (weight, shape(self.order, xi)))
            .collect();
        // Counted from a node, far less is lost to rounding than from the origin.
        let origin = self.nodes.first().copied().unwrap_or_default();
        let mut sums = Sums::default();
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
                    sums.add(at, slope.map(|s| weight * s));
                }
            }
        }
        sums.moments(origin)
    }

    /// The moments of what was drawn, whatever triangles fill it; those of the triangles of a mesh from a file.
    pub fn drawn_moments(&self) -> Moments {
        match self.edges.iter().any(|edge| edge.curves.is_empty()) || self.edges.is_empty() {
            true => self.moments(),
            false => Moments::within(self.edges.iter().flat_map(|edge| &edge.curves)),
        }
    }
}
