//! Reduced linear models: closed forms, bounds and stated errors.

use std::f64::consts::TAU;

use coulisse::linearization::reduction::{Method, Reduced, Request, Size, reduce};
use coulisse::linearization::{Linear, Quantified};
use nalgebra::DMatrix;

/// Numbers from −1 to 1 that are the same in every run.
struct Random(u64);

impl Random {
    fn next(&mut self) -> f64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) as f64 / (1_u64 << 30) as f64 - 1.0
    }
}

fn named(name: &str, count: usize) -> Vec<Quantified> {
    let one = |k| Quantified { path: format!("{name}{k}"), unit: String::new(), value: 0.0 };
    (0..count).map(one).collect()
}

/// ẍ + D ẋ + K x = F u of unit masses, with outputs Y x.
fn oscillators(k: &DMatrix<f64>, d: &DMatrix<f64>, f: &DMatrix<f64>, y: &DMatrix<f64>) -> Linear {
    let n = k.nrows();
    let mut linear = Linear {
        states: named("z", 2 * n),
        inputs: named("u", f.ncols()),
        outputs: named("y", y.nrows()),
        a: DMatrix::zeros(2 * n, 2 * n),
        b: DMatrix::zeros(2 * n, f.ncols()),
        c: DMatrix::zeros(y.nrows(), 2 * n),
        d: DMatrix::zeros(y.nrows(), f.ncols()),
        rates: vec![0.0; 2 * n],
        mass: DMatrix::identity(n, n),
        ..Linear::default()
    };
    linear.a.view_mut((0, n), (n, n)).fill_with_identity();
    linear.a.view_mut((n, 0), (n, n)).copy_from(&-k);
    linear.a.view_mut((n, n), (n, n)).copy_from(&-d);
    linear.b.rows_mut(n, n).copy_from(f);
    linear.c.columns_mut(0, n).copy_from(y);
    linear
}

/// K of unit masses in a row between springs, at one end or free.
fn chain(stiffness: &[f64], fixed: bool) -> DMatrix<f64> {
    let n = stiffness.len();
    let mut k = DMatrix::zeros(n, n);
    for (i, stiffness) in stiffness.iter().enumerate() {
        if i == 0 {
            k[(0, 0)] += if fixed { *stiffness } else { 0.0 };
            continue;
        }
        for (row, column, sign) in
            [(i, i, 1.0), (i - 1, i - 1, 1.0), (i, i - 1, -1.0), (i - 1, i, -1.0)]
        {
            k[(row, column)] += sign * stiffness;
        }
    }
    k
}

fn unit(n: usize, k: usize) -> DMatrix<f64> {
    DMatrix::from_fn(n, 1, |i, _| if i == k { 1.0 } else { 0.0 })
}

fn reduced(linear: &Linear, method: Method, size: Size, band: [f64; 2], steady: bool) -> Reduced {
    let request = Request { method, size, band, static_correction: steady };
    reduce(linear, &request).unwrap_or_else(|fault| panic!("{fault}"))
}

/// |G| and |G − G_r| of one input and one output at frequencies, Hz.
fn apart(whole: &Linear, reduced: &Linear, frequencies: &[f64]) -> Vec<[f64; 2]> {
    let angular: Vec<f64> = frequencies.iter().map(|f| TAU * f).collect();
    let pairs = whole.response(&angular).into_iter().zip(reduced.response(&angular));
    pairs.map(|(g, r)| [g[(0, 0)].norm(), (g[(0, 0)] - r[(0, 0)]).norm()]).collect()
}

fn spaced(from: f64, to: f64, count: usize) -> Vec<f64> {
    let share = |k: usize| k as f64 / (count - 1) as f64;
    (0..count).map(|k| from * (to / from).powf(share(k))).collect()
}

/// Two unit masses, springs k to the wall and between them: ω² = k (3 ∓ √5)/2, and the slow mode has the shape (1, φ) with φ = (1 + √5)/2.
#[test]
fn the_slow_mode_of_two_masses_is_that_of_the_closed_form() {
    let (k, damping) = (400.0, 1e-3);
    let stiffness = chain(&[k, k], true);
    let (force, place) = (unit(2, 1), unit(2, 1).transpose());
    let whole = oscillators(&stiffness, &(&stiffness * damping), &force, &place);
    let slow = reduced(&whole, Method::Modal, Size::States(2), [0.1, 3.0], false);
    let phi = (1.0 + 5.0_f64.sqrt()) / 2.0;
    let square = k * (3.0 - 5.0_f64.sqrt()) / 2.0;
    let share = phi * phi / (1.0 + phi * phi);
    for frequency in spaced(0.1, 10.0, 40) {
        let omega = TAU * frequency;
        let exact =
            nalgebra::Complex::new(square - omega * omega, damping * square * omega).inv() * share;
        let seen = slow.linear.response(&[omega])[0][(0, 0)];
        assert!((seen - exact).norm() < 1e-12 * exact.norm(), "{frequency}: {seen} {exact}");
    }
}

/// With and without a motion that nothing resists, from light to strong damping, which is not proportional.
#[test]
fn no_error_exceeds_the_bound_of_balanced_truncation() {
    let mut random = Random(7);
    let mut tightest = 0.0_f64;
    for case in 0..40 {
        let n = 3 + case % 9;
        let stiffness: Vec<f64> = (0..n).map(|_| 1e3 * 10_f64.powf(random.next())).collect();
        let k = chain(&stiffness, case % 2 == 0);
        let dashpots: Vec<f64> =
            stiffness.iter().map(|k| k * 1e-2 * 10_f64.powf(1.5 * random.next())).collect();
        let d = chain(&dashpots, case % 2 == 0);
        let force = DMatrix::from_fn(n, 1, |_, _| random.next());
        let place = DMatrix::from_fn(1, n, |_, _| random.next());
        let whole = oscillators(&k, &d, &force, &place);
        let band = [0.5, 50.0];
        let least = if case % 2 == 0 { 0 } else { 2 };
        for size in [least + 1, least + 3, 2 * n - 1] {
            for steady in [false, true] {
                let own = reduced(&whole, Method::Balanced, Size::States(size), band, steady);
                let mut frequencies = spaced(0.5, 50.0, 400);
                let poles = whole.poles().unwrap();
                frequencies.extend(
                    poles.iter().map(|pole| pole.im / TAU).filter(|f| *f >= 0.5 && *f <= 50.0),
                );
                let largest = apart(&whole, &own.linear, &frequencies)
                    .iter()
                    .fold(0.0_f64, |most, at| most.max(at[0]));
                // Further below, rounding of the stiffness acts on rigid motions as a spring.
                frequencies = spaced(0.1, 1e4, 400);
                frequencies.extend(poles.iter().map(|pole| pole.im.max(1.0) / TAU));
                let errors = apart(&whole, &own.linear, &frequencies);
                let error = errors.iter().fold(0.0_f64, |most, at| most.max(at[1] - 1e-9 * at[0]));
                // The grid of the test may miss the largest response by a little.
                let bound = own.bound.unwrap() * largest * 1.02;
                assert!(error <= bound + 1e-12 * largest, "{case} {size}: {error:e} {bound:e}");
                tightest = tightest.max(error / bound);
            }
        }
    }
    println!("largest share of the bound that an error takes: {tightest}");
    assert!(tightest > 0.4 && tightest <= 1.0, "{tightest}");
}

#[test]
fn the_stated_error_is_the_largest_in_the_band() {
    let mut random = Random(11);
    for method in [Method::Balanced, Method::Modal, Method::CraigBampton] {
        for case in 0..6 {
            let n = 20;
            let k = chain(&vec![1e4; n], case % 2 == 0);
            let force = unit(n, n - 1);
            let place = unit(n, (3.0 * (1.0 + random.next())) as usize + n - 7).transpose();
            let whole =
                oscillators(&k, &(&k * 1e-3 + DMatrix::identity(n, n) * 1e-2), &force, &place);
            let band = [1.0, 15.0];
            let steady = method == Method::Modal;
            let own = reduced(&whole, method, Size::Error(0.01), band, steady);
            let (size, stated) = (own.linear.states.len(), own.error);
            assert!(stated <= 0.01 && size < 2 * n, "{method:?}: {stated} {size}");
            let mut frequencies = spaced(band[0], band[1], 3000);
            frequencies.push(own.worst);
            let errors = apart(&whole, &own.linear, &frequencies);
            let seen = errors.iter().fold(0.0_f64, |most, [size, error]| most.max(error / size));
            println!("{method:?} {case}: {size} states, {stated:e} stated, {seen:e} seen");
            // A fine grid finds no more than a percent of it besides.
            assert!(seen <= 1.01 * stated && seen > 0.99 * stated, "{method:?}: {stated} {seen}");
            let fewer = reduced(&whole, method, Size::States(size - 1), band, steady);
            assert!(
                fewer.error > 0.01,
                "{method:?}: {} {}",
                fewer.linear.states.len(),
                fewer.error
            );
        }
    }
}

#[test]
fn steady_responses_stay_with_craig_and_bampton_and_with_the_static_correction() {
    let n = 12;
    let k = chain(&(1..=n).map(|k| 1e3 * k as f64).collect::<Vec<_>>(), true);
    let whole = oscillators(&k, &(&k * 2e-3), &unit(n, n - 1), &unit(n, 4).transpose());
    let exact = whole.steady_gain().unwrap()[(0, 0)];
    for (method, steady) in
        [(Method::CraigBampton, false), (Method::Modal, true), (Method::Balanced, true)]
    {
        let own = reduced(&whole, method, Size::States(6), [0.1, 5.0], steady);
        let seen = own.linear.steady_gain().unwrap()[(0, 0)];
        assert!((seen / exact - 1.0).abs() < 1e-10, "{method:?}: {seen} {exact}");
    }
    // Coordinates of the force and of the output keep their names.
    let own = reduced(&whole, Method::CraigBampton, Size::States(6), [0.1, 5.0], false);
    let names: Vec<&str> = own.linear.states.iter().map(|state| state.path.as_str()).collect();
    assert_eq!(names, ["y0", "along(u0)", "x3", "der(y0)", "der(along(u0))", "x6"]);
}

/// In other coordinates, over which masses, forces and readings are spread, Craig and Bampton's reduced model answers the same.
#[test]
fn coordinates_do_not_matter_to_craig_and_bampton() {
    let (n, mut random) = (10, Random(7));
    let k = chain(&(1..=n).map(|k| 1e3 * k as f64).collect::<Vec<_>>(), true);
    let (f, y) = (unit(n, n - 1), unit(n, 4).transpose());
    let plain = oscillators(&k, &(&k * 2e-3), &f, &y);
    // z = S z'.
    let s = DMatrix::from_fn(n, n, |i, j| random.next() + if i == j { 2.0 } else { 0.0 });
    let back = s.clone().try_inverse().unwrap();
    let inner = &back * &k * &s;
    let mut turned = oscillators(&inner, &(&inner * 2e-3), &(&back * &f), &(&y * &s));
    turned.mass = s.tr_mul(&s);
    let frequencies = [0.5, 2.0, 5.0, 9.0];
    for states in [4, 8, 12] {
        let [one, other] = [&plain, &turned].map(|whole| {
            reduced(whole, Method::CraigBampton, Size::States(states), [0.1, 10.0], false)
        });
        assert!(one.error > 1e-6 && (one.error / other.error - 1.0).abs() < 1e-6);
        for [size, apart] in apart(&one.linear, &other.linear, &frequencies) {
            assert!(apart < 1e-9 * size, "{states} states: {apart} of {size}");
        }
    }
}

/// Three ways to lose states keep the poles at which something moves on or grows.
#[test]
fn motions_that_do_not_decay_stay() {
    let n = 8;
    let mut k = chain(&vec![1e4; n], false);
    k[(0, 0)] -= 30.0;
    let whole = oscillators(
        &k,
        &(&chain(&vec![1e4; n], false) * 1e-3),
        &unit(n, 0),
        &unit(n, n - 1).transpose(),
    );
    let grows = |linear: &Linear| {
        let poles = linear.poles().unwrap();
        poles.iter().map(|pole| pole.re).fold(f64::NEG_INFINITY, f64::max)
    };
    for method in [Method::Balanced, Method::Modal] {
        let own = reduced(&whole, method, Size::Error(0.01), [1.0, 10.0], false);
        assert!((grows(&own.linear) / grows(&whole) - 1.0).abs() < 1e-8, "{method:?}");
    }
}

/// A chain of masses that nothing supports, with a part as stiff as steel: its poles at zero stay there, and it has no steady gain.
#[test]
fn free_motions_stay_at_zero() {
    let n = 30;
    let mut stiffness = vec![1e4; n];
    stiffness[12] = 1e12;
    let k = chain(&stiffness, false);
    let whole = oscillators(
        &k,
        &(&chain(&vec![1e4; n], false) * 1e-3),
        &unit(n, 0),
        &unit(n, n - 1).transpose(),
    );
    for method in [Method::Balanced, Method::Modal, Method::CraigBampton] {
        let own = reduced(&whole, method, Size::Error(0.01), [0.1, 3.0], false).linear;
        let poles = own.poles().expect("poles");
        let zeros = poles.iter().filter(|pole| pole.norm() == 0.0).count();
        assert_eq!((zeros, own.steady_gain()), (2, None), "{method:?}: {poles:?}");
        assert!(poles.iter().all(|pole| pole.re <= 0.0), "{method:?}: {poles:?}");
    }
}
