//! Rubber and other solids of large strains: polynomials in the invariants of C = FᵀF, with the dilatation J = det F apart.
//!
//! ```text
//! u = C₁₀ (Ī₁ − 3) + C₀₁ (Ī₂ − 3) + C₂₀ (Ī₁ − 3)² + C₃₀ (Ī₁ − 3)³ + ½ K (J − 1)²
//! Ī₁ = J^(−2/3) tr C,   Ī₂ = J^(−4/3) ½ ((tr C)² − tr C²)
//! S = 2 u₁ J^(−2/3) (1 − ⅓ I₁ C⁻¹) + 2 u₂ J^(−4/3) (I₁ 1 − C − ⅔ I₂ C⁻¹) + K J (J − 1) C⁻¹,   u₁ = ∂u/∂Ī₁, u₂ = ∂u/∂Ī₂
//! ```
//!
//! (Rivlin & Saunders 1951; Yeoh 1993; Holzapfel 2000, Sec. 6.4-6.5). Small strains have the shear modulus 2 (C₁₀ + C₀₁) and the bulk modulus K. In
//! plane strain C₃₃ is 1, in plane stress S₃₃ = 0 gives it: with w = ln C₃₃ that is the minimum of u over w, which Newton's method finds.

use num_dual::{Dual2_64, DualNum, DualSVec64};

use super::State;
use super::law::{Across, Law, Strain, Tangent};
use crate::message::rounded;

/// Iterations for C₃₃: from the thickness that keeps the volume five suffice at strains of rubber.
const ITERATIONS: usize = 50;

/// Change of ln C₃₃ that is rounding, and the largest that one iteration may make.
const SETTLED: f64 = 1e-15;
const LARGEST: f64 = 1.0;

/// Iterations with derivatives behind the solution: each doubles the order to which they are exact.
const DERIVATIVES: usize = 2;

/// Ways of stretching by λ: the exponent of the second stretch.
const WAYS: [(&str, f64); 3] = [("uniaxial", -0.5), ("equibiaxial", 1.0), ("planar", 0.0)];

/// Which coefficients a law has.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// C₁₀.
    NeoHooke,
    /// C₁₀ and C₀₁.
    MooneyRivlin,
    /// C₁₀, C₂₀ and C₃₀.
    Yeoh,
}

/// The coefficients of a law, Pa.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Coefficients {
    pub form: Form,
    pub c10: f64,
    pub c01: f64,
    pub c20: f64,
    pub c30: f64,
    /// K.
    pub bulk: f64,
}

/// The law in the plane.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Polynomial {
    state: State,
    of: Coefficients,
}

/// Isochoric invariants of a strain and their derivatives by ln C₃₃.
struct Invariants<D> {
    /// Ī₁ − 3 and Ī₂ − 3.
    over: [D; 2],
    /// J^(−2/3) and J^(−4/3).
    factors: [D; 2],
    /// J − 1.
    dilatation: D,
    /// C₃₃, and that less 1.
    c: D,
    c_less_one: D,
}

impl Coefficients {
    /// Shear modulus of small strains, Pa.
    pub fn shear_modulus(&self) -> f64 {
        2.0 * (self.c10 + self.c01)
    }

    /// Young's modulus of small strains, Pa: 9 K G/(3 K + G).
    pub fn young_modulus(&self) -> f64 {
        let shear = self.shear_modulus();
        9.0 * self.bulk * shear / (3.0 * self.bulk + shear)
    }

    /// The stretch nearest to 1, between 1/4 and 4, from which on an incompressible body of this material is unstable, and how it is stretched there: its
    /// nominal stress ∂u/∂λ has no slope any more.
    pub fn loses_stability(&self) -> Option<(f64, &'static str)> {
        let stretches = (1..=300).map(|k| 1.0 + 0.01 * f64::from(k));
        let mut both = stretches.flat_map(|stretch| [stretch, 1.0 / stretch]);
        both.find_map(|stretch| {
            let mut ways = WAYS.into_iter();
            let unstable = ways.find(|(_, way)| self.stretched(stretch, *way).v2 <= 0.0);
            unstable.map(|(name, _)| (stretch, name))
        })
    }

    /// u of an incompressible body that is stretched by λ, λ^a and λ^(−1−a) with a = `way`, with its derivatives by λ.
    fn stretched(&self, stretch: f64, way: f64) -> Dual2_64 {
        let stretch = Dual2_64::from_re(stretch).derivative();
        let squares = [1.0, way, -1.0 - way].map(|power| stretch.powf(2.0 * power));
        let first = squares.into_iter().sum::<Dual2_64>() - 3.0;
        let second = squares.into_iter().map(|s| s.recip()).sum::<Dual2_64>() - 3.0;
        self.isochoric([first, second])
    }

    /// u without its dilatational part, of Ī₁ − 3 and Ī₂ − 3.
    #[inline(always)]
    fn isochoric<D: DualNum<Primitive = f64> + Copy>(&self, [first, second]: [D; 2]) -> D {
        first * (first * (first * self.c30 + self.c20) + self.c10) + second * self.c01
    }

    /// u₁ and u₂, and ∂u₁/∂Ī₁, at Ī₁ − 3.
    #[inline(always)]
    fn slopes<D: DualNum<Primitive = f64> + Copy>(&self, over: D) -> [D; 3] {
        let bend = over * (6.0 * self.c30) + 2.0 * self.c20;
        let slope = over * (over * (3.0 * self.c30) + 2.0 * self.c20) + self.c10;
        [slope, D::from(self.c01), bend]
    }
}

impl Polynomial {
    pub fn new(of: Coefficients, state: State) -> Polynomial {
        Polynomial { state, of }
    }

    pub fn coefficients(&self) -> &Coefficients {
        &self.of
    }

    /// Some for the tests that every law must pass.
    #[cfg(test)]
    pub fn samples() -> Vec<Polynomial> {
        let of = |form, [c10, c01, c20, c30]: [f64; 4], bulk| Coefficients {
            form,
            c10,
            c01,
            c20,
            c30,
            bulk,
        };
        let laws = [
            of(Form::NeoHooke, [0.6, 0.0, 0.0, 0.0], 2.0),
            of(Form::MooneyRivlin, [0.4, 0.2, 0.0, 0.0], 30.0),
            of(Form::Yeoh, [0.5, 0.0, -0.05, 0.01], 5.0),
        ];
        let states = [State::PlaneStress, State::PlaneStrain];
        let all = laws.into_iter().flat_map(|law| states.map(|state| (law, state)));
        all.map(|(law, state)| Polynomial::new(law, state)).collect()
    }

    /// ln C₃₃.
    #[inline(always)]
    fn thickening<D: DualNum<Primitive = f64> + Copy>(&self, strain: Strain<D>) -> D {
        if self.state == State::PlaneStrain {
            return D::from(0.0);
        }
        let real = strain.map(|e| e.re());
        let mut w = -determinant(real).ln_1p();
        for _ in 0..ITERATIONS {
            let by = self.correction(real, w).clamp(-LARGEST, LARGEST);
            w += by;
            // What is no number stays so.
            if by.abs() <= SETTLED || by.is_nan() {
                break;
            }
        }
        let exact = D::from(w);
        (0..DERIVATIVES).fold(exact, |w, _| w + self.correction(strain, w))
    }

    /// What Newton's method changes w = ln C₃₃ by: −u′/u″.
    #[inline(always)]
    fn correction<D: DualNum<Primitive = f64> + Copy>(&self, strain: Strain<D>, w: D) -> D {
        let [x, y, _] = strain;
        let Invariants { over, factors, dilatation, c, c_less_one } = invariants(strain, w);
        let (trace_over, det_over) = ((x + y) * 2.0, determinant(strain));
        let trace = trace_over + 2.0;
        let first = factors[0] * (c_less_one * 2.0 - trace_over) * (1.0 / 3.0);
        let second = factors[1] * (trace_over + c_less_one * trace - det_over * 2.0) * (1.0 / 3.0);
        let first_bend = factors[0] * (c * 4.0 + trace) * (1.0 / 9.0);
        let second_bend = factors[1] * (c * trace + det_over * 4.0 + 4.0) * (1.0 / 9.0);
        let [u1, u2, bend] = self.of.slopes(over[0]);
        let j = dilatation + 1.0;
        let slope = u1 * first + u2 * second + j * dilatation * (0.5 * self.of.bulk);
        let curvature = u1 * first_bend
            + u2 * second_bend
            + bend * first * first
            + j * (j - 0.5) * (0.5 * self.of.bulk);
        -slope / curvature
    }
}

/// det C − 1 in the plane.
#[inline(always)]
fn determinant<D: DualNum<Primitive = f64> + Copy>([x, y, xy]: Strain<D>) -> D {
    (x + y + x * y * 2.0) * 2.0 - xy * xy
}

/// Small strains keep their digits: everything counts from what it is without strain.
#[inline(always)]
fn invariants<D: DualNum<Primitive = f64> + Copy>(strain: Strain<D>, w: D) -> Invariants<D> {
    let [x, y, _] = strain;
    let det_over = determinant(strain);
    let c_less_one = w.exp_m1();
    let log = w + det_over.ln_1p();
    let (trace_over, trace) = ((x + y) * 2.0, (x + y) * 2.0 + 2.0);
    // I₁ − 3 and I₂ − 3.
    let plain = [trace_over + c_less_one, det_over + trace_over + c_less_one * trace];
    let logs = [log * (-1.0 / 3.0), log * (-2.0 / 3.0)];
    let less_one = logs.map(|log| log.exp_m1());
    Invariants {
        over: [0, 1].map(|i| less_one[i] * 3.0 + (less_one[i] + 1.0) * plain[i]),
        factors: less_one.map(|factor| factor + 1.0),
        dilatation: (log * 0.5).exp_m1(),
        c: c_less_one + 1.0,
        c_less_one,
    }
}

impl Law for Polynomial {
    /// The isochoric part grows beyond all bounds.
    const LEAST_STRETCH: f64 = 0.0;

    fn summary(&self) -> String {
        let of = &self.of;
        let c10 = ("C10", of.c10);
        let (name, numbers) = match of.form {
            Form::NeoHooke => ("neo-Hooke", vec![c10]),
            Form::MooneyRivlin => ("Mooney-Rivlin", vec![c10, ("C01", of.c01)]),
            Form::Yeoh => ("Yeoh", vec![c10, ("C20", of.c20), ("C30", of.c30)]),
        };
        let numbers = numbers.into_iter().chain([("K", of.bulk)]);
        let numbers: Vec<String> =
            numbers.map(|(name, number)| format!("{name} = {} Pa", rounded(number, 6))).collect();
        format!("{name}, {}, {}", self.state.name(), numbers.join(", "))
    }

    fn energy<D: DualNum<Primitive = f64> + Copy>(&self, strain: Strain<D>) -> D {
        let Invariants { over, dilatation, .. } = invariants(strain, self.thickening(strain));
        self.of.isochoric(over) + dilatation * dilatation * (0.5 * self.of.bulk)
    }

    fn stress<D: DualNum<Primitive = f64> + Copy>(&self, strain: Strain<D>) -> [D; 3] {
        let [x, y, xy] = strain;
        let Invariants { over, factors, dilatation, c_less_one, .. } =
            invariants(strain, self.thickening(strain));
        let [u1, u2, _] = self.of.slopes(over[0]);
        let [first, second] = [u1 * factors[0] * 2.0, u2 * factors[1] * 2.0];
        let det_over = determinant(strain);
        let (trace_over, det) = ((x + y) * 2.0, det_over + 1.0);
        // I₁ − 3 and I₂ − 3.
        let a = trace_over + c_less_one;
        let b = det_over + trace_over + c_less_one * (trace_over + 2.0);
        let j = dilatation + 1.0;
        let pressure = j * dilatation * self.of.bulk;
        // Times det C, with adj C = (1 + 2 E₂₂, 1 + 2 E₁₁, −2 E₁₂).
        let direct = |own: D, other: D| {
            let adjoint = other * 2.0 + 1.0;
            let one = det_over - other * 2.0 - a * adjoint * (1.0 / 3.0);
            let two = (a - own * 2.0) + det_over * (a - own * 2.0 + 2.0)
                - other * 4.0
                - b * adjoint * (2.0 / 3.0);
            (first * one + second * two + pressure * adjoint) / det
        };
        let across =
            first * (a + 3.0) * (1.0 / 3.0) + second * ((b + 3.0) * (2.0 / 3.0) - det) - pressure;
        [direct(x, y), direct(y, x), xy * across / det]
    }

    fn across<D: DualNum<Primitive = f64> + Copy>(&self, strain: Strain<D>) -> Across<D> {
        let w = self.thickening(strain);
        let Invariants { over, factors, dilatation, c, .. } = invariants(strain, w);
        let stress = match self.state {
            State::PlaneStress => D::from(0.0),
            State::PlaneStrain => {
                let [x, y, _] = strain;
                let [u1, u2, _] = self.of.slopes(over[0]);
                let a = (x + y) * 2.0;
                let b = determinant(strain) + a;
                u1 * factors[0] * a * (-2.0 / 3.0)
                    + u2 * factors[1] * (a - b * (2.0 / 3.0)) * 2.0
                    + (dilatation + 1.0) * dilatation * self.of.bulk
            }
        };
        Across { stretch_squared: c, stress }
    }

    fn response(&self, strain: Strain<f64>) -> ([f64; 3], Tangent) {
        let moving = [0, 1, 2].map(|i| DualSVec64::<3>::from_re(strain[i]).derivative(i));
        let stress = self.stress(moving);
        let slopes = |of: DualSVec64<3>| of.eps.unwrap_generic(nalgebra::Const, nalgebra::Const);
        (stress.map(|s| s.re), stress.map(|s| slopes(s).into()))
    }
}
