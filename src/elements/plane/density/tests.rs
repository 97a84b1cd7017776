//! What every law must satisfy.

use num_dual::Dual64;

use super::*;

const STRAINS: [Strain<f64>; 4] =
    [[0.0, 0.0, 0.0], [0.01, -0.02, 0.015], [0.4, 0.1, -0.3], [-0.2, 0.25, 0.2]];

/// `strain` with the derivative along its entry `i`.
fn moving(strain: Strain<f64>, i: usize) -> Strain<Dual64> {
    let mut moving = strain.map(Dual64::from);
    moving[i].eps = 1.0;
    moving
}

#[test]
fn stress_is_the_derivative_of_the_energy_and_the_tangent_that_of_the_stress() {
    for density in Density::samples() {
        for (strain, i) in STRAINS.into_iter().flat_map(|e| [0, 1, 2].map(|i| (e, i))) {
            of_any_law!(density, law => {
                let (stress, tangent) = law.response(strain);
                let slope = law.energy(moving(strain, i)).eps;
                assert!((slope - stress[i]).abs() < 1e-13, "{density:?} {strain:?}");
                let slopes = law.stress(moving(strain, i)).map(|s| s.eps);
                for (j, slope) in slopes.into_iter().enumerate() {
                    for entry in [tangent[i][j], tangent[j][i]] {
                        assert!((slope - entry).abs() < 1e-13 * tangent[0][0]);
                    }
                }
            });
        }
    }
}

#[test]
fn a_body_at_rest_has_no_stress_and_its_initial_thickness_and_resists_every_strain() {
    for density in Density::samples() {
        of_any_law!(density, law => {
            let (stress, [[a, b, c], [_, d, e], [_, _, f]]) = law.response([0.0; 3]);
            assert_eq!((law.energy([0.0; 3]), stress), (0.0, [0.0; 3]));
            let across = law.across([0.0; 3]);
            assert_eq!((across.stretch_squared, across.stress), (1.0, 0.0));
            let minors = [a, a * d - b * b, a * (d * f - e * e) - b * (b * f - c * e) + c * (b * e - c * d)];
            assert!(minors.iter().all(|minor| *minor > 0.0), "{density:?}");
        });
    }
}

#[test]
fn the_two_states_are_those_of_a_body_in_space() {
    // λ tr(E) 1 + 2 G E in space.
    let (young, nu) = (3.0, 0.3);
    let (lambda, shear) = (young * nu / ((1.0 + nu) * (1.0 - 2.0 * nu)), 0.5 * young / (1.0 + nu));
    for state in [State::PlaneStress, State::PlaneStrain] {
        let law = SaintVenantKirchhoff::new(young, nu, state);
        for [x, y, xy] in STRAINS {
            let across = law.across([x, y, xy]);
            let z = 0.5 * (across.stretch_squared - 1.0);
            let space = |e: f64| lambda * (x + y + z) + 2.0 * shear * e;
            let zero = if state == State::PlaneStress { across.stress } else { z };
            assert_eq!(zero, 0.0);
            let exact = [space(x), space(y), shear * xy, space(z)];
            let [a, b, c] = law.stress([x, y, xy]);
            for (seen, exact) in [a, b, c, across.stress].into_iter().zip(exact) {
                assert!((seen - exact).abs() < 1e-15 * young, "{state:?} {seen} {exact}");
            }
        }
    }
}

#[test]
fn laws_of_rubber_are_stable_until_their_nominal_stress_falls() {
    let of =
        |c01, c20, c30| Coefficients { form: Form::Yeoh, c10: 1.0, c01, c20, c30, bulk: 100.0 };
    assert_eq!(of(0.0, 0.0, 0.0).loses_stability(), None);
    assert_eq!(of(0.3, 0.0, 0.0).loses_stability(), None);
    assert_eq!(of(0.0, -0.05, 0.01).loses_stability(), None);
    // u = I − 0.1 I² with I = (λ − 1/λ)² in planar tension: u″ vanishes at λ = 1.786.
    let (stretch, way) = of(0.0, -0.1, 0.0).loses_stability().expect("unstable");
    println!("{stretch} {way}");
    let second = |l: f64| {
        let (i, first, second) =
            ((l - 1.0 / l).powi(2), 2.0 * (l - l.powi(-3)), 2.0 * (1.0 + 3.0 * l.powi(-4)));
        second - 0.2 * (first * first + i * second)
    };
    assert!(way != "planar" || (second(stretch) <= 0.0 && second(stretch - 0.01) > 0.0));
    assert!((1.3..1.9).contains(&stretch));
}
