//! The place on a rough edge against derivatives of a second way to compute it.

use num_dual::{DualNum, HyperDual64};

use crate::elements::initial::InitialAxis;
use crate::joints::element::PathElement;
use crate::joints::path::Path;
use crate::joints::roughness::{Profile, Wave};
use crate::joints::slider::Kinematics;
use crate::nodes::Node;
use crate::numerics::gauss;
use crate::numerics::positions::Positions;

/// The side of a triangle of order 3 in the initial configuration, m.
const DRAWN: [[f64; 2]; 4] = [[0.0, 0.0], [0.35, 0.2], [0.7, 0.25], [1.0, 0.1]];

/// Its nodes as they have moved, and the slider, m.
const MOVED: [f64; 10] = [0.1, 0.05, 0.4, 0.3, 0.72, 0.2, 1.1, 0.3, 0.6, 0.4];

const WAVE: Wave = Wave { amplitude: 0.03, wavenumber: 9.0, phase: 0.4 };

/// Σ φ_l y_l and its derivative by ξ.
fn interpolated<D: DualNum<Primitive = f64> + Copy>(y: [D; 4], xi: D) -> [D; 2] {
    let node = |l: usize| 2.0 * l as f64 / 3.0 - 1.0;
    let (mut value, mut slope) = (D::from(0.0), D::from(0.0));
    for (l, y) in y.into_iter().enumerate() {
        let others = || (0..4).filter(move |&m| m != l);
        let factor = |m: usize| (xi - node(m)) / (node(l) - node(m));
        value += others().map(factor).fold(y, |product, f| product * f);
        for k in others() {
            let rest = others().filter(|&m| m != k).map(factor);
            slope += rest.fold(y / (node(l) - node(k)), |product, f| product * f);
        }
    }
    [value, slope]
}

fn drawn_speed<D: DualNum<Primitive = f64> + Copy>(xi: D) -> D {
    let slope = [0, 1].map(|i| interpolated(DRAWN.map(|place| D::from(place[i])), xi)[1]);
    (slope[0] * slope[0] + slope[1] * slope[1]).sqrt()
}

/// ξ(s) by Newton's method on the integral of the speed in the drawing.
fn coordinate<D: DualNum<Primitive = f64> + Copy>(s: D) -> D {
    let mut xi = D::from(0.0);
    for _ in 0..12 {
        let half = (xi + 1.0) * 0.5;
        let length: D = (gauss::legendre(40).into_iter())
            .map(|(x, w)| drawn_speed(half * (x + 1.0) - 1.0) * half * w)
            .sum();
        xi -= (length - s) / drawn_speed(xi);
    }
    xi
}

/// Ŷ − Y of the unknowns of nodes, slider and s.
fn gap<D: DualNum<Primitive = f64> + Copy>(q: &[D; 11]) -> [D; 2] {
    let s = q[10];
    let xi = coordinate(s);
    let [x, y] = [0, 1].map(|i| interpolated([0, 1, 2, 3].map(|l| q[2 * l + i]), xi));
    let stretch = (x[1] * x[1] + y[1] * y[1]).sqrt();
    let h = (s * WAVE.wavenumber - WAVE.phase).cos() * WAVE.amplitude;
    [q[8] - x[0] + h * y[1] / stretch, q[9] - y[0] - h * x[1] / stretch]
}

fn path() -> Path {
    let mut element = PathElement {
        nodes: (0..4).map(|k| Node::from([2 * k, 2 * k + 1])).collect(),
        start: 0.0,
        length: 0.0,
        curve: None,
        turned: vec![0.0; 4],
        normal: [0.0, 1.0],
        ends_member: true,
    };
    element.follow(&InitialAxis::through(&DRAWN), 0.0);
    let surface = Profile::Waves(vec![WAVE]);
    Path::new(vec![element], false).with_roughness(Some(surface))
}

#[test]
fn a_rough_edge_has_the_derivatives_of_its_place_by_hyper_dual_numbers() {
    let path = path();
    let s = 0.43 * path.length();
    let k = Kinematics::at(&path, path.point_on(0, s), &Positions::from(&MOVED[..]), &[8, 9]);
    let arm = k.arm.expect("a rough path");
    let unknowns: Vec<_> = path.turned_by(0).collect();
    let [first, second] = [0, 1].map(|d| {
        move |by: super::TurnedBy, i: usize| match by.component == i {
            true => k.point.position[d][by.node],
            false => 0.0,
        }
    });
    for a in 0..11 {
        for b in 0..11 {
            let number = |u: usize| {
                let value = if u == 10 { s } else { MOVED[u] };
                let unit = |on: bool| f64::from(u8::from(on));
                HyperDual64::new(value, unit(u == a), unit(u == b), 0.0)
            };
            let exact = gap(&std::array::from_fn(number));
            for i in 0..2 {
                let near = |seen: f64, exact: f64| {
                    let error = (seen - exact).abs();
                    assert!(error < 1e-10 * (1.0 + exact.abs()), "{a} {b}: {seen} {exact}");
                };
                near(k.gap[i], exact[i].re);
                let (by, change) = (exact[i].eps1, exact[i].eps1eps2);
                match (a, b) {
                    (10, 10) => {
                        near(-k.tangent[i], by);
                        near(-k.bend[i], change);
                    }
                    (0..8, 10) => {
                        let turns = arm.turning.by(&k.point, unknowns[a]);
                        near(-first(unknowns[a], i) - turns[0] * arm.lever[i], by);
                        let turned = arm.tangent_change(turns)[i];
                        near(-second(unknowns[a], i) - turned, change);
                    }
                    (0..8, 0..8) => {
                        let [own, other] = [a, b].map(|u| unknowns[u]);
                        let turns = [own, other].map(|u| arm.turning.by(&k.point, u)[0]);
                        let both = arm.turning.by_both(&k.point, own, other);
                        let seen = arm.turned[i] * turns[0] * turns[1] - arm.lever[i] * both;
                        near(seen, change);
                    }
                    _ => {}
                }
            }
        }
    }
}
