//! Condensed sliders against the same matrix in a mere envelope.

use nalgebra_sparse::coo::CooMatrix;
use nalgebra_sparse::csr::CsrMatrix;

use crate::linear::frontal::Follower;
use crate::linear::frontal::tests::case::Noise;
use crate::linear::{Bordered, Layout};

/// Places of a chain that carry a slider together.
const CARRIERS: usize = 5;

/// What a slider does.
#[derive(Clone, Copy, PartialEq)]
enum Fate {
    Slides,
    Rubs,
    /// Its s is given.
    Kept,
    Open,
    /// Its first coordinate is.
    Pinned,
    /// Another border unknown couples it with the chain.
    Tied,
    /// It gives way to its force.
    Soft,
    /// Nothing holds it on its path.
    Loose,
}

/// A chain of `order` with sliders that carry masses, in an envelope with or without them condensed.
struct Case {
    matrices: [Bordered; 2],
    order: usize,
    width: usize,
    /// s of those that rub.
    rubbing: Vec<usize>,
}

/// Whether the last unknown of the border is on its diagonal or, where it ties nothing, nowhere.
#[derive(Clone, Copy, PartialEq)]
enum Tie {
    Held,
    Free,
}

fn case(seed: u64, fates: &[Fate], tie: Tie) -> Case {
    let mut noise = Noise(seed);
    let chain = CARRIERS + noise.below(20);
    let coordinates: Vec<usize> = fates.iter().map(|_| 2 + noise.below(2)).collect();
    let mut next = [chain, 0];
    let mut followers = Vec::new();
    for count in &coordinates {
        followers.push(Follower {
            sliding: Some(next[1]),
            multipliers: next[1] + 1..next[1] + 1 + count,
            coordinates: (next[0]..next[0] + count).map(Some).collect(),
            reach: (0..chain as u32).collect(),
        });
        next[0] += count;
        next[1] += 1 + count;
    }
    let [order, slid] = next;
    // One more that ties.
    let width = slid + 1;
    let mut pattern = CooMatrix::new(order, order);
    for i in 0..order {
        for j in 0..order {
            let along = i < chain && j < chain && i.abs_diff(j) < CARRIERS;
            let own = (followers.iter())
                .any(|f| [i, j].iter().all(|e| f.coordinates.contains(&Some(*e))));
            if along || own {
                pattern.push(i, j, 1.0);
            }
        }
    }
    let pattern = CsrMatrix::from(&pattern);
    let layouts = [
        Layout::envelope(pattern.pattern()),
        Layout::condensed(pattern.pattern()),
    ];
    let mut matrices =
        layouts.map(|layout| Bordered::new(layout, [width, 10], followers.clone(), Vec::new()));
    let seed = noise.0;
    for matrix in &mut matrices {
        fill(matrix, &mut Noise(seed), (chain, slid), &followers, fates);
        if tie == Tie::Held {
            matrix.add_corner(slid, slid, -0.7);
        }
    }
    let rubs = followers
        .iter()
        .zip(fates)
        .filter(|(_, fate)| **fate == Fate::Rubs);
    let rubbing = rubs.filter_map(|(follower, _)| follower.sliding).collect();
    Case {
        matrices,
        order,
        width,
        rubbing,
    }
}

fn fill(
    matrix: &mut Bordered,
    noise: &mut Noise,
    (chain, tie): (usize, usize),
    followers: &[Follower],
    fates: &[Fate],
) {
    let add = |matrix: &mut Bordered, i: usize, j: usize, value: f64| {
        let at = matrix.interior.layout.position(i, j);
        matrix.interior.values[at] += value;
    };
    for i in 0..chain {
        add(matrix, i, i, 6.0);
        for j in i.saturating_sub(CARRIERS - 1)..=i {
            add(matrix, i, j, noise.next());
        }
    }
    for (follower, fate) in followers.iter().zip(fates) {
        let own: Vec<usize> = follower.coordinates.iter().flatten().copied().collect();
        let Some(s) = follower.sliding else { continue };
        // Some weigh nothing, others far more than the chain.
        let mass = if *fate == Fate::Loose || noise.chance(0.2) {
            0.0
        } else {
            10_f64.powf(3.0 * noise.next())
        };
        let skew = if noise.chance(0.3) {
            0.2 * mass * noise.next()
        } else {
            0.0
        };
        own.iter().for_each(|&e| add(matrix, e, e, mass));
        add(matrix, own[1], own[0], skew);
        if *fate == Fate::Open {
            (s..=s + own.len()).for_each(|b| matrix.add_corner(b, b, 1.0));
            // Nothing else holds it.
            own.iter().for_each(|&e| add(matrix, e, e, 1.0));
            continue;
        }
        let own_row = matches!(fate, Fate::Rubs | Fate::Kept);
        if own_row {
            matrix.give_own_row(s);
        }
        let by_s = if *fate == Fate::Kept {
            1.0
        } else if *fate == Fate::Loose {
            0.0
        } else {
            0.3 * noise.next()
        };
        matrix.add_corner(s, s, by_s);
        let first = noise.below(chain - CARRIERS + 1);
        let rubs = *fate == Fate::Rubs;
        for (i, &e) in own.iter().enumerate() {
            let b = s + 1 + i;
            let slope = noise.next();
            matrix.add_column(e, b, 1.0);
            matrix.add_corner(b, s, -slope);
            if *fate == Fate::Soft {
                matrix.add_corner(b, b, -0.1);
            }
            if *fate != Fate::Kept {
                let more = if rubs { 0.3 * noise.next() } else { 0.0 };
                matrix.add_corner(s, b, more - slope);
            }
            if rubs {
                matrix.add_row(s, e, 0.2 * mass * noise.next());
            }
            // Entries may add up.
            for place in (first..first + CARRIERS).chain([first]) {
                matrix.add_column(place, b, -noise.next() / 2.0);
            }
        }
        for place in first..first + CARRIERS {
            let turn = if *fate == Fate::Loose {
                0.0
            } else {
                0.2 * noise.next()
            };
            matrix.add_column(place, s, -turn);
            if rubs {
                matrix.add_row(s, place, noise.next() - turn);
            }
        }
        if *fate != Fate::Loose && noise.chance(0.3) {
            // What pushes the node depends on s.
            matrix.add_column(own[0], s, 0.2 * noise.next());
        }
        match fate {
            Fate::Pinned => matrix.pin(own[0]),
            Fate::Tied => {
                matrix.add_column(own[1], tie, 1.0);
                matrix.add_column(first, tie, -0.7);
            }
            _ => {}
        }
    }
}

/// Fates of a few sliders.
fn fates(seed: u64, among: &[Fate]) -> Vec<Fate> {
    let mut noise = Noise(seed + 77);
    (0..1 + noise.below(6))
        .map(|_| among[noise.below(among.len())])
        .collect()
}

const ALL: [Fate; 8] = [
    Fate::Slides,
    Fate::Slides,
    Fate::Rubs,
    Fate::Kept,
    Fate::Open,
    Fate::Pinned,
    Fate::Tied,
    Fate::Soft,
];

/// Whether what both matrices found is the same, as far as it is to be compared: each none, or both regular.
fn agree(seed: u64, found: &[Option<Vec<f64>>; 2]) -> bool {
    let [Some(envelope), Some(condensed)] = found else {
        assert!(
            found.iter().all(Option::is_none),
            "{seed}: singular for one"
        );
        return false;
    };
    let largest = envelope.iter().fold(1.0_f64, |a, v| a.max(v.abs()));
    // Solutions that large come of a matrix that is nearly singular.
    if largest > 1e5 {
        return false;
    }
    let pairs = envelope.iter().zip(condensed);
    let off = pairs.map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    // Rounding of entries of 1 to 1e3 in solutions of up to 1e5.
    assert!(off < 1e-9 * largest, "{seed}: {off:.1e} of {largest:.1e}");
    true
}

#[test]
fn solutions_are_those_of_a_mere_envelope() {
    let mut regular = 0;
    for seed in 0..3000 {
        let Case {
            mut matrices,
            order,
            width,
            ..
        } = case(seed, &fates(seed, &ALL), Tie::Held);
        let mut noise = Noise(seed + 1_000_000);
        let right: Vec<f64> = (0..order + width).map(|_| noise.next()).collect();
        let found = matrices.each_mut().map(|matrix| {
            matrix.factor().ok()?;
            let (mut x, mut y) = (right[..order].to_vec(), right[order..].to_vec());
            matrix.solve(&mut x, &mut y).ok()?;
            Some([x, y].concat())
        });
        regular += usize::from(agree(seed, &found));
    }
    assert!(regular > 2500, "{regular}");
}

#[test]
fn negative_eigenvalues_are_counted_with_those_that_are_condensed() {
    let mut condensed = 0;
    for seed in 0..1000 {
        let Case { matrices, .. } = case(
            seed,
            &fates(seed, &[Fate::Slides, Fate::Slides, Fate::Tied]),
            Tie::Held,
        );
        let [envelope, own] = matrices.map(|mut matrix| matrix.factor_counting());
        assert_eq!(own, envelope, "{seed}");
        condensed += usize::from(own.0 > 0);
    }
    assert!(condensed > 900, "{condensed}");
}

#[test]
fn rows_of_their_own_are_changed_in_the_midst_of_a_solution() {
    let mut compared = 0;
    for seed in 0..300 {
        let rubbing = [Fate::Slides, Fate::Rubs, Fate::Rubs, Fate::Kept];
        let fates = fates(seed, &rubbing);
        let Case {
            mut matrices,
            order,
            width,
            rubbing,
        } = case(seed, &fates, Tie::Held);
        let mut noise = Noise(seed + 2_000_000);
        let right: Vec<f64> = (0..order + width).map(|_| noise.next()).collect();
        let mut change = vec![0.0; width];
        rubbing.iter().for_each(|&b| change[b] = noise.next());
        let found = matrices.each_mut().map(|matrix| {
            matrix.factor().ok()?;
            let (mut x, mut y) = (right[..order].to_vec(), right[order..].to_vec());
            matrix.solve_border(&mut x, &mut y);
            let mut response = vec![0.0; width];
            let mut responses = Vec::new();
            for &b in &rubbing {
                matrix.border_response(b, &mut response);
                responses.push(response[b]);
            }
            matrix.change_border(&change, &mut y);
            matrix.solve_interior(&mut x, &mut y);
            Some([x, y, responses].concat())
        });
        compared += usize::from(agree(seed, &found) && !rubbing.is_empty());
    }
    assert!(compared > 200, "{compared}");
}

#[test]
fn a_multiplier_that_holds_nothing_is_named_as_by_a_mere_envelope() {
    for seed in 0..200 {
        let fates = fates(seed, &[Fate::Slides, Fate::Kept]);
        let Case { mut matrices, .. } = case(seed, &fates, Tie::Free);
        let motions = matrices.each_mut().map(|matrix| {
            assert!(matrix.factor().is_err(), "{seed}");
            let motion = matrix.free_motion();
            assert!(motion.interior.iter().all(|v| *v == 0.0), "{seed}");
            motion.border.iter().position(|v| v.abs() > 1e-9)
        });
        assert!(motions[0].is_some() && motions[0] == motions[1], "{seed}");
    }
}

#[test]
fn a_slider_that_nothing_holds_is_named_as_by_a_mere_envelope() {
    for seed in 0..200 {
        let mut fates = fates(seed, &[Fate::Slides, Fate::Rubs]);
        fates.push(Fate::Loose);
        let Case { mut matrices, .. } = case(seed, &fates, Tie::Held);
        let motions = matrices.each_mut().map(|matrix| {
            assert!(matrix.factor().is_err(), "{seed}");
            let moves = |v: &f64| v.abs() > 1e-6;
            let motion = matrix.free_motion();
            motion.interior.iter().map(moves).collect::<Vec<_>>()
        });
        assert!(motions[0].iter().any(|moves| *moves), "{seed}");
        assert_eq!(motions[0], motions[1], "{seed}");
    }
}
