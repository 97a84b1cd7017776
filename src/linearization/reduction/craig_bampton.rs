//! Craig-Bampton reduction (Craig & Bampton 1968) for any interface: what inputs act on and outputs read stays, the rest of the motion follows as in
//! statics and in vibrations with the interface fixed:
//!
//! ```text
//! q = L z,    z = T [q; η],    T = [Ψ Φ]
//! Ψ = K⁻¹ Lᵀ (L K⁻¹ Lᵀ)⁻¹,    Φ: K Φ = M Φ Ω² + Lᵀ λ with L Φ = 0
//! ```
//!
//! Where something moves without resistance, K + ω² M stands for K, with the lowest ω of the band.
//!
//! A row of L is the displacement that works with an input, or what an output reads of the coordinates z. Where the rows pick coordinates, this is
//! the usual reduction. The equations are projected with Tᵀ. M is that of the coordinates of the linear model, K = −M ∂z̈/∂z. States that are no
//! coordinates stay, and what they act on and read belongs to the interface; or they follow as in statics, where the error is smaller so.

use nalgebra::{Cholesky, DMatrix, DVector, SymmetricEigen};

use super::family::{Family, unnamed};
use super::{Channels, Problem, Real};
use crate::linearization::{Linear, Quantified};

/// What is left of a row of L without its part along others, as a share: below, the row follows from them.
///
/// Coordinates that nearly follow from others lose digits by its square.
const DEPENDENT: f64 = 1e-4;

/// What is rounding: a flexibility relative to the largest, a part of a row or column relative to the whole.
const ROUNDING: f64 = 1e-12;

const STIFF: &str =
    "what inputs act on and outputs read cannot move; name others, or take another --method";

pub(super) struct CraigBampton<'a> {
    /// With states in units of the mechanism.
    system: Real,
    /// What the states that follow at once give to D.
    feed: DMatrix<f64>,
    /// States that are no coordinates and no velocities of such.
    others: Vec<&'a Quantified>,
    mass: &'a DMatrix<f64>,
    interface: Vec<Quantified>,
    /// The first columns of T that stay: the interface, and what moves without resistance, or falls away, with the interface fixed.
    least: usize,
    /// Size of a stiffness over a mass below which it is zero, 1/s².
    rounding: f64,
    even: Even,
    /// T over w with all vibrations, slowest first.
    basis: DMatrix<f64>,
}

impl<'a> CraigBampton<'a> {
    /// The families of a linear model: one in which states that are no coordinates stay, and where there are such, one in which they follow as in
    /// statics.
    ///
    /// # Errors
    /// In words, where states are not coordinates with their velocities, or the interface is all of them.
    pub fn families(
        problem: &'a Problem, channels: &Channels,
    ) -> Result<Vec<CraigBampton<'a>>, String> {
        let linear = problem.linear;
        if linear.mass.is_empty() {
            return Err(
                "Craig-Bampton reduction needs coordinates with masses; take another --method"
                    .into(),
            );
        }
        let whole = problem.in_units_of_states();
        let coordinates = 2 * linear.mass.nrows();
        let relaxes = |k: &usize| whole.a[(*k, *k)] < 0.0;
        let (last, stay): (Vec<usize>, Vec<usize>) =
            (coordinates..whole.a.nrows()).partition(relaxes);
        let order: Vec<usize> = (0..coordinates).chain(stay).chain(last.iter().copied()).collect();
        let states: Vec<&Quantified> = order.iter().map(|&k| &linear.states[k]).collect();
        let whole = whole.of_states(&order);
        let of = |(system, feed)| CraigBampton::of(problem, channels, &states, system, feed);
        let none = DMatrix::zeros(linear.outputs.len(), linear.inputs.len());
        let following = (!last.is_empty()).then(|| whole.without_last(last.len())).flatten();
        let staying = of((whole, none));
        match following.map(of) {
            Some(Ok(following)) => {
                Ok([Some(following), staying.ok()].into_iter().flatten().collect())
            }
            _ => Ok(vec![staying?]),
        }
    }

    fn of(
        problem: &'a Problem, channels: &Channels, states: &[&'a Quantified], system: Real,
        feed: DMatrix<f64>,
    ) -> Result<CraigBampton<'a>, String> {
        let linear = problem.linear;
        let even =
            Even::of(problem, &system.a).ok_or("its masses or its stiffness are singular")?;
        let (interface, rows) = independent(functionals(linear, channels, states, &system, &even));
        let (n, r) = rows.shape();
        if r == n {
            return Err(format!(
                "inputs and outputs act on all {n} coordinates, of which Craig-Bampton reduction leaves out none; name fewer with \
                 --inputs and --outputs, or take another --method"
            ));
        }
        let moved = &even.flexibility * &rows;
        let statics = &moved * rows.tr_mul(&moved).try_inverse().ok_or(STIFF)?;
        let inner = &even.flexibility - &statics * moved.transpose();
        let eigen = SymmetricEigen::new((&inner + inner.transpose()) * 0.5);
        let (values, largest) = (&eigen.eigenvalues, eigen.eigenvalues.amax());
        // Moves without resistance, or falls away.
        let loose = |k: usize| {
            values[k].abs() > ROUNDING * largest
                && 1.0 / values[k] - even.shift <= problem.blurred.powi(2)
        };
        let mut order: Vec<usize> = (0..n).collect();
        order.sort_by(|&i, &j| values[j].abs().total_cmp(&values[i].abs()));
        order.truncate(n - r);
        order.sort_by_key(|&k| !loose(k));
        let least = r + order.iter().filter(|&&k| loose(k)).count();
        let mut basis = DMatrix::zeros(n, n);
        basis.columns_mut(0, r).copy_from(&statics);
        basis.columns_mut(r, n - r).copy_from(&eigen.eigenvectors.select_columns(&order));
        Ok(CraigBampton {
            even,
            basis,
            feed,
            others: states[2 * n..system.a.nrows()].to_vec(),
            system,
            mass: &linear.mass,
            interface,
            least,
            rounding: problem.blurred.powi(2),
        })
    }
}

/// Coordinates w = Gᵀ z with M = G Gᵀ, in which the masses are 1.
struct Even {
    /// Gᵀ.
    upper: DMatrix<f64>,
    /// (K + σ)⁻¹ over w, its symmetric part: rounding of the stiffest parts does not reach the slow vibrations.
    flexibility: DMatrix<f64>,
    /// M⁻¹ K + σ over z.
    stiffness: DMatrix<f64>,
    /// σ, 1/s²: 0 where K resists all motion.
    shift: f64,
}

impl Even {
    fn of(problem: &Problem, a: &DMatrix<f64>) -> Option<Even> {
        let mass = &problem.linear.mass;
        let n = mass.nrows();
        let upper = Cholesky::new(mass.clone())?.l().transpose();
        let free = problem.triangular.poles().into_iter().any(|pole| problem.is_rigid(pole));
        let shift = if free { problem.band[0].powi(2) } else { 0.0 };
        // K = −M ∂z̈/∂z.
        let stiffness = DMatrix::identity(n, n) * shift - a.view((n, 0), (n, n));
        let half = &upper * stiffness.clone().lu().try_inverse()?;
        let flexibility = upper.tr_solve_upper_triangular(&half.transpose())?;
        Some(Even {
            flexibility: (&flexibility + flexibility.transpose()) * 0.5,
            upper,
            stiffness,
            shift,
        })
    }

    /// A row over z as one over w.
    fn row(&self, of: DMatrix<f64>) -> Option<DVector<f64>> {
        Some(self.upper.tr_solve_upper_triangular(&of.transpose())?.column(0).into_owned())
    }

    /// What works with forces whose accelerations of z are these.
    fn working(&self, accelerations: DMatrix<f64>) -> DVector<f64> {
        (&self.upper * accelerations).column(0).into_owned()
    }

    /// What works with the forces that hold these displacements of z.
    fn holding(&self, displacements: DMatrix<f64>) -> DVector<f64> {
        self.working(&self.stiffness * displacements)
    }
}

/// The rows of L over w with the coordinates q that they are.
fn functionals(
    linear: &Linear, channels: &Channels, states: &[&Quantified], system: &Real, even: &Even,
) -> Vec<(Quantified, DVector<f64>)> {
    let Real { a, b, c } = system;
    let (n, all) = (linear.mass.nrows(), a.nrows());
    let mut found = Vec::new();
    let mut add = |path: String, unit: String, row: Option<DVector<f64>>| {
        found.extend(row.map(|row| (Quantified { path, unit, value: 0.0 }, row)));
    };
    let read = |of: &DMatrix<f64>, i: usize, from: usize| {
        let part = of.view((i, from), (1, n));
        (part.amax() > ROUNDING * of.row(i).amax()).then(|| even.row(part.into_owned())).flatten()
    };
    let acted = |of: &DMatrix<f64>, j: usize, from: usize| {
        let part = of.view((from, j), (n, 1));
        (part.amax() > ROUNDING * of.column(j).amax()).then(|| part.into_owned())
    };
    for (i, output) in linear.outputs.iter().enumerate() {
        let (path, unit) = (&output.path, &output.unit);
        let of = |from: usize| read(c, i, from).map(|row| row / channels.outputs[i]);
        add(path.clone(), unit.clone(), of(0));
        add(format!("integral({path})"), format!("{unit}.s"), of(n));
    }
    for (j, input) in linear.inputs.iter().enumerate() {
        let unit = match input.unit.as_str() {
            "N" => "m".to_owned(),
            "N.m" => "rad".to_owned(),
            unit => format!("J/({unit})"),
        };
        let of = |from: usize| acted(b, j, from).map(|column| column / channels.inputs[j]);
        let path = &input.path;
        add(format!("along({path})"), unit, of(n).map(|column| even.working(column)));
        add(format!("moved({path})"), String::new(), of(0).map(|column| even.holding(column)));
    }
    for (k, state) in states.iter().enumerate().take(all).skip(2 * n) {
        let path = &state.path;
        let of = |from: usize| acted(a, k, from);
        add(format!("read({path})"), String::new(), read(a, k, 0));
        add(format!("integral({path})"), String::new(), read(a, k, n));
        add(format!("along({path})"), String::new(), of(n).map(|column| even.working(column)));
        add(format!("moved({path})"), String::new(), of(0).map(|column| even.holding(column)));
    }
    found
}

/// The first of the rows that do not follow from those before, as columns.
fn independent(rows: Vec<(Quantified, DVector<f64>)>) -> (Vec<Quantified>, DMatrix<f64>) {
    let (mut names, mut taken, mut directions) =
        (Vec::new(), Vec::new(), Vec::<DVector<f64>>::new());
    for (name, row) in rows {
        let size = row.norm();
        let mut left = row.clone();
        // Twice is enough (Parlett, The Symmetric Eigenvalue Problem, Sec. 6.9).
        for direction in directions.iter().chain(&directions) {
            left.axpy(-direction.dot(&left), direction, 1.0);
        }
        if left.norm() > DEPENDENT * size {
            left.normalize_mut();
            directions.push(left);
            taken.push(row);
            names.push(name);
        }
    }
    let n = taken.first().map_or(0, DVector::len);
    let columns =
        if taken.is_empty() { DMatrix::zeros(n, 0) } else { DMatrix::from_columns(&taken) };
    (names, columns)
}

impl Family for CraigBampton<'_> {
    fn sizes(&self) -> Vec<usize> {
        (self.least..=self.mass.nrows()).map(|n| 2 * n + self.others.len()).collect()
    }

    fn take(&self, size: usize) -> Real {
        let (n, r) = (self.mass.nrows(), (size - self.others.len()) / 2);
        // T = Q R over w, so that R⁻¹ Qᵀ is its left inverse.
        let (q, factor) = self.basis.columns(0, r).into_owned().qr().unpack();
        let upper = &self.even.upper;
        let inverse = factor.solve_upper_triangular(&DMatrix::identity(r, r));
        let left = factor.solve_upper_triangular(&q.tr_mul(upper));
        let right = upper.solve_upper_triangular(&(&q * &factor));
        // M is positive, and the columns of T are independent.
        let (left, right) = (
            left.unwrap_or_else(|| DMatrix::zeros(r, n)),
            right.unwrap_or_else(|| DMatrix::zeros(n, r)),
        );
        let whole = |of: &DMatrix<f64>| {
            let (rows, columns) = of.shape();
            let others = self.others.len();
            let mut whole = DMatrix::zeros(2 * rows + others, 2 * columns + others);
            whole.view_mut((0, 0), (rows, columns)).copy_from(of);
            whole.view_mut((rows, columns), (rows, columns)).copy_from(of);
            whole.view_mut((2 * rows, 2 * columns), (others, others)).fill_with_identity();
            whole
        };
        let (left, right) = (whole(&left), whole(&right));
        let Real { a, b, c } = &self.system;
        let mut a = &left * (a * &right);
        // Rates of coordinates are states, without rounding.
        a.rows_mut(0, r).fill(0.0);
        a.view_mut((0, r), (r, r)).fill_with_identity();
        if let Some(inverse) = inverse {
            // Stiffnesses of free motions are rounding, and would make vibrations of them.
            let mut stiffness = a.view_mut((r, 0), (r, r));
            let even = &factor * &stiffness * &inverse;
            let eigen = SymmetricEigen::new((&even + even.transpose()) * 0.5);
            let values = eigen.eigenvalues.iter().zip(eigen.eigenvectors.column_iter());
            for (value, free) in values.filter(|(value, _)| value.abs() <= self.rounding) {
                stiffness -= &inverse * free * (free.transpose() * *value * &factor);
            }
        }
        Real { a, b: left * b, c: c * right }
    }

    fn feed(&self) -> Option<DMatrix<f64>> {
        Some(self.feed.clone())
    }

    fn states(&self, size: usize) -> Vec<Quantified> {
        let r = (size - self.others.len()) / 2;
        let inner = self.interface.len()..r;
        let rate = |of: &Quantified| Quantified {
            path: format!("der({})", of.path),
            unit: if of.unit.is_empty() { String::new() } else { format!("{}/s", of.unit) },
            value: 0.0,
        };
        let mut states = self.interface.clone();
        states.extend(inner.clone().map(|k| unnamed(k + 1)));
        states.extend(self.interface.iter().map(rate));
        states.extend(inner.map(|k| unnamed(r + k + 1)));
        states.extend(self.others.iter().map(|other| (*other).clone()));
        states
    }
}
