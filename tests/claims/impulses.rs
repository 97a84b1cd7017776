//! Impulses of stops, contacts and friction together, on random bodies and contacts.

use crate::common::tier;
use coulisse::linear::impulses::{Kernel, Law};
use coulisse::linear::mlcp::Coulomb;
use nalgebra::{DMatrix, DVector};

/// A reproducible number in (−1, 1).
struct Noise(u64);

impl Noise {
    fn next(&mut self) -> f64 {
        self.0 = (self.0.wrapping_mul(6_364_136_223_846_793_005)).wrapping_add(1);
        (self.0 >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
    }

    fn below(&mut self, n: usize) -> usize {
        ((0.5 + 0.5 * self.next()) * n as f64) as usize % n
    }
}

/// G and b of rows that obey `laws`.
#[derive(Debug)]
struct Rows {
    laws: Vec<Law>,
    compliance: DMatrix<f64>,
    velocity: DVector<f64>,
}

/// What is left of the conditions: complementarity (as a share of the largest velocity), passivity
/// p·y, and the linear systems that it took.
struct Left {
    complementarity: f64,
    passivity: f64,
    spent: usize,
    impulses: Vec<f64>,
}

impl Rows {
    fn solve(&self) -> Left {
        let n = self.laws.len();
        let mut kernel = Kernel::new(n);
        self.laws.iter().for_each(|law| {
            kernel.add(*law);
        });
        kernel.open();
        for i in 0..n {
            kernel.set_velocity(i, self.velocity[i]);
            (0..n).for_each(|j| kernel.set_compliance(i, j, self.compliance[(i, j)]));
        }
        let impulses = kernel.solve().expect("finite numbers").to_vec();
        let p = DVector::from_column_slice(&impulses);
        let y = &self.compliance * &p + &self.velocity;
        let fastest = self.velocity.amax().max(1e-300);
        let (mut complementarity, mut passivity) = (0.0_f64, f64::NEG_INFINITY);
        for (i, law) in self.laws.iter().enumerate() {
            let scale = self.compliance[(i, i)];
            let fault = match law {
                Law::Bilateral => y[i].abs(),
                // min(y, G_ii p) vanishes with the condition, in units of a velocity.
                Law::Unilateral | Law::Opening => y[i].min(scale * p[i]).abs(),
                Law::Friction(Coulomb { normal, coefficient }) => {
                    let limit = coefficient * p[*normal].max(0.0);
                    // The velocity that p does not take out, and p against it.
                    let force = (p[i] - y[i] / scale).clamp(-limit, limit);
                    scale * (p[i] - force).abs()
                }
            };
            complementarity = complementarity.max(fault / fastest);
            passivity = passivity.max(p[i] * y[i]);
        }
        Left {
            complementarity,
            passivity: passivity / (fastest * p.amax().max(1e-300)),
            spent: kernel.spent(),
            impulses,
        }
    }
}

/// Up to `most` contacts with friction on bodies with `freedoms`, some of them drawn twice.
fn random(noise: &mut Noise, freedoms: usize, most: usize, friction: f64) -> Rows {
    let a = DMatrix::from_fn(freedoms, freedoms, |_, _| noise.next());
    let mass = &a * a.transpose() + DMatrix::identity(freedoms, freedoms) * 0.1;
    let inverse = mass.try_inverse().expect("positive");
    let before = DVector::from_fn(freedoms, |_, _| noise.next());
    let (mut laws, mut columns) = (Vec::new(), Vec::<DVector<f64>>::new());
    for _ in 0..=noise.below(most) {
        let normal = if columns.len() > 2 && noise.next() > 0.4 {
            columns[noise.below(columns.len())].clone()
        } else {
            DVector::from_fn(freedoms, |_, _| noise.next())
        };
        let row = columns.len();
        columns.push(normal);
        if noise.next() > 0.8 {
            laws.push(Law::Bilateral);
            continue;
        }
        laws.push(Law::Unilateral);
        if friction > 0.0 && noise.next() > -0.5 {
            columns.push(DVector::from_fn(freedoms, |_, _| noise.next()));
            laws.push(Law::Friction(Coulomb {
                normal: row,
                coefficient: friction * noise.next().abs(),
            }));
        }
    }
    let jacobian = DMatrix::from_columns(&columns);
    Rows {
        compliance: jacobian.transpose() * inverse * &jacobian,
        velocity: jacobian.transpose() * before,
        laws,
    }
}

#[test]
fn impulses_of_random_contacts_are_complementary_passive_and_found_in_bounded_work() {
    for (friction, most) in [(0.0, 100), (0.3, 4000)] {
        let mut noise = Noise(11);
        let (mut total, mut unsettled, cases) = (0, 0, tier::share(4000));
        for case in 0..cases {
            let rows = random(&mut noise, 2 + case % 7, 12, friction);
            let left = rows.solve();
            unsettled += usize::from(left.complementarity > 1e-9);
            // Friction only takes, also where its limits have not settled.
            assert!(left.passivity < 1e-9, "{:e}: {rows:?}", left.passivity);
            assert!(friction > 0.0 || left.complementarity < 1e-9, "{rows:?}");
            assert!(left.spent < most, "{}", left.spent);
            total += left.spent;
        }
        println!("friction {friction}: {total} linear systems, {unsettled} of {cases} unsettled");
        // Friction in directions that have nothing to do with their normals may have no end.
        assert!(unsettled <= tier::allowed(cases, 500) && total < 20 * cases);
    }
}

#[test]
fn five_wheels_on_a_rigid_bar_share_a_landing_evenly() {
    // Two freedoms, height and rotation; wheels at −2 … 2; the bar comes down level.
    let places = [-2.0, -1.0, 0.0, 1.0, 2.0];
    let jacobian = DMatrix::from_fn(2, 5, |i, j| if i == 0 { 1.0 } else { places[j] });
    let inverse = DMatrix::from_diagonal(&DVector::from_vec(vec![1.0 / 3.0, 1.0 / 5.0]));
    let rows = Rows {
        laws: vec![Law::Unilateral; 5],
        compliance: jacobian.transpose() * &inverse * &jacobian,
        velocity: jacobian.transpose() * DVector::from_vec(vec![-2.0, 0.0]),
    };
    let left = rows.solve();
    let total: f64 = left.impulses.iter().sum();
    assert!(left.complementarity < 1e-12);
    assert!((total - 6.0).abs() < 1e-12, "{total}");
    for (a, b) in left.impulses.iter().zip(left.impulses.iter().rev()) {
        assert!((a - b).abs() < 1e-5 * total, "{:?}", left.impulses);
    }
}
