//! Two triangles between two faces: of all states of their four corners one obeys Zhang and Wang's five conditions, and it is the
//! one that is found. The states are solved one by one with a dense matrix of eight unknowns.

use coulisse::joints::regime::Sense;
use coulisse::surfaces::layer::Touch;

use super::guided::Guided;
use crate::common::tier;
use crate::random_mechanisms::Dice;

/// N/m at every corner, across and along.
const STIFFNESS: f64 = 2.1e11;

/// Corners from the lower left one counter-clockwise.
const CORNERS: [[f64; 2]; 4] = [[0.0, 0.0], [2.0, 0.0], [2.0, 0.8], [0.0, 0.8]];

/// What a corner does, with N and T in N: T is the force on the slider along +x.
#[derive(Debug, Clone, Copy)]
struct Corner {
    touch: Touch,
    normal: f64,
    friction: f64,
}

fn slider(force: f64, offset: f64, friction: f64) -> Guided {
    Guided {
        cells: [1, 1],
        force,
        offset,
        friction: format!("coefficient = {friction:?}"),
        ..Guided::of_nodes(STIFFNESS)
    }
}

/// Stiffness of both triangles in plane stress: constant strain, 0.01 m thick.
fn stiffness() -> [[f64; 8]; 8] {
    let (young, poisson, thickness) = (210e9, 0.25, 0.01);
    let factor = young / (1.0 - poisson * poisson);
    let shear = 0.5 * (1.0 - poisson);
    let mut sum = [[0.0; 8]; 8];
    for nodes in [[0, 1, 2], [0, 2, 3]] {
        let [a, b, c] = nodes.map(|i: usize| CORNERS[i]);
        let twice = (b[0] - a[0]) * (c[1] - a[1]) - (c[0] - a[0]) * (b[1] - a[1]);
        let slopes = [(b, c), (c, a), (a, b)]
            .map(|(p, q): ([f64; 2], [f64; 2])| [(p[1] - q[1]) / twice, (q[0] - p[0]) / twice]);
        for (i, [ix, iy]) in slopes.into_iter().enumerate() {
            for (j, [jx, jy]) in slopes.into_iter().enumerate() {
                let block = [
                    [ix * jx + shear * iy * jy, poisson * ix * jy + shear * iy * jx],
                    [poisson * iy * jx + shear * ix * jy, iy * jy + shear * ix * jx],
                ];
                for (r, row) in block.into_iter().enumerate() {
                    for (s, value) in row.into_iter().enumerate() {
                        sum[2 * nodes[i] + r][2 * nodes[j] + s] +=
                            factor * thickness * 0.5 * twice * value;
                    }
                }
            }
        }
    }
    sum
}

/// F at an offset on the right face, and the weight: a third of each triangle's at its corners.
fn loads(force: f64, offset: f64) -> [f64; 8] {
    let mut loads = [0.0; 8];
    for (node, sign) in [(1, -1.0), (2, 1.0)] {
        loads[2 * node] = 0.5 * force + sign * force * offset / 0.8;
    }
    let triangle = 7850.0 * 0.8 * 0.01 * 9.81;
    for (node, count) in [(0, 2.0), (1, 1.0), (2, 2.0), (3, 1.0)] {
        loads[2 * node + 1] -= count * triangle / 3.0;
    }
    loads
}

/// Solves a dense system by elimination with pivots; none where it is singular.
fn solve(mut a: [[f64; 8]; 8], mut b: [f64; 8]) -> Option<[f64; 8]> {
    let scale = a.iter().flatten().fold(0.0_f64, |most, x| most.max(x.abs()));
    for k in 0..8 {
        let pivot = (k..8).max_by(|&i, &j| a[i][k].abs().total_cmp(&a[j][k].abs()))?;
        if a[pivot][k].abs() < 1e-12 * scale {
            return None;
        }
        a.swap(k, pivot);
        b.swap(k, pivot);
        for i in k + 1..8 {
            let share = a[i][k] / a[k][k];
            let above = a[k];
            a[i].iter_mut().zip(above).skip(k).for_each(|(x, y)| *x -= share * y);
            b[i] -= share * b[k];
        }
    }
    for k in (0..8).rev() {
        let known: f64 = (k + 1..8).map(|j| a[k][j] * b[j]).sum();
        b[k] = (b[k] - known) / a[k][k];
    }
    Some(b)
}

/// The corners in one state, where it obeys all conditions: what is open does not penetrate, what touches presses, what sticks holds
/// less than its limit, what slips has friction at its limit against its slip.
fn obeys(touches: [Touch; 4], loads: [f64; 8], friction: f64) -> Option<[Corner; 4]> {
    let mut matrix = stiffness();
    let side = [-1.0, -1.0, 1.0, 1.0];
    for (i, touch) in touches.into_iter().enumerate() {
        let (x, y) = (2 * i, 2 * i + 1);
        if touch == Touch::Open {
            continue;
        }
        // N = k side v.
        matrix[y][y] += STIFFNESS;
        match touch {
            Touch::Slips(sense) => matrix[x][y] += sense.sign() * friction * STIFFNESS * side[i],
            _ => matrix[x][x] += STIFFNESS,
        }
    }
    let q = solve(matrix, loads)?;
    let mut corners = [Corner { touch: Touch::Open, normal: 0.0, friction: 0.0 }; 4];
    for (i, touch) in touches.into_iter().enumerate() {
        let (normal, trial) = (STIFFNESS * side[i] * q[2 * i + 1], -STIFFNESS * q[2 * i]);
        let holds = match touch {
            Touch::Open => normal <= 0.0,
            Touch::Slips(sense) => normal > 0.0 && -trial * sense.sign() >= friction * normal,
            _ => normal > 0.0 && trial.abs() <= friction * normal,
        };
        if !holds {
            return None;
        }
        corners[i] = match touch {
            Touch::Open => corners[i],
            Touch::Slips(sense) => {
                Corner { touch, normal, friction: -sense.sign() * friction * normal }
            }
            _ => Corner { touch, normal, friction: trial },
        };
    }
    Some(corners)
}

/// Every state that obeys all conditions, of 256.
fn all_states(force: f64, offset: f64, friction: f64) -> Vec<[Corner; 4]> {
    let kinds =
        [Touch::Open, Touch::Sticks, Touch::Slips(Sense::Forward), Touch::Slips(Sense::Backward)];
    let loads = loads(force, offset);
    let state = |number: usize| [0, 2, 4, 6].map(|shift| kinds[(number >> shift) & 3]);
    (0..256).filter_map(|number| obeys(state(number), loads, friction)).collect()
}

/// What the program finds; none where it says that there is no equilibrium.
fn found(force: f64, offset: f64, friction: f64) -> Option<[Corner; 4]> {
    let text = slider(force, offset, friction).text();
    let system = super::guided::built(&text);
    let state = coulisse::start::equilibrium(&system, &[]).ok()?;
    let points = system.surfaces.forces_at_points(&state, 0);
    Some(CORNERS.map(|[x, y]| {
        let of = points.iter().find(|p| (p.initial[0] - x).hypot(p.initial[1] - y) < 1e-9);
        let of = of.expect("a corner");
        // Half of a face of 2 m belongs to each.
        Corner { touch: of.touch, normal: of.pressure, friction: -of.friction }
    }))
}

fn assert_same(found: &[Corner; 4], expected: &[Corner; 4], what: &str) {
    let most = expected.iter().fold(0.0_f64, |most, corner| most.max(corner.normal));
    for (found, expected) in found.iter().zip(expected) {
        assert_eq!(found.touch, expected.touch, "{what}: {found:?} {expected:?}");
        for (a, b) in [(found.normal, expected.normal), (found.friction, expected.friction)] {
            assert!((a - b).abs() < 1e-3_f64.max(3e-5 * most), "{what}: {found:?} {expected:?}");
        }
    }
}

/// Table A, each corner by itself.
#[test]
fn one_state_of_256_obeys_all_conditions_and_it_is_the_one_found() {
    const NAMES: [&str; 4] = ["lower left", "lower right", "upper right", "upper left"];
    for (force, offset, rows) in [
        (800.0, 1.5, [(1, 1348.210, -730.355), (3, 116.074, -69.645)]),
        (1500.0, 1.5, [(1, 1884.501, -1108.581), (3, 652.365, -391.419)]),
        (600.0, 1.5, [(1, 1186.068, -572.359), (0, 46.068, -27.641)]),
    ] {
        let states = all_states(force, offset, 0.6);
        assert_eq!(states.len(), 1, "{states:?}");
        let corners = found(force, offset, 0.6).expect("it sticks");
        for (corner, normal, friction) in rows {
            let found = corners[corner];
            println!(
                "F = {force} N, {}: N {:.4} ({normal}), T {:.4} ({friction}), {:?}",
                NAMES[corner], found.normal, found.friction, found.touch
            );
            assert!((found.normal - normal).abs() < 1e-3, "{found:?}");
            assert!((found.friction - friction).abs() < 1e-3, "{found:?}");
        }
        let open = |corner: &&Corner| corner.touch == Touch::Open;
        assert_eq!(corners.iter().filter(open).count(), 2);
        assert_same(&corners, &states[0], &format!("{force} N"));
    }
    // From 1.3 m on inwards it slides: no state obeys.
    assert!(all_states(1500.0, 1.3, 0.6).is_empty());
    assert!(found(1500.0, 1.3, 0.6).is_none());
}

/// At random loads up to μ = 1: one state or none, and what is found is that. Strains are small, as they are in the dense matrix.
#[test]
fn at_random_loads_the_only_state_is_found() {
    let (mut held, mut slides) = (0, 0);
    let loads = tier::share(300);
    for seed in 0..loads {
        let mut dice = Dice::seeded(40_000 + seed);
        let force = dice.sign() * dice.scale(10.0, 3e3);
        let (offset, friction) = (dice.between(-4.0, 4.0), dice.scale(0.05, 1.0));
        let what = format!("{seed}: {force} N at {offset} m, μ = {friction}");
        let states = all_states(force, offset, friction);
        match (states.as_slice(), found(force, offset, friction)) {
            ([state], Some(corners)) => {
                assert_same(&corners, state, &what);
                held += 1;
            }
            ([], None) => slides += 1,
            (states, found) => panic!("{what}: {states:?}, found {found:?}"),
        }
    }
    println!("{held} held in one state of 256, {slides} slide in none");
    assert!(3 * held > loads && 6 * slides > loads);
}
