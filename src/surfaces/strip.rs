//! A piece of a rigid surface between two of its points: what presses there, integrated exactly, however the surface is meshed.
//!
//! Over a straight piece in front of a straight path the depth changes evenly. Where one of them is curved the piece has three points, whose
//! depths are the coefficients of a parabola in Bernstein's form:
//!
//! ```text
//! r(t) = Σ B_a(t) r_a,   r_a = π_a + α_a,   B = (1 − t, t)  or  ((1 − t)², 2t(1 − t), t²),   Σ B_a = 1,   B_a ≥ 0
//! E = ½ k χ ∫ (⟨r⟩² − α²) dS,   N_a = ∂E/∂π_a = k χ ∫ B_a ⟨r⟩ dS,   χ = mean of χ_a
//! ```
//!
//! Where its points touch different faces of a guide, h(t) = Σ B_a σ_a (r_a + W) leads from one face to the other, and ⟨h − W⟩ and ⟨−h − W⟩
//! press.

use super::layer::Pressed;

/// Most points of a piece.
pub const MOST: usize = 3;

/// Gauss's rule of three points on [0, 1], exact for the square of a parabola.
const RULE: [(f64, f64); 3] = [
    (0.112_701_665_379_258_31, 5.0 / 18.0),
    (0.5, 4.0 / 9.0),
    (0.887_298_334_620_741_7, 5.0 / 18.0),
];

/// A piece between points.
#[derive(Debug, Clone)]
pub struct Strip {
    /// Their numbers among all points: those of its ends, of a curved one with that of its middle between them.
    pub points: Vec<usize>,
    /// m.
    pub length: f64,
    /// k times its length, N/m.
    pub stiffness: f64,
}

/// A point of a piece.
#[derive(Debug, Clone, Copy, Default)]
pub struct End {
    /// π and α, m.
    pub depth: f64,
    pub advance: f64,
    /// σ.
    pub side: f64,
    /// χ with its derivatives by s.
    pub share: [f64; 3],
    /// What is off by no more touches without force, m.
    pub rounding: f64,
}

/// What presses on a piece.
#[derive(Debug, Clone, Copy, Default)]
pub struct Between {
    /// What each of its points gets of it.
    pub ends: [Pressed; MOST],
    /// Length that touches, m, each point's part of it.
    pub touching: [f64; MOST],
    /// ∂N_a/∂π_b, N/m.
    pub by_depth: [[f64; MOST]; MOST],
    /// ∂N_a/∂s_b, which is the derivative by π_a of the force along the path at b, N/m.
    pub by_s: [[f64; MOST]; MOST],
    /// Derivatives of the force along the path at a by α_b, N/m.
    pub by_advance: [[f64; MOST]; MOST],
    /// B of its points at the place that is deepest, where it has three and that is not one of its ends.
    pub deepest: Option<[f64; MOST]>,
}

/// B at t of a piece of so many points.
fn basis(count: usize, t: f64) -> [f64; MOST] {
    let u = 1.0 - t;
    match count {
        2 => [u, t, 0.0],
        _ => [u * u, 2.0 * u * t, t * t],
    }
}

/// Coefficients of Σ B c by powers of t.
fn powers(count: usize, [a, b, c]: [f64; MOST]) -> [f64; 3] {
    match count {
        2 => [a, b - a, 0.0],
        _ => [a, 2.0 * (b - a), (a - b) + (c - b)],
    }
}

/// t in (0, 1) where a parabola changes its sign; NaN beyond.
fn roots([c, b, a]: [f64; 3]) -> [f64; 2] {
    let root = (b * b - 4.0 * a * c).sqrt();
    let half = -0.5 * (b + root.copysign(b));
    let [p, q] = [half / a, c / half];
    [p.min(q), p.max(q)].map(|t| if t > 0.0 && t < 1.0 { t } else { f64::NAN })
}

/// Sums over where one face presses on a piece of k L = 1.
#[derive(Default)]
struct Sums {
    energy: f64,
    /// ∫ B ⟨r⟩ and ∫ B B.
    forces: [f64; MOST],
    by: [[f64; MOST]; MOST],
    touching: [f64; MOST],
}

impl Sums {
    /// Adds where Σ B c is positive; forces count on the face of each point, whose side of this one is `sides`.
    fn add(&mut self, count: usize, c: [f64; MOST], sides: [f64; MOST]) {
        if c[..count].iter().all(|c| *c <= 0.0) {
            return;
        }
        let powers = powers(count, c);
        let at = |t: f64| powers[0] + t * (powers[1] + t * powers[2]);
        let mut from = 0.0;
        for to in roots(powers).into_iter().chain([1.0]) {
            // Where the sign does not change NaN begins nothing.
            if to.is_nan() || to <= from {
                continue;
            }
            let length = to - from;
            if at(from + 0.5 * length) > 0.0 {
                for (x, weight) in RULE {
                    let t = from + length * x;
                    let (weight, basis, r) = (length * weight, basis(count, t), at(t));
                    self.energy += 0.5 * weight * r * r;
                    for (a, own) in basis.iter().map(|b| weight * b).enumerate() {
                        self.touching[a] += own;
                        self.forces[a] += sides[a] * own * r;
                        for (b, other) in basis.iter().enumerate() {
                            self.by[a][b] += sides[a] * sides[b] * own * other;
                        }
                    }
                }
            }
            from = to;
        }
    }
}

impl Strip {
    /// What presses on it, of a guide whose faces stand so far beside the path, m.
    pub fn press(&self, ends: &[End], offset: f64) -> Between {
        let count = ends.len();
        let of = |value: &dyn Fn(&End) -> f64| {
            let mut all = [0.0; MOST];
            all.iter_mut().zip(ends).for_each(|(one, end)| *one = value(end));
            all
        };
        let reach = of(&|end| end.depth + end.advance);
        let mut sums = Sums::default();
        if ends.iter().all(|end| end.side == ends[0].side) {
            sums.add(count, reach, [1.0; MOST]);
        } else {
            let height = of(&|end| end.side * (end.depth + end.advance + offset));
            for face in [1.0, -1.0] {
                let beyond = height.map(|h| face * h - offset);
                sums.add(count, beyond, of(&|end| face * end.side));
            }
        }
        let powers = powers(count, reach);
        let top = -0.5 * powers[1] / powers[2];
        let inside = powers[2] < 0.0 && top > 0.0 && top < 1.0;
        let deepest = inside.then(|| basis(count, top));
        let touches = |a: usize| {
            let own = match a == 1 && count == MOST {
                true => powers[0] + top * (powers[1] + top * powers[2]),
                false => reach[a],
            };
            (a != 1 || count != MOST || inside)
                && own >= -ends[a].rounding
                && ends[a].share[0] > 0.0
        };
        let share = of(&|end| end.share[0]).iter().sum::<f64>() / count as f64;
        let pressed = sums.energy != 0.0;
        if share <= 0.0 || !pressed && !(0..count).any(touches) {
            return Between { deepest, ..Between::default() };
        }
        let k = self.stiffness;
        // Of what the faces that have come towards it store.
        let mut came = [0.0; MOST];
        for (x, weight) in RULE {
            let basis = basis(count, x);
            let advance: f64 = ends.iter().zip(basis).map(|(end, b)| b * end.advance).sum();
            for (came, b) in came.iter_mut().zip(basis) {
                *came += weight * b * advance;
            }
        }
        let stored: f64 = ends.iter().zip(came).map(|(end, came)| came * end.advance).sum();
        let energy = k * (sums.energy - 0.5 * stored);
        let forces = sums.forces.map(|force| k * force);
        let slopes = of(&|end| end.share[1] / count as f64);
        let mut out = Between {
            touching: sums.touching.map(|part| part * self.length),
            by_depth: sums.by.map(|row| row.map(|by| share * k * by)),
            by_s: forces.map(|force| slopes.map(|slope| force * slope)),
            deepest,
            ..Between::default()
        };
        for (a, end) in ends.iter().enumerate() {
            let left = forces[a] - k * came[a];
            for (by, slope) in out.by_advance.iter_mut().zip(slopes) {
                by[a] = left * slope;
            }
            out.ends[a] = Pressed {
                touches: touches(a) || pressed,
                force: share * forces[a],
                by_depth: out.by_depth[a][a],
                along: [
                    energy * slopes[a],
                    forces[a] * slopes[a],
                    energy * end.share[2] / count as f64,
                ],
                stored: share * energy / count as f64,
                by_advance: [left * slopes[a], left * share],
            };
        }
        out
    }
}

impl Between {
    /// Turns the forces into those of contact layers whose stiffness is `factor` times as large.
    pub fn soften(&mut self, factor: f64) {
        for rows in [&mut self.by_depth, &mut self.by_s, &mut self.by_advance] {
            rows.iter_mut().flatten().for_each(|x| *x *= factor);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn strip(count: usize, length: f64, stiffness: f64) -> Strip {
        Strip { points: (0..count).collect(), length, stiffness }
    }

    /// Depths with the sides of the faces that they are beyond.
    const CASES: [(&[f64], &[f64]); 9] = [
        (&[0.3, 0.1], &[1.0, 1.0]),
        (&[0.3, -0.2], &[1.0, 1.0]),
        (&[-0.4, 0.1], &[-1.0, -1.0]),
        (&[0.2, 0.1], &[1.0, -1.0]),
        (&[0.3, 0.2, 0.1], &[1.0, 1.0, 1.0]),
        (&[-0.3, 0.4, -0.2], &[1.0, 1.0, 1.0]),
        (&[0.3, -0.4, 0.2], &[1.0, 1.0, 1.0]),
        (&[-0.1, 0.1, 0.4], &[-1.0, -1.0, -1.0]),
        (&[0.4, -0.1, 0.3], &[1.0, 1.0, -1.0]),
    ];

    const OFFSET: f64 = 0.5;

    #[test]
    fn forces_are_the_integrals_of_the_pressure() {
        for (depths, sides) in CASES {
            let ends = depths.iter().zip(sides).map(|(&depth, &side)| End {
                depth,
                side,
                share: [1.0, 0.0, 0.0],
                ..End::default()
            });
            let ends: Vec<End> = ends.collect();
            let found = strip(ends.len(), 2.0, 2e3).press(&ends, OFFSET);
            let count = 200_000;
            let (mut forces, mut energy) = ([0.0; MOST], 0.0);
            for k in 0..count {
                let weights = basis(ends.len(), (k as f64 + 0.5) / count as f64);
                // Signed distance from the middle of the guide.
                let d: f64 = (ends.iter().zip(weights))
                    .map(|(end, w)| w * end.side * (end.depth + OFFSET))
                    .sum();
                let reach = (d.abs() - OFFSET).max(0.0);
                let pressed = 1e3 * reach * 2.0 / count as f64;
                energy += 0.5 * pressed * reach;
                for (a, end) in ends.iter().enumerate() {
                    forces[a] += pressed * weights[a] * d.signum() * end.side;
                }
            }
            let largest = forces.iter().fold(0.0, |most: f64, f| most.max(f.abs()));
            for a in 0..ends.len() {
                let force = found.ends[a].force;
                assert!(
                    (force - forces[a]).abs() < 1e-6 * largest,
                    "{depths:?}: {force} {forces:?}"
                );
            }
            let stored: f64 = found.ends.iter().map(|end| end.stored).sum();
            assert!((stored - energy).abs() < 1e-6 * energy, "{depths:?}");
        }
    }

    #[test]
    fn all_derivatives_are_those_of_the_energy() {
        let share = |s: f64| [0.4 + 0.3 * s + 0.2 * s * s, 0.3 + 0.4 * s, 0.4];
        for (depths, sides) in CASES {
            let count = depths.len();
            // π, s and α of all.
            let place: Vec<f64> = (0..3 * count)
                .map(|k| {
                    [depths[k / 3], 0.1 - 0.15 * (k / 3) as f64, 0.02 + 0.01 * (k / 3) as f64]
                        [k % 3]
                })
                .collect();
            let press = |p: &[f64]| {
                let ends = p.chunks(3).zip(sides).map(|(p, &side)| End {
                    depth: p[0],
                    advance: p[2],
                    side,
                    share: share(p[1]),
                    rounding: 0.0,
                });
                strip(count, 1.0, 1.0).press(&ends.collect::<Vec<_>>(), OFFSET)
            };
            let stored = |p: &[f64]| press(p).ends.iter().map(|end| end.stored).sum::<f64>();
            let found = press(&place);
            let by = |k: usize, of: &dyn Fn(&[f64]) -> f64| {
                let step = 1e-6;
                let moved = |by: f64| {
                    let mut place = place.clone();
                    place[k] += by;
                    of(&place)
                };
                (moved(step) - moved(-step)) / (2.0 * step)
            };
            let close = |found: f64, k: usize, of: &dyn Fn(&[f64]) -> f64| {
                let exact = by(k, of);
                assert!((found - exact).abs() < 1e-8, "{depths:?} {k}: {found} {exact}");
            };
            for a in 0..count {
                let pressed = found.ends[a];
                let force = |p: &[f64]| press(p).ends[a].force;
                let along = |p: &[f64]| press(p).ends[a].along[0];
                close(pressed.force, 3 * a, &stored);
                close(pressed.along[0], 3 * a + 1, &stored);
                close(pressed.by_advance[1], 3 * a + 2, &stored);
                close(pressed.along[1], 3 * a + 1, &force);
                close(pressed.along[1], 3 * a, &along);
                close(pressed.along[2], 3 * a + 1, &along);
                close(pressed.by_advance[0], 3 * a + 2, &along);
                for b in 0..count {
                    close(found.by_depth[a][b], 3 * b, &force);
                    close(found.by_s[a][b], 3 * b + 1, &force);
                    close(found.by_s[b][a], 3 * b, &along);
                    close(found.by_advance[a][b], 3 * b + 2, &along);
                }
            }
        }
    }
}
