//! Undamped natural frequencies about a state.

use nalgebra::{DMatrix, DVector, SymmetricEigen};

use crate::system::{PRESCRIBED, State, System};

/// Angular frequencies (rad/s, rising) of small undamped vibrations about `state`, with all
/// motions held and sliders free to slide without friction.
///
/// The constraints A z = 0 of the free unknowns z (positions, rotations, sliding coordinates) are
/// solved by z = N y; then (NᵀKN) φ = ω² (NᵀMN) φ. Unknowns without mass have no frequency of
/// their own and do not appear. Dense: meant for models of up to some hundred unknowns.
pub fn natural_frequencies(system: &System, state: &State) -> Vec<f64> {
    let (n, s) = (system.equations(), system.sliders.len());
    let size = n + s;
    let mut stiffness = DMatrix::zeros(size, size);
    let mut mass = DMatrix::zeros(size, size);
    let mut unit = vec![0.0; system.nodal];
    let mut column = vec![0.0; system.nodal];
    for (e, &u) in system.unknown.iter().enumerate() {
        unit[u] = 1.0;
        system.tangent_times(&state.q, &unit, 0.0, &mut column);
        for (f, &w) in system.unknown.iter().enumerate() {
            stiffness[(f, e)] = column[w];
        }
        system.inertia_forces(&unit, &mut column);
        for (f, &w) in system.unknown.iter().enumerate() {
            mass[(f, e)] = column[w];
        }
        unit[u] = 0.0;
    }
    let (constraints, geometric) = constraints(system, state, size);
    stiffness += geometric;
    let basis = null_space(&constraints);
    let (k, m) = (
        basis.transpose() * stiffness * &basis,
        basis.transpose() * mass * &basis,
    );
    // A shift keeps the pencil definite where rigid motions are left.
    let shift = 1e-6 * k.trace().abs() / m.trace().abs().max(f64::MIN_POSITIVE) / size as f64;
    let shifted = &k + &m * shift;
    let shifted = (&shifted + shifted.transpose()) * 0.5;
    let Some(factor) = shifted.cholesky() else {
        return Vec::new();
    };
    let l = factor.l();
    let Some(half) = l.solve_lower_triangular(&m) else {
        return Vec::new();
    };
    let Some(flexibility) = l.solve_lower_triangular(&half.transpose()) else {
        return Vec::new();
    };
    let inverse = SymmetricEigen::new((&flexibility + flexibility.transpose()) * 0.5).eigenvalues;
    let largest = inverse.amax();
    let mut squares: Vec<f64> = inverse
        .iter()
        .filter(|&&v| v > 1e-14 * largest)
        .map(|v| 1.0 / v - shift)
        .collect();
    squares.sort_by(f64::total_cmp);
    squares.into_iter().map(|w| w.max(0.0).sqrt()).collect()
}

/// A = ∂c/∂z and the geometric stiffness λ·∂²c/∂z² of the sliding joints.
fn constraints(system: &System, state: &State, size: usize) -> (DMatrix<f64>, DMatrix<f64>) {
    let n = system.equations();
    let mut driven = vec![None; system.nodal];
    system.find_driven(state, &mut driven);
    let held = (system.unknown.iter().enumerate()).filter(|(_, u)| driven[**u].is_some());
    let rows = system.border() - system.sliders.len() + held.clone().count();
    let mut a = DMatrix::zeros(rows, size);
    let mut geometric = DMatrix::zeros(size, size);
    let mut row = 0;
    for (e, _) in held {
        a[(row, e)] = 1.0;
        row += 1;
    }
    for (j, slider) in system.sliders.iter().enumerate() {
        let k = system.kinematics(j, &state.q, None);
        let multipliers = state.multipliers[j];
        let slopes = [k.tangent[0], k.tangent[1], k.spin[0]];
        let bends = [k.bend[0], k.bend[1], k.spin[1]];
        let nodes = &slider.path.elements()[k.point.element].nodes;
        for (i, &u) in slider.unknowns.iter().enumerate() {
            let at = |u: usize| system.equation[u] as usize;
            if system.equation[u] != PRESCRIBED {
                a[(row, at(u))] += 1.0;
            }
            a[(row, n + j)] -= slopes[i];
            geometric[(n + j, n + j)] -= multipliers[i] * bends[i];
            let weights = if i < 2 {
                &k.point.position
            } else {
                &k.point.rotation
            };
            for (l, node) in nodes.iter().enumerate() {
                if system.equation[node[i]] != PRESCRIBED {
                    a[(row, at(node[i]))] -= weights[0][l];
                    let coupling = multipliers[i] * weights[1][l];
                    geometric[(at(node[i]), n + j)] -= coupling;
                    geometric[(n + j, at(node[i]))] -= coupling;
                }
            }
            row += 1;
        }
        let Some(rough) = &k.rough else { continue };
        let along = |v: [f64; 2]| multipliers[0] * v[0] + multipliers[1] * v[1];
        let turning: Vec<(usize, [f64; 2])> = (nodes.iter().enumerate())
            .filter(|(_, node)| system.equation[node[2]] != PRESCRIBED)
            .map(|(l, node)| {
                let weights = [0, 1].map(|d| k.point.rotation[d][l]);
                (system.equation[node[2]] as usize, weights)
            })
            .collect();
        let first = row - slider.unknowns.len();
        for &(e, weights) in &turning {
            for (i, lever) in rough.lever.into_iter().enumerate() {
                a[(first + i, e)] -= lever * weights[0];
            }
            let coupling = along(rough.tangent_change(weights));
            geometric[(e, n + j)] -= coupling;
            geometric[(n + j, e)] -= coupling;
            for &(f, others) in &turning {
                geometric[(e, f)] += along(rough.height) * weights[0] * others[0];
            }
        }
    }
    (a, geometric)
}

/// Orthonormal columns that `a` maps to zero: what the rows leave, by Gram-Schmidt done twice.
fn null_space(a: &DMatrix<f64>) -> DMatrix<f64> {
    let n = a.ncols();
    let mut basis: Vec<DVector<f64>> = Vec::new();
    let mut add = |candidate: DVector<f64>, tolerance: f64| -> bool {
        let before = candidate.norm();
        let mut v = candidate;
        for _ in 0..2 {
            for b in &basis {
                let along = b.dot(&v);
                v -= b * along;
            }
        }
        let after = v.norm();
        let fresh = after > tolerance * before.max(f64::MIN_POSITIVE);
        if fresh {
            basis.push(v / after);
        }
        fresh
    };
    let mut rank = 0;
    for row in a.row_iter() {
        rank += usize::from(add(row.transpose(), 1e-10));
    }
    for k in 0..n {
        let mut unit = DVector::zeros(n);
        unit[k] = 1.0;
        add(unit, 1e-6);
    }
    let free: Vec<DVector<f64>> = basis.split_off(rank);
    if free.is_empty() {
        DMatrix::zeros(n, 0)
    } else {
        DMatrix::from_columns(&free)
    }
}
