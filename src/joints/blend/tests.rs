use super::*;
use crate::joints::path::{Path, PathPoint};

/// Elements of all orders and of unequal lengths in one line, on nodes of their own.
fn chain(parts: &[(usize, f64)]) -> Vec<PathElement> {
    let (mut start, mut node) = (0.0, 0);
    parts
        .iter()
        .map(|&(order, length)| {
            let element = PathElement {
                nodes: (node..=node + order)
                    .map(|k| Node { position: [3 * k, 3 * k + 1], rotation: Some(3 * k + 2) })
                    .collect(),
                start,
                length,
                curve: None,
                turned: vec![0.0; order + 1],
                normal: [0.0, 1.0],
                ends_member: false,
            };
            start += length;
            node += order;
            element
        })
        .collect()
}

const MIXED: [(usize, f64); 6] = [(1, 0.7), (4, 1.0), (3, 0.1), (3, 2.5), (2, 1.0), (4, 1.3)];

/// s of every node.
fn places(elements: &[PathElement]) -> Vec<f64> {
    let mut places = vec![0.0];
    for e in elements {
        let last = e.nodes.len() - 1;
        places.extend((1..=last).map(|k| e.start + e.length * k as f64 / last as f64));
    }
    places
}

/// Weights of all nodes of the path with their first three derivatives.
fn spread(path: &Path, point: &PathPoint) -> [Vec<f64>; 4] {
    let elements = path.elements();
    let nodes = 1 + elements.iter().map(|e| e.nodes.len() - 1).sum::<usize>();
    let [value, slope, bend] = point.position;
    [value, slope, bend, path.third_derivatives(point)].map(|weights| {
        let mut all = vec![0.0; nodes];
        for (node, w) in point.carriers(path).iter().zip(weights) {
            all[node.position[0] / 3] += w;
        }
        all
    })
}

fn weights_at(path: &Path, s: f64) -> [Vec<f64>; 4] {
    spread(path, &path.point_on(path.element_at(s), s))
}

/// Value and first three derivatives at s of what has the `values` at the nodes.
fn field(path: &Path, values: &[f64], s: f64) -> [f64; 4] {
    weights_at(path, s).map(|w| w.iter().zip(values).map(|(w, v)| w * v).sum())
}

fn largest_difference(a: &[f64], b: &[f64]) -> f64 {
    let pairs = a.iter().zip(b);
    pairs.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

#[test]
fn value_slope_and_curvature_go_on_from_element_to_element() {
    for smooth in [true, false] {
        let path = Path::new(chain(&MIXED), smooth);
        for e in 0..MIXED.len() - 1 {
            let s = path.elements()[e + 1].start;
            let [before, after] = [e, e + 1].map(|e| spread(&path, &path.point_on(e, s)));
            // In units of the shorter element.
            let length = MIXED[e].1.min(MIXED[e + 1].1);
            let jumps: [f64; 3] = std::array::from_fn(|d| {
                length.powi(d as i32) * largest_difference(&before[d], &after[d])
            });
            assert!(jumps[0] < 1e-14, "{e}: {jumps:?}");
            if smooth {
                assert!(jumps[1] < 1e-12 && jumps[2] < 1e-11, "{e}: {jumps:?}");
            } else {
                assert!(jumps[1] > 0.1, "{e}: {jumps:?}");
            }
        }
    }
}

#[test]
fn the_path_passes_through_the_nodes_where_elements_end() {
    let path = Path::new(chain(&MIXED), true);
    let mut node = 0;
    for (element, (order, _)) in path.elements().iter().zip(MIXED) {
        let mut unit = vec![0.0; 18];
        unit[node] = 1.0;
        let [weights, ..] = weights_at(&path, element.start);
        assert!(largest_difference(&weights, &unit) < 1e-14, "{node}");
        node += order;
    }
}

#[test]
fn derivatives_are_those_of_differences() {
    let path = Path::new(chain(&MIXED), true);
    let length = path.length();
    for k in 0..400 {
        let s = length * (f64::from(k) + 0.37) / 400.0;
        let (d, element) = (1e-5, path.element_at(s));
        let [low, here, high] = [-d, 0.0, d].map(|d| spread(&path, &path.point_on(element, s + d)));
        for order in 1..4 {
            for node in 0..here[0].len() {
                let seen = (high[order - 1][node] - low[order - 1][node]) / (2.0 * d);
                let exact = here[order][node];
                // On the element of 0.1 m third and fourth derivatives are thousands.
                let allowed = 1e-4 * (1.0 + exact.abs());
                assert!((seen - exact).abs() < allowed, "{s} {node}: {seen} {exact}");
            }
        }
    }
}

#[test]
fn what_all_elements_can_represent_is_kept() {
    for (parts, degree) in [
        (vec![(1, 0.7), (4, 1.0), (2, 0.1)], 1),
        (vec![(2, 0.7), (4, 1.0), (2, 0.1), (3, 4.0)], 2),
        (vec![(3, 1.0), (4, 0.3), (3, 2.0)], 3),
        (vec![(4, 1.0), (4, 3.0)], 4),
    ] {
        let path = Path::new(chain(&parts), true);
        for power in 0..=degree {
            let at = |s: f64| (s - 0.9).powi(power);
            let values: Vec<f64> = places(path.elements()).into_iter().map(at).collect();
            for k in 0..=200 {
                let s = path.length() * f64::from(k) / 200.0;
                let [value, ..] = field(&path, &values, s);
                assert!((value - at(s)).abs() < 1e-10, "{parts:?} {power} {s}: {value}");
            }
        }
    }
}

/// Largest error of sin s over 6 m in value, slope and second derivative.
fn errors(order: usize, count: usize, smooth: bool) -> [f64; 3] {
    let parts = vec![(order, 6.0 / count as f64); count];
    let path = Path::new(chain(&parts), smooth);
    let values: Vec<f64> = places(path.elements()).into_iter().map(f64::sin).collect();
    let mut worst = [0.0_f64; 3];
    for k in 0..3000 {
        let s = 6.0 * (f64::from(k) + 0.5) / 3000.0;
        let exact = [s.sin(), s.cos(), -s.sin()];
        for (worst, (ours, exact)) in
            worst.iter_mut().zip(field(&path, &values, s).into_iter().zip(exact))
        {
            *worst = worst.max((ours - exact).abs());
        }
    }
    worst
}

#[test]
fn smoothing_keeps_the_order_of_the_elements() {
    for order in 1..=4 {
        let [coarse, fine] = [12, 24].map(|count| errors(order, count, true));
        let rough = errors(order, 24, false);
        println!("order {order}: {coarse:?}, {fine:?}; C⁰ {rough:?}");
        for d in 0..3 {
            let rate = (coarse[d] / fine[d]).log2();
            let expected = (order + 1 - d) as f64;
            assert!(rate > expected - 0.3, "order {order}, {d}: {rate:.2}");
            // Inner nodes are no longer met, so that the value errs between them by a little more.
            let worse = if d == 0 { 4.0 } else { 1.5 };
            assert!(fine[d] < worse * rough[d], "order {order}, {d}");
        }
    }
}

#[test]
fn a_long_element_is_left_alone_beyond_the_length_of_its_short_neighbour() {
    let parts = [(3, 50.0), (3, 0.5)];
    let [smooth, alone] = [true, false].map(|smooth| Path::new(chain(&parts), smooth));
    for s in [0.0, 10.0, 40.0, 49.4] {
        assert_eq!(weights_at(&smooth, s), weights_at(&alone, s));
    }
    // One unit at the end of the short one moves no place between by more than it would anywhere.
    let mut values = vec![0.0; 7];
    values[6] = 1.0;
    let highest = |path: &Path| {
        let places = (0..1000).map(|k| 0.0505 * f64::from(k));
        places.fold(0.0_f64, |most, s| most.max(field(path, &values, s)[0].abs()))
    };
    let (ours, equal) = (highest(&smooth), {
        let path = Path::new(chain(&[(3, 0.5), (3, 0.5)]), true);
        let places = (0..1000).map(|k| 0.001 * f64::from(k));
        places.fold(0.0_f64, |most, s| most.max(field(&path, &values, s)[0].abs()))
    });
    assert!(ours <= equal.max(1.0) + 1e-12, "{ours} {equal}");
}

#[test]
fn corners_and_hinges_stay_and_slight_turns_do_not() {
    let joined = |turn: f64, hinge: bool| {
        let mut elements = chain(&[(3, 1.0), (3, 1.0)]);
        elements[1].normal = [-turn.sin(), turn.cos()];
        if hinge {
            elements[1].nodes[0].rotation = Some(99);
        }
        let path = Path::new(elements, true);
        path.carriers(0).len() > 4
    };
    assert!(joined(0.0, false) && joined(9e-4, false) && joined(-9e-4, false));
    assert!(!joined(1.1e-3, false) && !joined(-1.1e-3, false) && !joined(3.0, false));
    assert!(!joined(0.0, true));
}

#[test]
fn beyond_its_ends_a_smooth_path_goes_on_straight() {
    let path = Path::new(chain(&[(3, 1.0), (4, 2.0)]), true);
    let values: Vec<f64> = (0..8).map(|k| (1.3 * f64::from(k)).sin()).collect();
    for (end, out) in [(0.0, -1.0), (3.0, 1.0)] {
        let [value, slope, ..] = field(&path, &values, end);
        let [far, same, none, _] = field(&path, &values, end + 0.8 * out);
        assert!((far - value - 0.8 * out * slope).abs() < 1e-12);
        assert!((same - slope).abs() < 1e-12 && none == 0.0);
    }
}
