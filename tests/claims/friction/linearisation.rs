//! Equivalent linearisation: closed forms, quadrature, and the numbers of the paper.

use std::f64::consts::PI;

use coulisse::laws::friction::equivalent::{
    POWERS, damping, plateau, ramp, spring_friction_damping, spring_friction_stiffness,
};
use coulisse::laws::friction::{
    BristleLcp, Contact, Dahl, Friction, ModifiedCoulomb, PiecewiseLinear, PowerSeries,
    SpringFriction,
};

/// The paper's v_r.
const V_R: f64 = 0.5;

/// F_t0 = 1, v_r = 0.5 (Figs. 6-10).
fn series(coefficients: &[f64]) -> Friction {
    Friction::PowerSeries(PowerSeries {
        coefficient: 1.0,
        threshold_velocity: V_R,
        coefficients: coefficients.to_vec(),
        ..PowerSeries::blank()
    })
}

fn close(ours: f64, theirs: f64, tolerance: f64) {
    assert!((ours - theirs).abs() <= tolerance, "{ours} {theirs}");
}

#[test]
fn modified_coulomb_law_damps_as_the_reference_says() {
    let law = Friction::ModifiedCoulomb(ModifiedCoulomb {
        coefficient: 1.0,
        threshold_velocity: V_R,
        ..ModifiedCoulomb::blank()
    });
    for (v0, b) in [(0.7, 1.649480), (1.3, 0.954701), (3.0, 0.422440), (6.0, 0.211961)] {
        close(law.equivalent_damping(v0, 1.0), b, 5e-7);
        close(law.closed_form(v0, 1.0).expect("Eq. 23"), b, 5e-7);
    }
    // Eq. 20.
    close(law.equivalent_damping(0.3, 1.0), 2.0, 1e-14);
}

#[test]
fn powers_of_the_sliding_velocity_damp_as_the_reference_says() {
    for (power, b) in POWERS.iter().zip([0.788780, 1.652336, 3.627304, 8.180869]) {
        close(power(V_R, 3.0), b, 5e-7);
    }
}

#[test]
fn closed_forms_agree_with_quadrature() {
    for v0 in [0.1, 0.499_999, 0.5, 0.500_001, 0.51, 0.7, 1.3, 3.0, 6.0, 40.0] {
        let line = |v: f64| if v < V_R { v / V_R } else { 0.0 };
        let flat = |v: f64| if v < V_R { 0.0 } else { 1.0 };
        close(ramp(V_R, v0), damping(line, v0, &[V_R]), 1e-10);
        close(plateau(V_R, v0), damping(flat, v0, &[V_R]), 1e-10);
        for (n, power) in POWERS.iter().enumerate() {
            let force = |v: f64| (v - V_R).max(0.0).powi(n as i32 + 1);
            let quadrature = damping(force, v0, &[V_R]);
            close(power(V_R, v0), quadrature, 1e-10 * quadrature.max(1.0));
        }
    }
}

#[test]
fn every_law_with_a_closed_form_agrees_with_its_quadrature() {
    let mut seen = 0;
    for law in Friction::samples() {
        for v0 in [0.004, 0.02, 0.3, 1.1] {
            let Some(closed) = law.closed_form(v0, 150.0) else {
                continue;
            };
            seen += 1;
            let quadrature = law.equivalent_damping(v0, 150.0);
            close(closed, quadrature, 1e-10 * quadrature);
        }
    }
    assert!(seen >= 4 * 8, "{seen}");
}

/// Eq. 17 by the trapezoidal rule, whose error for Coulomb-like forces is of second order.
fn trapezoidal(force: impl Fn(f64) -> f64, v0: f64) -> f64 {
    let n = 200_000;
    let sum: f64 = (0..n)
        .map(|i| {
            let cos = (2.0 * PI * (f64::from(i) + 0.5) / f64::from(n)).cos();
            force(v0 * cos) * cos
        })
        .sum();
    2.0 * sum / (f64::from(n) * v0)
}

#[test]
fn quadrature_of_every_law_is_the_mean_over_a_period() {
    // Steady sliding of a law whose state is an expression takes an iteration: a minute for all of these.
    let found = |law: &Friction| law.kind().remembers && !law.formulas().is_empty();
    for law in Friction::samples().into_iter().filter(|law| !found(law)) {
        for v0 in [0.03, 0.7, 4.0] {
            let simple = trapezoidal(|v| law.characteristic(v, 80.0), v0);
            let adaptive = law.equivalent_damping(v0, 80.0);
            close(adaptive, simple, 1e-6 * simple.abs());
        }
    }
}

#[test]
fn piecewise_law_of_the_paper_has_its_values_and_its_damping() {
    let law = Friction::PiecewiseLinear(PiecewiseLinear {
        slopes: vec![4.0, -5.6, 1.2, 0.3, 0.4, -0.2],
        velocities: vec![0.0, 0.5, 1.0, 2.0, 3.0, 5.0],
        ..PiecewiseLinear::blank()
    });
    for (v, force) in
        [(0.25, 1.0), (0.5, 2.0), (1.0, 1.2), (2.0, 0.8), (3.0, 0.7), (5.0, 1.3), (6.0, 1.4)]
    {
        close(law.characteristic(v, 1.0), force, 1e-14);
        close(law.characteristic(-v, 1.0), -force, 1e-14);
    }
    // Up to the first corner a damper (Fig. 22).
    close(law.equivalent_damping(0.4, 1.0), 4.0, 1e-13);
}

#[test]
fn the_misprints_of_the_paper_are_not_repeated() {
    // Eq. 32 as printed gives 0.00396 + its b₁ term, Eq. 35 −0.0952 for the cubic term.
    let linear = series(&[0.1]);
    let expected = 0.422_440 + 0.1 * 0.788_780;
    close(linear.closed_form(3.0, 1.0).expect("Eq. 32"), expected, 1e-6);
    let mixed = series(&[0.1, -0.05, 0.006]);
    let expected = expected - 0.05 * 1.652_336 + 0.006 * 3.627_304;
    close(mixed.closed_form(3.0, 1.0).expect("Eq. 35"), expected, 1e-6);
    close(mixed.equivalent_damping(3.0, 1.0), expected, 1e-6);
}

/// First harmonics of Eq. 43 by Simpson's rule on each of its two sections.
fn spring_friction(k: f64, limit: f64, a: f64) -> [f64; 2] {
    let psi = limit / (k * a);
    let tau = (1.0 - 2.0 * psi).acos();
    let simpson = |f: &dyn Fn(f64) -> f64, from: f64, to: f64| {
        let n = 2000;
        let h = (to - from) / f64::from(n);
        let weight = |i: i32| {
            if i == 0 || i == n { 1.0 } else { f64::from(2 + 2 * (i % 2)) }
        };
        (0..=n).map(|i| weight(i) * f(from + h * f64::from(i))).sum::<f64>() * h / 3.0
    };
    let stick = |x: f64| k * a * (x.cos() - 1.0 + psi);
    let mean = |f: fn(f64) -> f64| {
        simpson(&|x| stick(x) * f(x), 0.0, tau) + simpson(&|x| -limit * f(x), tau, PI)
    };
    [-2.0 * mean(f64::sin) / (PI * a), 2.0 * mean(f64::cos) / (PI * a)]
}

#[test]
fn spring_friction_closed_forms_are_the_first_harmonics_of_its_loop() {
    close(spring_friction_damping(3.0, 1.0, 1.0, 1.0), 0.848_826, 5e-7);
    close(spring_friction_stiffness(3.0, 1.0, 1.0), 0.875_374, 5e-7);
    for psi in [0.05, 0.3, 0.5, 0.8, 0.95] {
        let (k, limit) = (3.0, 1.7);
        let a = limit / (k * psi);
        let [b, stiffness] = spring_friction(k, limit, a);
        close(spring_friction_damping(k, limit, a, 1.0), b, 1e-10);
        close(spring_friction_stiffness(k, limit, a), stiffness, 1e-10);
    }
    // Below Δ = fF_N/k a spring and nothing else.
    assert_eq!(spring_friction_damping(3.0, 1.0, 0.2, 1.0), 0.0);
    close(spring_friction_stiffness(3.0, 1.0, 0.2), 3.0, 1e-14);
}

#[test]
fn spring_friction_has_the_damper_and_the_spring_of_its_closed_forms() {
    let law = Friction::SpringFriction(SpringFriction {
        stiffness: 3.0,
        coefficient: 1.0,
        ..SpringFriction::blank()
    });
    let paper = law.equivalent(1.0, 1.0, 1.0);
    close(paper.damping, 0.848826, 5e-7);
    close(paper.stiffness, 0.875374, 5e-7);
    // ψ = f F_N/(k a) from 5 to 0.03.
    for amplitude in [0.07, 0.33, 1.0 / 3.0, 0.34, 0.5, 1.0, 3.0, 10.0] {
        for frequency in [0.2, 50.0] {
            let quadrature = law.equivalent(amplitude, frequency, 1.0);
            let closed = law.closed_equivalent(amplitude, frequency, 1.0).expect("Eqs. 48, 51");
            close(closed.damping, quadrature.damping, 1e-10 * closed.damping.max(1.0));
            close(closed.stiffness, quadrature.stiffness, 1e-10 * 3.0);
        }
    }
}

/// z of Dahl's law with n = 1 on a way x from z₀ towards z_c: exponential.
#[test]
fn the_loop_of_dahls_law_is_that_of_its_exponentials() {
    let (k, limit) = (2e4, 60.0);
    let z_c = limit / k;
    let law = Friction::Dahl(Dahl { stiffness: k, coefficient: 0.6, ..Dahl::blank() });
    for a in [1e-5, 1e-3, 3e-3, 0.02] {
        // Half a loop from z_a down to −z_a: z = −z_c + (z_a + z_c) e^(−x/z_c).
        let z_a = z_c * (a / z_c).tanh();
        let force = |tau: f64| {
            let x = a * (1.0 - tau.cos());
            k * (-z_c + (z_a + z_c) * (-x / z_c).exp())
        };
        let n = 20_000;
        let mean = |weight: fn(f64) -> f64| -> f64 {
            let at = |i: i32| PI * (f64::from(i) + 0.5) / f64::from(n);
            let sum: f64 = (0..n).map(|i| force(at(i)) * weight(at(i))).sum();
            sum * PI / f64::from(n)
        };
        let ours = law.equivalent(a, 7.0, 100.0);
        let damping = -2.0 / (PI * a * 7.0) * mean(f64::sin);
        let stiffness = 2.0 / (PI * a) * mean(f64::cos);
        close(ours.damping, damping, 1e-6 * damping);
        close(ours.stiffness, stiffness, 1e-6 * k);
    }
}

#[test]
fn every_law_with_memory_has_a_loop_between_its_spring_and_its_sliding() {
    let bristles = |law: &&Friction| law.kind().remembers && law.formulas().is_empty();
    for law in Friction::samples().iter().filter(bristles) {
        let k = law.numbers()[0].1;
        let limit = law.characteristic(10.0, 80.0)
            - 10.0
                * law.numbers().iter().find(|n| n.0 == "viscous_coefficient").map_or(0.0, |n| n.1);
        let delta = limit / k;
        // Small swings bend the bristles only, wide ones slide like Coulomb's law.
        let small = law.equivalent(1e-3 * delta, 1e-3, 80.0);
        close(small.stiffness, k, 5e-3 * k);
        let wide = law.equivalent(1e3 * delta, 10.0 / delta, 80.0);
        let viscous = wide.damping - 4.0 * limit / (PI * 1e4);
        assert!(viscous.abs() < 4.0, "{law:?}: {wide:?}");
        assert!(wide.stiffness < 1e-3 * k, "{law:?}: {wide:?}");
    }
}

#[test]
fn a_memory_that_needs_thousands_of_cycles_is_settled() {
    for law in (Friction::samples().into_iter()).filter(|law| law.name() == "bristle") {
        for (frequency, amplitude) in [(100.0, 1e-4), (1000.0, 1e-4), (1000.0, 1e-3)] {
            let (omega, normal_force) = (2.0 * PI * frequency, 100.0);
            let ours = law.equivalent(amplitude, omega, normal_force).damping;
            // Cycle by cycle for five seconds, in as many parts, from where a loop that does not slip is symmetric.
            let parts = 512;
            let (mut memory, mut work) = ([amplitude, 0.0], 0.0);
            for _ in 0..(5.0 * frequency) as usize {
                work = 0.0;
                for part in 0..parts {
                    let at =
                        |part: usize| amplitude * (2.0 * PI * part as f64 / parts as f64).cos();
                    let step = 2.0 * PI / (omega * parts as f64);
                    let response = law.respond(&Contact {
                        velocity: (at(part + 1) - at(part)) / step,
                        normal_force,
                        step,
                        memory,
                        ..Contact::default()
                    });
                    memory = response.memory;
                    work += response.work;
                }
            }
            let theirs = work / (PI * amplitude * amplitude * omega);
            println!("{frequency} Hz, {amplitude} m: {ours} {theirs}");
            close(ours, theirs, 5e-3 * theirs);
        }
    }
}

#[test]
fn bristles_with_damping_that_do_not_slip_are_their_spring_and_their_damper() {
    let law = Friction::BristleLcp(BristleLcp {
        stiffness: 1e4,
        damping: 100.0,
        coefficient: 0.5,
        ..BristleLcp::blank()
    });
    for frequency in [1.0, 10.0, 100.0] {
        let omega = 2.0 * PI * frequency;
        let ours = law.equivalent(1e-3, omega, 1e6);
        println!("{frequency} Hz: {ours:?}");
        close(ours.damping, 100.0, 1e-3);
        close(ours.stiffness, 1e4, 1e-5 * (1e4 + 100.0 * omega));
    }
}
