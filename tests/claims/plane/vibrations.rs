//! The vibrations of a square, against an independent solution on the same mesh.

use coulisse::elements::plane::density::State;

use super::body::{Body, properties, rectangle};

fn frequencies(state: State, clamped: bool, count: usize) -> Vec<f64> {
    let mesh = rectangle(3, [8, 8], [1.0, 1.0]);
    let hold = |[x, _]: [f64; 2]| [clamped && x == 0.0; 2];
    Body::new(mesh, &properties(1.0, 0.3, state), hold).frequencies(count)
}

#[test]
fn a_square_vibrates_as_in_an_independent_solution() {
    use State::{PlaneStrain, PlaneStress};
    let zero = [0.0; 3];
    let clamped_stress = vec![0.65849, 1.57979, 1.77223, 2.81597, 3.03747];
    let free_stress = [&zero[..], &[2.43265, 2.59097, 2.59097, 2.75536, 3.13164]].concat();
    let clamped_strain = vec![0.67853, 1.66342, 1.81896];
    let free_strain = [&zero[..], &[2.44107, 2.68662, 2.68662]].concat();
    for (state, clamped, reference) in [
        (PlaneStress, true, clamped_stress),
        (PlaneStress, false, free_stress),
        (PlaneStrain, true, clamped_strain),
        (PlaneStrain, false, free_strain),
    ] {
        let found = frequencies(state, clamped, reference.len());
        println!("{state:?}, clamped {clamped}: {found:.5?}");
        for (found, reference) in found.into_iter().zip(reference) {
            // Rounding of a zero square by 1e-14 of the highest one is 1e-6 here.
            assert!((found - reference).abs() < 1e-5, "{found} {reference}");
        }
    }
}
