//! Bodies and points that pins tie to each other, against a dense solver.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use super::case::Noise;
use super::equilibrated;
use crate::linear::{Bordered, Follower, Layout};

/// What a structure is made of.
#[derive(Clone, Copy, PartialEq)]
enum Kind {
    /// Masses everywhere but at most points.
    Moves,
    /// No masses, but springs between some nodes: statics.
    Rests,
    /// Masses, some bodies without; what is light beside what is heavy.
    Light,
}

/// A node: the first of its unknowns, and whether it turns.
#[derive(Clone, Copy)]
struct Node {
    first: usize,
    turns: bool,
}

impl Node {
    fn unknowns(self) -> std::ops::Range<usize> {
        self.first..self.first + 2 + usize::from(self.turns)
    }
}

/// A condition: the entries of each of its rows, and its nodes whose coordinates stand beside an identity.
struct Pin {
    rows: Vec<Vec<(usize, f64)>>,
    ends: Vec<usize>,
}

struct Case {
    matrix: Bordered,
    dense: DMatrix<f64>,
    order: usize,
    width: usize,
    /// Pins that are eliminated with a node, alone, and not with the interior.
    inside: [usize; 3],
}

fn pin(nodes: &[Node], ends: &[usize], noise: &mut Noise) -> Pin {
    let mut rows = vec![Vec::new(); 2];
    for (k, &end) in ends.iter().enumerate() {
        let (node, sign) = (nodes[end], if k == 0 { 1.0 } else { -1.0 });
        let arm = [noise.next(), noise.next()];
        for (i, row) in rows.iter_mut().enumerate() {
            row.push((node.first + i, sign));
            if node.turns {
                row.push((node.first + 2, sign * [-arm[1], arm[0]][i]));
            }
        }
    }
    Pin { rows, ends: ends.to_vec() }
}

/// Pins between random nodes: a tree, some loops, some to the ground, some twice the same where they may be `redundant`, and couplings of
/// two rotations.
fn case(seed: u64, kind: Kind, redundant: bool) -> Case {
    let mut noise = Noise(seed);
    let count = 2 + noise.below(14);
    let mut order = 0;
    let nodes: Vec<Node> = (0..count)
        .map(|_| {
            let node = Node { first: order, turns: noise.chance(0.6) };
            order = node.unknowns().end;
            node
        })
        .collect();
    let mut pins = Vec::new();
    for end in 0..count {
        if end == 0 || noise.chance(0.1) {
            pins.push(pin(&nodes, &[end], &mut noise));
        }
        if end > 0 && noise.chance(0.95) {
            // Chains more often than bushes.
            let other = if noise.chance(0.7) { end - 1 } else { noise.below(end) };
            pins.push(pin(&nodes, &[end, other], &mut noise));
        }
    }
    for _ in 0..noise.below(3) {
        let ends = [noise.below(count), noise.below(count)];
        if ends[0] != ends[1] {
            pins.push(pin(&nodes, &ends, &mut noise));
        }
    }
    let bodies: Vec<Node> = nodes.iter().copied().filter(|node| node.turns).collect();
    if bodies.len() > 1 && noise.chance(0.2) {
        let first = noise.below(bodies.len() - 1);
        let entries = [0, 1].map(|k| (bodies[first + k].first + 2, 1.0 + noise.next() / 2.0));
        pins.push(Pin { rows: vec![entries.to_vec()], ends: Vec::new() });
    }
    if redundant {
        let Pin { rows, ends } = &pins[noise.below(pins.len())];
        let again = Pin { rows: rows.clone(), ends: ends.clone() };
        pins.push(again);
    }
    let mut elements: Vec<Vec<u32>> = Vec::new();
    let mut taken = vec![false; count];
    let (mut followers, mut width, mut inside) = (Vec::new(), 0, [0; 3]);
    for pin in &pins {
        let multipliers = width..width + pin.rows.len();
        width = multipliers.end;
        let own = pin.ends.iter().find(|&&end| !taken[end] && noise.chance(0.9));
        let alone = own.is_none() && noise.chance(0.7);
        inside[if alone { 1 } else { 2 * usize::from(own.is_none()) }] += 1;
        if own.is_none() && !alone {
            continue;
        }
        own.iter().for_each(|&&own| taken[own] = true);
        let mut reach: Vec<u32> = pin.rows.iter().flatten().map(|&(e, _)| e as u32).collect();
        reach.sort_unstable();
        reach.dedup();
        followers.push(Follower {
            sliding: None,
            multipliers,
            coordinates: own
                .iter()
                .flat_map(|&&own| [0, 1].map(|i| Some(nodes[own].first + i)))
                .collect(),
            // Around the loop, and whatever else.
            around: match alone {
                true if noise.chance(0.5) => (0..order as u32).collect(),
                true => reach.clone(),
                false => Vec::new(),
            },
            reach: reach.into(),
        });
    }
    let mut entries: Vec<(usize, usize, f64)> = Vec::new();
    for node in &nodes {
        let mass = match kind {
            Kind::Rests => 0.0,
            Kind::Moves | Kind::Light if noise.chance(if node.turns { 0.0 } else { 0.7 }) => 0.0,
            Kind::Light if noise.chance(0.2) => 0.0,
            Kind::Moves => 2.0 + noise.next(),
            Kind::Light => 10_f64.powf(4.0 * noise.next()),
        };
        for (i, e) in node.unknowns().enumerate() {
            // What presses on arms is in the rotation's.
            let pressed = if i == 2 && kind != Kind::Light { noise.next() } else { 0.0 };
            entries.push((e, e, mass + pressed));
        }
    }
    let springs = if kind == Kind::Rests { 2 * count } else { noise.below(3) };
    for _ in 0..springs {
        let ends = [noise.below(count), noise.below(count)];
        let list: Vec<usize> = ends.iter().flat_map(|&end| nodes[end].unknowns()).collect();
        let by: Vec<f64> = list.iter().map(|_| noise.next()).collect();
        elements.push(list.iter().map(|&e| e as u32).collect());
        for (a, &i) in list.iter().enumerate() {
            for (b, &j) in list.iter().enumerate() {
                entries.push((i, j, by[a] * by[b]));
            }
        }
    }
    let mut matrix =
        Bordered::new(Layout::of(order, elements), [width, 3 * count], followers, Vec::new());
    let mut dense = DMatrix::zeros(order + width, order + width);
    for (i, j, value) in entries {
        dense[(i, j)] += value;
        if i >= j {
            let at = matrix.interior.layout.position(i, j);
            matrix.interior.values[at] += value;
        }
    }
    for (b, row) in pins.iter().flat_map(|pin| &pin.rows).enumerate() {
        for &(e, value) in row {
            matrix.add_column(e, b, value);
            dense[(e, order + b)] += value;
            dense[(order + b, e)] += value;
        }
    }
    Case { matrix, dense, order, width, inside }
}

const KINDS: [Kind; 3] = [Kind::Moves, Kind::Rests, Kind::Light];

#[test]
fn pinned_structures_are_solved_and_counted_as_by_a_dense_solver() {
    let (mut regular, mut singular, mut inside) = ([0; 3], [0; 3], [0; 3]);
    let (mut missed, mut rough) = (0, 0);
    for seed in 0..3000 {
        let k = (seed % 3) as usize;
        let Case { mut matrix, dense, order, width, inside: own } =
            case(seed, KINDS[k], seed % 7 == 0);
        let (scaled, scales) = equilibrated(&dense);
        let eigen = SymmetricEigen::new(scaled.clone()).eigenvalues;
        let least = eigen.iter().fold(f64::INFINITY, |a, v| a.min(v.abs()));
        // What is light beside what is heavy may be as small without being nothing.
        if least < 1e-16 * (order + width) as f64 && KINDS[k] != Kind::Light {
            singular[k] += 1;
            if matrix.factor().is_ok() {
                missed += 1;
                continue;
            }
            let motion = matrix.free_motion();
            let all = motion.interior.iter().chain(&motion.border).zip(&scales);
            let moved = DVector::from_iterator(order + width, all.map(|(v, scale)| v / scale));
            let force = (&scaled * &moved).amax();
            assert!(force < 1e-9 * moved.amax(), "{seed}: {force:.1e} of {:.1e}", moved.amax());
            assert!(moved.amax() > 0.0, "{seed}");
            continue;
        }
        // In between rounding of the entries decides.
        if least < 1e-9 {
            continue;
        }
        regular[k] += 1;
        (0..3).for_each(|i| inside[i] += own[i]);
        let negative = eigen.iter().filter(|v| **v < 0.0).count();
        let counted = matrix.clone().factor_counting();
        assert_eq!(counted, (negative, Ok(())), "{seed}: {least:.1e}");
        let mut noise = Noise(seed + 1_000_000);
        matrix.factor().unwrap_or_else(|_| panic!("{seed} is regular: {least:.1e}"));
        // Several right-hand sides.
        for _ in 0..2 {
            let right = DVector::from_fn(order + width, |_, _| noise.next());
            let exact = scaled.clone().lu().solve(&right).expect("regular");
            let right = right.component_div(&scales);
            let mut x: Vec<f64> = right.rows(0, order).iter().copied().collect();
            let mut y: Vec<f64> = right.rows(order, width).iter().copied().collect();
            matrix.solve(&mut x, &mut y).expect("regular");
            let off = (x.iter().chain(&y).zip(&scales).zip(exact.iter()))
                .map(|((ours, scale), theirs)| (ours / scale - theirs).abs())
                .fold(0.0, f64::max);
            // Small pivots of what is indefinite, or light beside what is heavy, cost digits; half of them are left.
            assert!(
                off < 1e-8_f64.max(1e-12 / least) * exact.amax(),
                "{seed}: {off:.1e} of {:.1e}, least {least:.1e}",
                exact.amax()
            );
            rough += usize::from(off > 1e-10_f64.max(1e-13 / least) * exact.amax());
        }
    }
    // The dense system of random springs of any sign may be as rough as rounding of what is left.
    println!("missed {missed}, rough {rough}");
    assert!(50 * missed < singular.iter().sum::<usize>(), "{missed}");
    assert!(100 * rough < regular.iter().sum::<usize>(), "{rough}");
    println!("regular {regular:?}, singular {singular:?}, in pairs, alone and not {inside:?}");
    assert!(regular.iter().all(|n| *n > 300), "{regular:?}");
    assert!(singular[..2].iter().all(|n| *n > 100), "{singular:?}");
    assert!(inside.iter().all(|n| *n > 500), "{inside:?}");
}
