//! Curves against their closed forms.

use std::f64::consts::{FRAC_PI_2, PI};

use super::*;

#[test]
fn an_arc_stays_at_its_radius_and_keeps_its_length_between_places() {
    for angle in [-6.1, -2.0, -1e-9, 0.0, 1e-5, 0.3, PI, 5.0] {
        let (from, to) = ([1.0, 2.0], [3.0, 1.5]);
        let axis = Axis::Arc(Arc::new(from, to, angle));
        let places = axis.places(12);
        assert_eq!((places[0].position, places[12].position), (from, to));
        assert!((places[12].angle - places[0].angle - angle).abs() < 1e-14);
        let chord = 4.25_f64.sqrt();
        let step = axis.length() / 12.0;
        let part =
            if angle == 0.0 { step } else { chord / (angle / 2.0).sin() * (angle / 24.0).sin() };
        for pair in places.windows(2) {
            let [a, b] = [pair[0].position, pair[1].position];
            let seen = (b[0] - a[0]).hypot(b[1] - a[1]);
            assert!((seen - part).abs() < 1e-14, "{angle}: {seen} {part}");
        }
        if angle.abs() > 0.1 {
            let radius = chord / 2.0 / (angle / 2.0).sin();
            let centre = |p: &Place| {
                let (sin, cos) = p.angle.sin_cos();
                [p.position[0] - radius * sin, p.position[1] + radius * cos]
            };
            let first = centre(&places[0]);
            for p in &places {
                let c = centre(p);
                assert!((c[0] - first[0]).hypot(c[1] - first[1]) < 1e-13);
            }
        }
    }
}

#[test]
fn the_three_ways_to_give_an_arc_agree() {
    let (from, to) = ([-1.0, 0.0], [1.0, 0.0]);
    // The lower half of the unit circle turns to the left.
    assert!((Arc::angle_through(from, to, [0.0, -1.0]) - PI).abs() < 1e-15);
    assert!((Arc::angle_through(from, to, [0.6, 0.8]) + PI).abs() < 1e-15);
    assert_eq!(Arc::angle_of_radius(from, to, 1.0), Some(PI));
    assert_eq!(Arc::angle_of_radius(from, to, -1.0), Some(-PI));
    assert_eq!(Arc::angle_of_radius(from, to, 0.9), None);
    let shallow = Arc::angle_of_radius(from, to, 2.0).expect("an arc");
    let middle = Arc::new(from, to, shallow).at(0.5).position;
    assert!((middle[1] + 2.0 - 3.0_f64.sqrt()).abs() < 1e-14);
    assert!((Arc::angle_through(from, to, middle) - shallow).abs() < 1e-14);
}

/// A spline through points of the unit circle from −90° to 90°.
fn half_circle(points: usize) -> Axis {
    let points: Vec<[f64; 2]> = (0..=points)
        .map(|k| -FRAC_PI_2 + PI * k as f64 / points as f64)
        .map(|a| [a.cos(), a.sin()])
        .collect();
    Axis::Spline(PlaneSpline::through(&points).expect("a curve"))
}

#[test]
fn a_spline_through_points_of_a_circle_tends_to_it() {
    let axis = half_circle(64);
    assert!((axis.length() - PI).abs() < 1e-4);
    let places = axis.places(20);
    for (k, place) in places.iter().enumerate().skip(3).take(15) {
        let a = PI * k as f64 / 20.0;
        assert!((place.position[0] - a.sin()).abs() < 1e-4);
        assert!((place.position[1] + a.cos()).abs() < 1e-4);
        assert!((place.angle - a).abs() < 1e-3, "{k}: {}", place.angle);
    }
    let (part, turn) = axis.largest_turn(4);
    assert!((turn - PI / 4.0).abs() < 0.02, "{part} {turn}");
}

#[test]
fn places_on_a_spline_are_equally_far_apart_along_it() {
    let axis = half_circle(5);
    // Chords of ever shorter pieces add up to the length with their square.
    let chords = |count: usize| {
        let places = axis.places(count);
        let far = |p: &[Place]| {
            let [a, b] = [p[0].position, p[1].position];
            (b[0] - a[0]).hypot(b[1] - a[1])
        };
        places.windows(2).map(far).collect::<Vec<f64>>()
    };
    let (coarse, fine) = (chords(400), chords(800));
    let sum = |c: &[f64]| c.iter().sum::<f64>();
    let limit = (4.0 * sum(&fine) - sum(&coarse)) / 3.0;
    assert!((limit - axis.length()).abs() < 1e-10);
    for chord in fine {
        assert!((chord - axis.length() / 800.0).abs() < 1e-8);
    }
}

#[test]
fn the_nearest_place_is_the_foot_of_the_perpendicular_or_an_end() {
    let arc = Axis::Arc(Arc::new([-1.0, 0.0], [1.0, 0.0], PI));
    let (share, distance) = arc.nearest([0.3, -0.4]);
    let exact = (0.3_f64.atan2(0.4) + FRAC_PI_2) / PI;
    assert!((share - exact).abs() < 1e-14 && (distance - 0.5).abs() < 1e-14);
    assert_eq!(arc.nearest([-1.0, 0.5]), (0.0, 0.5));
    let spline = half_circle(6);
    let at = spline.at(0.37).position;
    let (share, distance) = spline.nearest(at);
    assert!((share - 0.37).abs() < 1e-12 && distance < 1e-12);
}
