//! A face beside a quarter of an ellipse.

use crate::elements::initial::InitialAxis;
use crate::joints::element::PathElement;
use crate::joints::path::Path;
use crate::joints::roughness::Profile;
use crate::nodes::Node;

/// Elements and nodes along the ellipse.
const ELEMENTS: usize = 12;
const NODES: usize = 3 * ELEMENTS + 1;

/// Semi-axes, m.
const AXES: [f64; 2] = [2.0, 1.0];

fn initial() -> Vec<[f64; 2]> {
    let place = |k: usize| {
        let (sin, cos) = (std::f64::consts::FRAC_PI_2 * k as f64 / (NODES - 1) as f64).sin_cos();
        [AXES[0] * sin, -AXES[1] * cos]
    };
    (0..NODES).map(place).collect()
}

fn path(smooth: bool, height: f64) -> Path {
    let initial = initial();
    let (mut start, mut turned) = (0.0, 0.0);
    let mut elements = Vec::new();
    for e in 0..ELEMENTS {
        let places = &initial[3 * e..3 * e + 4];
        let direction = InitialAxis::through(places).nodes()[0].angle;
        let mut element = PathElement {
            nodes: (3 * e..3 * e + 4).map(|k| Node::from([2 * k, 2 * k + 1])).collect(),
            start,
            length: 0.0,
            curve: None,
            turned: vec![turned; 4],
            normal: [-direction.sin(), direction.cos()],
            ends_member: true,
        };
        element.follow(&InitialAxis::through(places), turned);
        element.turn_back(turned);
        start = element.start + element.length;
        turned = element.turned[3];
        elements.push(element);
    }
    Path::new(elements, smooth).with_roughness(Some(Profile::Level(height)))
}

/// Sums of the nodes' places with the weights of each derivative by s, the third included.
fn place(path: &Path, s: f64) -> [[f64; 2]; 4] {
    let initial = initial();
    let point = path.point_on(path.element_at(s), s);
    let [value, slope, bend] = point.position;
    [value, slope, bend, path.third_derivatives(&point)].map(|weights| {
        let nodes = path.carriers(point.element).iter().zip(weights);
        nodes.fold([0.0; 2], |sum, (node, w)| {
            [0, 1].map(|i| sum[i] + w * initial[node.position[0] / 2][i])
        })
    })
}

#[test]
fn weights_by_the_length_of_a_face_have_the_derivatives_of_their_differences() {
    let e = 1e-5;
    for smooth in [false, true] {
        for height in [-0.3, 0.2] {
            let path = path(smooth, height);
            for element in [0, 3, ELEMENTS - 1] {
                let element = &path.elements()[element];
                let s = element.start + 0.37 * element.length;
                let [low, here, high] = [s - e, s, s + e].map(|s| place(&path, s));
                for d in 0..3 {
                    for i in 0..2 {
                        let difference = (high[d][i] - low[d][i]) / (2.0 * e);
                        let seen = here[d + 1][i];
                        assert!(
                            (seen - difference).abs() < 1e-6 * (1.0 + seen.abs()),
                            "{smooth}, {height}, {d}: {seen} {difference}"
                        );
                    }
                }
            }
        }
    }
}

#[test]
fn a_face_is_as_long_as_what_stands_beside_the_axis() {
    // Of an ellipse's quarter, for whatever turns by π/2: L − h π/2.
    let axis = path(false, 0.0).length();
    for height in [-0.3, 0.2] {
        let path = path(false, height);
        let exact = axis - height * std::f64::consts::FRAC_PI_2;
        // What its cubic elements lack at their corners is no turning.
        assert!((path.length() - exact).abs() < 5e-4, "{}", path.length());
        let mut length = 0.0;
        let face = |k: usize| {
            let s = path.length() * k as f64 / 4000.0;
            let [at, [x, y], ..] = place(&path, s);
            let stretch = x.hypot(y);
            [at[0] - height * y / stretch, at[1] + height * x / stretch]
        };
        for k in 0..4000 {
            let ([a, b], [c, d]) = (face(k), face(k + 1));
            let step = (c - a).hypot(d - b);
            // Every part of it has the length that s counts, but for the gaps at corners.
            let counted = path.length() / 4000.0;
            assert!((step / counted - 1.0).abs() < 4e-2, "{k}: {step} {counted}");
            length += step;
        }
        assert!((length / exact - 1.0).abs() < 5e-4, "{length} {exact}");
        // And the axis below its end is all of the axis.
        let [end, _] = path.along_axis(path.length());
        assert!((end - axis).abs() < 1e-12, "{end} {axis}");
    }
}
