//! A straight piece of a rigid surface between two of its points, over which the depth changes evenly: what presses there, integrated
//! exactly, however the surface is meshed.
//!
//! ```text
//! E = ½ k χ ∫ (⟨r⟩² − α²) dS,   r = π + α,   N_a = ∂E/∂π_a = k χ ∫ φ_a ⟨r⟩ dS,   φ_a + φ_b = 1,   χ = ½ (χ_a + χ_b)
//! ```
//!
//! Where its ends bear on different faces of a guide, with 2 W between these, r falls from each end by |σ_a d_a − σ_b d_b| per length.

use super::lining::Pressed;

/// A piece between two points.
#[derive(Debug, Clone)]
pub struct Strip {
    /// Their numbers among all points.
    pub points: [usize; 2],
    /// m.
    pub length: f64,
    /// k times its length, N/m.
    pub stiffness: f64,
}

/// An end of a piece.
#[derive(Debug, Clone, Copy)]
pub struct End {
    /// π and α, m.
    pub depth: f64,
    pub advance: f64,
    /// χ with its derivatives by s.
    pub share: [f64; 3],
    /// What is off by no more touches without force, m.
    pub rounding: f64,
}

/// What presses on a piece.
#[derive(Debug, Clone, Copy, Default)]
pub struct Between {
    /// What each of its points gets of it.
    pub ends: [Pressed; 2],
    /// Length that touches, m, each point's part of it.
    pub touching: [f64; 2],
    /// ∂N/∂π of the other point, N/m.
    pub by_depth: f64,
    /// Of each point ∂N/∂s of the other one, N/m.
    pub by_s: [f64; 2],
    /// Of each point the derivatives of its force along the path by π and α of the other one, N/m.
    pub along: [[f64; 2]; 2],
}

/// E, N and ∂N/∂r (aa, ab, bb) of k L = 1 where both ends are `reach` (m) beyond the same face or, with so much `apart` (m), beyond two; and
/// the shares of the length that touch, of each end.
fn pressed([a, b]: [f64; 2], apart: Option<f64>) -> (f64, [f64; 2], [f64; 3], [f64; 2]) {
    let (up, low) = (a.max(b), a.min(b));
    if up <= 0.0 {
        return (0.0, [0.0; 2], [0.0; 3], [0.0; 2]);
    }
    if let Some(apart) = apart {
        let way = (a + b + apart).max(f64::MIN_POSITIVE);
        let reach = [a, b].map(|r| r.max(0.0));
        let squares = reach.map(|r| r * r / (way * way));
        let cubes = (squares[0] * reach[0] + squares[1] * reach[1]) / way;
        let (force, by) = (0.5 * way, cubes / 3.0);
        return (
            cubes * way * way / 6.0,
            squares.map(|square| force * square - cubes * way / 6.0),
            [
                reach[0] / way - squares[0] + by,
                by - 0.5 * (squares[0] + squares[1]),
                reach[1] / way - squares[1] + by,
            ],
            reach.map(|r| (r / way).min(1.0)),
        );
    }
    // The touching share, from the end that is deeper.
    let t = if low >= 0.0 { 1.0 } else { up / (up - low) };
    let own = t - t * t + t * t * t / 3.0;
    let other = t * t * t / 3.0;
    let both = t * t * (0.5 - t / 3.0);
    let touching = [t - 0.5 * t * t, 0.5 * t * t];
    let ([aa, bb], touching) = match a >= b {
        true => ([own, other], touching),
        false => ([other, own], [touching[1], touching[0]]),
    };
    let forces = [aa * a + both * b, both * a + bb * b];
    let energy = 0.5 * (forces[0] * a + forces[1] * b);
    (energy, forces, [aa, both, bb], touching)
}

impl Strip {
    /// What presses on it; `apart` (m) is the width between the faces that its ends bear on where these are two.
    pub fn press(&self, ends: [End; 2], apart: Option<f64>) -> Between {
        let reach = ends.map(|end| end.depth + end.advance);
        let touches = [0, 1].map(|k| reach[k] >= -ends[k].rounding && ends[k].share[0] > 0.0);
        let share = 0.5 * (ends[0].share[0] + ends[1].share[0]);
        let (energy, forces, [aa, ab, bb], touching) = pressed(reach, apart);
        if share <= 0.0 || (energy == 0.0 && touches == [false; 2]) {
            return Between::default();
        }
        let k = self.stiffness;
        // Of what the faces that have come towards it store.
        let [a, b] = ends.map(|end| end.advance);
        let came = [(2.0 * a + b) / 6.0, (a + 2.0 * b) / 6.0];
        let energy = k * (energy - 0.5 * (came[0] * a + came[1] * b));
        let forces = forces.map(|force| k * force);
        let left = [0, 1].map(|n| forces[n] - k * came[n]);
        let end = |n: usize, by_depth: f64| {
            let [_, slope, bend] = ends[n].share.map(|share| 0.5 * share);
            Pressed {
                touches: touches[n] || energy != 0.0,
                force: share * forces[n],
                by_depth: share * k * by_depth,
                along: [energy * slope, forces[n] * slope, energy * bend],
                stored: 0.5 * share * energy,
                by_advance: [left[n] * slope, left[n] * share],
            }
        };
        let slopes = ends.map(|end| 0.5 * end.share[1]);
        Between {
            ends: [end(0, aa), end(1, bb)],
            touching: touching.map(|part| part * self.length),
            by_depth: share * k * ab,
            by_s: [forces[0] * slopes[1], forces[1] * slopes[0]],
            along: [
                [forces[1] * slopes[0], left[1] * slopes[0]],
                [forces[0] * slopes[1], left[0] * slopes[1]],
            ],
        }
    }
}

impl Between {
    /// That of linings whose stiffness is `factor` times as large.
    pub fn soften(&mut self, factor: f64) {
        self.by_depth *= factor;
        self.by_s = self.by_s.map(|x| factor * x);
        self.along = self.along.map(|row| row.map(|x| factor * x));
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn end(depth: f64, advance: f64, share: [f64; 3]) -> End {
        End {
            depth,
            advance,
            share,
            rounding: 0.0,
        }
    }

    /// What presses between two depths on faces that are so much apart, or one.
    fn at(depths: [f64; 2], apart: Option<f64>) -> Between {
        let strip = Strip {
            points: [0, 1],
            length: 2.0,
            stiffness: 2e3,
        };
        strip.press(depths.map(|depth| end(depth, 0.0, [1.0, 0.0, 0.0])), apart)
    }

    #[test]
    fn forces_are_the_integrals_of_the_pressure() {
        let cases = [
            ([0.3, 0.1], None),
            ([0.3, -0.2], None),
            ([-0.4, 0.1], None),
            ([0.2, 0.1], Some(1.0)),
        ];
        for (depths, apart) in cases {
            let found = at(depths, apart);
            let count = 200_000;
            let (mut forces, mut energy) = ([0.0; 2], 0.0);
            for k in 0..count {
                let x = (k as f64 + 0.5) / count as f64;
                // Signed distances from the middle of the guide.
                let (reach, sign) = match apart {
                    None => (depths[0] + x * (depths[1] - depths[0]), 1.0),
                    Some(apart) => {
                        let d = depths[0] + 0.5 * apart - x * (depths[0] + depths[1] + apart);
                        (d.abs() - 0.5 * apart, d.signum())
                    }
                };
                let pressed = 1e3 * reach.max(0.0) * 2.0 / count as f64;
                forces[0] += pressed * (1.0 - x) * sign;
                // On its own face it presses the other way.
                forces[1] += pressed * x * if apart.is_some() { -sign } else { sign };
                energy += 0.5 * pressed * reach.max(0.0);
            }
            for n in 0..2 {
                let force = found.ends[n].force;
                assert!(
                    (force - forces[n]).abs() < 1e-6 * forces[0].abs().max(forces[1]),
                    "{depths:?}: {force} {forces:?}"
                );
            }
            let stored = found.ends[0].stored + found.ends[1].stored;
            assert!((stored - energy).abs() < 1e-6 * energy, "{depths:?}");
        }
    }

    #[test]
    fn all_derivatives_are_those_of_the_energy() {
        let strip = Strip {
            points: [0, 1],
            length: 1.0,
            stiffness: 1.0,
        };
        let share = |s: f64| [0.4 + 0.3 * s + 0.2 * s * s, 0.3 + 0.4 * s, 0.4];
        for apart in [None, Some(0.7)] {
            for x in [[0.3, 0.1], [0.3, -0.2], [-0.1, 0.25]] {
                // π, s and α of both.
                let place = [x[0], 0.1, 0.02, x[1], -0.2, 0.05];
                let press = |p: [f64; 6]| {
                    strip.press(
                        [end(p[0], p[2], share(p[1])), end(p[3], p[5], share(p[4]))],
                        apart,
                    )
                };
                let stored = |p| {
                    let found = press(p);
                    found.ends[0].stored + found.ends[1].stored
                };
                let found = press(place);
                let by = |k: usize, of: &dyn Fn([f64; 6]) -> f64| {
                    let step = 1e-6;
                    let moved = |by: f64| {
                        let mut place = place;
                        place[k] += by;
                        of(place)
                    };
                    (moved(step) - moved(-step)) / (2.0 * step)
                };
                let close = |found: f64, k: usize, of: &dyn Fn([f64; 6]) -> f64| {
                    let exact = by(k, of);
                    assert!(
                        (found - exact).abs() < 1e-8,
                        "{place:?} {k}: {found} {exact}"
                    );
                };
                for n in 0..2 {
                    let (own, other) = (3 * n, 3 - 3 * n);
                    let pressed = found.ends[n];
                    let force = move |p| press(p).ends[n].force;
                    let along = move |p| press(p).ends[n].along[0];
                    close(pressed.force, own, &stored);
                    close(pressed.along[0], own + 1, &stored);
                    close(pressed.by_advance[1], own + 2, &stored);
                    close(pressed.by_depth, own, &force);
                    close(found.by_depth, other, &force);
                    close(pressed.along[1], own + 1, &force);
                    close(found.by_s[n], other + 1, &force);
                    close(pressed.along[1], own, &along);
                    close(pressed.along[2], own + 1, &along);
                    close(pressed.by_advance[0], own + 2, &along);
                    close(found.along[n][0], other, &along);
                    close(found.along[n][1], other + 2, &along);
                }
            }
        }
    }
}
