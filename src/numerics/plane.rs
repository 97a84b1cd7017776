//! Vectors in the plane; points: how far they extend, and which place of a line or a curve is nearest to one.

use crate::numerics::hypot::hypot;

/// a·b.
pub fn dot(a: [f64; 2], b: [f64; 2]) -> f64 {
    a[0] * b[0] + a[1] * b[1]
}

/// A vector turned by the angle whose cosine and sine these are.
pub fn rotated([cos, sin]: [f64; 2], [x, y]: [f64; 2]) -> [f64; 2] {
    [cos * x - sin * y, sin * x + cos * y]
}

/// A vector turned by an angle.
pub fn turned(vector: [f64; 2], angle: f64) -> [f64; 2] {
    let (sin, cos) = angle.sin_cos();
    rotated([cos, sin], vector)
}

/// Diagonal of the box around `points`; not finite without any.
pub fn extent(points: impl IntoIterator<Item = [f64; 2]>) -> f64 {
    let (mut low, mut high) = ([f64::INFINITY; 2], [f64::NEG_INFINITY; 2]);
    for point in points {
        for i in 0..2 {
            low[i] = low[i].min(point[i]);
            high[i] = high[i].max(point[i]);
        }
    }
    hypot(high[0] - low[0], high[1] - low[1])
}

/// Share of the way from `a` to `b` at which that segment is nearest to a point, and the distance.
pub fn nearest_on_segment([a, b]: [[f64; 2]; 2], point: [f64; 2]) -> (f64, f64) {
    let d = [b[0] - a[0], b[1] - a[1]];
    let along = (point[0] - a[0]) * d[0] + (point[1] - a[1]) * d[1];
    let share = (along / (d[0] * d[0] + d[1] * d[1])).clamp(0.0, 1.0);
    let away = [0, 1].map(|i| a[i] + share * d[i] - point[i]);
    (share, hypot(away[0], away[1]))
}

/// Share of a curve at which it is nearest to a point, and the distance: the best of `samples` + 1
/// places, then bisection for where it is perpendicular beside it.
///
/// `look` gives, at a share from 0 to 1, the way from the point to the curve and the curve's tangent
/// of any length. Two places of the curve are at most `length` times the difference of their shares apart, m; infinite where that is not known.
pub fn nearest_on_curve(
    look: impl Fn(f64) -> ([f64; 2], [f64; 2]), length: f64, samples: usize,
) -> (f64, f64) {
    let distance = |share: f64| {
        let [x, y] = look(share).0;
        hypot(x, y)
    };
    // Beyond the perpendicular the curve leads away.
    let leading = |share: f64| {
        let (away, tangent) = look(share);
        away[0] * tangent[0] + away[1] * tangent[1]
    };
    let sample = |k: usize| k as f64 / samples as f64;
    let best = nearest_sample(|k| distance(sample(k)), length / samples as f64, samples);
    let mut low = sample(best.saturating_sub(1));
    let mut high = sample((best + 1).min(samples));
    if leading(low) > 0.0 {
        high = low;
    }
    if leading(high) < 0.0 {
        low = high;
    }
    for _ in 0..60 {
        let middle = 0.5 * (low + high);
        if leading(middle) > 0.0 {
            high = middle;
        } else {
            low = middle;
        }
    }
    let share = 0.5 * (low + high);
    (share, distance(share))
}

/// The first of the places from 0 to `last` with the smallest distance from a point, where two that follow each other are at most `step`
/// (m) apart: between two places no other is nearer than half the sum of their distances less half of what they are apart.
fn nearest_sample(distance: impl Fn(usize) -> f64, step: f64, last: usize) -> usize {
    // The last bits of a length decide nothing.
    let step = step * (1.0 + 1e-9);
    let ends = [0, last].map(|k| (distance(k), k));
    let nearer =
        |a: (f64, usize), b: (f64, usize)| if b.0 < a.0 || b.0 == a.0 && b.1 < a.1 { b } else { a };
    let mut best = nearer(ends[0], ends[1]);
    let mut ranges = vec![ends];
    while let Some([a, b]) = ranges.pop() {
        let between = b.1 - a.1;
        if between < 2 || 0.5 * (a.0 + b.0 - between as f64 * step) > best.0 {
            continue;
        }
        let k = a.1 + between / 2;
        let middle = (distance(k), k);
        best = nearer(best, middle);
        // That with the nearer end is next.
        let mut halves = [[a, middle], [middle, b]];
        if a.0 < b.0 {
            halves.reverse();
        }
        ranges.extend(halves);
    }
    best.1
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_nearest_place_is_the_foot_of_the_perpendicular_or_an_end() {
        let segment = [[1.0, 1.0], [4.0, 5.0]];
        assert_eq!(nearest_on_segment(segment, [0.0, 0.0]).0, 0.0);
        let (share, distance) = nearest_on_segment(segment, [1.0 + 1.5 - 4.0, 1.0 + 2.0 + 3.0]);
        assert!((share - 0.5).abs() < 1e-15 && (distance - 5.0).abs() < 1e-15);
        // A half circle about the origin.
        let look = |point: [f64; 2]| {
            move |share: f64| {
                let (sin, cos) = (std::f64::consts::PI * share).sin_cos();
                ([cos - point[0], sin - point[1]], [-sin, cos])
            }
        };
        let (share, distance) = nearest_on_curve(look([1.0, 1.0]), std::f64::consts::PI, 8);
        assert!((share - 0.25).abs() < 1e-15);
        assert!((distance - (2.0_f64.sqrt() - 1.0)).abs() < 1e-15);
        assert_eq!(nearest_on_curve(look([0.5, -0.5]), std::f64::consts::PI, 8).0, 0.0);
    }

    #[test]
    fn the_nearest_place_is_that_of_all_places_looked_at_one_by_one() {
        // A circle with waves.
        let places: Vec<[f64; 2]> = (0..=500)
            .map(|k| {
                let angle = 0.012 * f64::from(k);
                let radius = 1.0 + 0.2 * (9.0 * angle).sin();
                [radius * angle.cos(), radius * angle.sin()]
            })
            .collect();
        let longest = places.windows(2).map(|two| apart(two[0], two[1])).fold(0.0, f64::max);
        for k in 0..200 {
            let point = [0.02 * f64::from(k % 40) - 0.4, 0.3 * f64::from(k / 40) - 0.7];
            let distance = |k: usize| apart(places[k], point);
            let all = (0..=500).min_by(|&a, &b| distance(a).total_cmp(&distance(b)));
            assert_eq!(Some(nearest_sample(distance, longest, 500)), all);
        }
    }

    fn apart(a: [f64; 2], b: [f64; 2]) -> f64 {
        (a[0] - b[0]).hypot(a[1] - b[1])
    }
}
