//! What a rigid body without a shape is drawn as.

use super::Mesh;
use crate::numerics::hypot::hypot;

/// Half width of a spoke beside the longest one.
const HALF_WIDTH: f64 = 0.04;

/// Corners of a disc.
const CORNERS: usize = 12;

impl Mesh {
    /// Spokes from a centre to points, and where no point is elsewhere a disc of a radius, all m. Nothing follows from it but pictures.
    pub fn star(centre: [f64; 2], points: &[[f64; 2]], radius: f64) -> Mesh {
        let mut mesh = Mesh { order: 1, ..Mesh::default() };
        let from = |point: &[f64; 2]| [point[0] - centre[0], point[1] - centre[1]];
        let length = |[x, y]: [f64; 2]| hypot(x, y);
        let longest = (points.iter()).fold(0.0_f64, |most, point| most.max(length(from(point))));
        let mut fan = |corners: &[[f64; 2]]| {
            let first = mesh.nodes.len();
            mesh.nodes.extend(corners);
            let triangles = (1..corners.len() - 1).map(|k| [first, first + k, first + k + 1]);
            mesh.triangles.extend(triangles.flatten());
        };
        for point in points {
            let [x, y] = from(point);
            let own = length([x, y]);
            if own <= 1e-6 * longest || own == 0.0 {
                continue;
            }
            let share = HALF_WIDTH * longest / own;
            let beside = |side: f64| {
                [centre[0] + 0.5 * x - side * share * y, centre[1] + 0.5 * y + side * share * x]
            };
            fan(&[centre, beside(-1.0), *point, beside(1.0)]);
        }
        if longest == 0.0 {
            let corner = |k: usize| {
                let (sin, cos) = (std::f64::consts::TAU * k as f64 / CORNERS as f64).sin_cos();
                [centre[0] + radius * cos, centre[1] + radius * sin]
            };
            fan(&(0..CORNERS).map(corner).collect::<Vec<_>>());
        }
        mesh
    }
}
