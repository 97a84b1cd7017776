//! Linear models with fewer states.
//!
//! A reduced model has the inputs and outputs of the whole, and an error that is stated: the largest
//! σ_max(G(iω) − G_r(iω)) / σ_max(G(iω)) over a band, measured at many frequencies (`error.rs`), and for balanced truncation a bound at every
//! frequency. Outputs and inputs of different quantities are compared in units in which responses have one size.

mod balanced;
mod craig_bampton;
mod error;
mod family;
mod modal;
mod rigid;
mod split;

use std::f64::consts::TAU;

use nalgebra::{Complex, DMatrix};

use super::dynamics::{Balanced, UNDAMPED};
use super::triangular::Triangular;
use super::{Linear, Matrix, Quantified};
use crate::message::rounded;
use craig_bampton::CraigBampton;
use error::{Band, Worst};
use family::Family;

/// How states are left out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Method {
    /// What inputs hardly reach and outputs hardly see.
    Balanced,
    /// Modes that answer little in the band.
    Modal,
    /// Vibrations of what lies between inputs and outputs, from the fastest on.
    CraigBampton,
}

/// How many states are kept.
#[derive(Debug, Clone, Copy, PartialEq)]
pub enum Size {
    /// At most so many.
    States(usize),
    /// The fewest whose error in the band is not above this share.
    Error(f64),
}

/// Which reduced model.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct Request {
    pub method: Method,
    pub size: Size,
    /// Lowest and highest frequency of the band, Hz.
    pub band: [f64; 2],
    /// Whether D takes the steady response of what is left out.
    pub static_correction: bool,
}

/// A reduced model with what is known of its error.
#[derive(Debug, Clone, PartialEq)]
pub struct Reduced {
    pub linear: Linear,
    /// Largest relative error of the response in the band.
    pub error: f64,
    /// Frequency of the largest error, Hz.
    pub worst: f64,
    /// At how many frequencies it was measured.
    pub frequencies: usize,
    /// What the error does not exceed at any frequency, as a share of the largest response in the band.
    pub bound: Option<f64>,
    /// Hankel singular values relative to the largest, of balanced truncation.
    pub values: Vec<f64>,
}

/// The most states of a reduced model.
pub const MOST_REDUCED: usize = 300;

const NO_POLES: &str = "its poles are not found: the iteration does not converge";

/// A noise of eigenvalues relative to the largest entry of the balanced A.
const NOISE: f64 = 100.0 * f64::EPSILON;

/// ẋ = A x + B u, y = C x. The last column of B is the rate of the state about which the model is linear.
#[derive(Debug, Clone)]
struct Real {
    a: Matrix,
    b: Matrix,
    c: Matrix,
}

impl Real {
    /// The sum of the responses of two systems.
    fn beside(&self, other: &Real) -> Real {
        let (n, m) = (self.a.nrows(), other.a.nrows());
        let mut sum = Real {
            a: DMatrix::zeros(n + m, n + m),
            b: DMatrix::zeros(n + m, self.b.ncols()),
            c: DMatrix::zeros(self.c.nrows(), n + m),
        };
        sum.a.view_mut((0, 0), (n, n)).copy_from(&self.a);
        sum.a.view_mut((n, n), (m, m)).copy_from(&other.a);
        sum.b.rows_mut(0, n).copy_from(&self.b);
        sum.b.rows_mut(n, m).copy_from(&other.b);
        sum.c.columns_mut(0, n).copy_from(&self.c);
        sum.c.columns_mut(n, m).copy_from(&other.c);
        sum
    }

    /// −C A⁻¹ B; `None` where A is singular.
    fn steady(&self) -> Option<Matrix> {
        let inputs = self.b.ncols() - 1;
        if self.a.nrows() == 0 {
            return Some(DMatrix::zeros(self.c.nrows(), inputs));
        }
        Some(-&self.c * self.a.clone().lu().solve(&self.b.columns(0, inputs).into_owned())?)
    }
}

impl Real {
    /// With its states in another order.
    fn of_states(&self, order: &[usize]) -> Real {
        Real {
            a: self.a.select_rows(order).select_columns(order),
            b: self.b.select_rows(order),
            c: self.c.select_columns(order),
        }
    }

    /// With the last states where they stay in statics for the others, and what the outputs read of inputs by them; `None` where they do not stay.
    fn without_last(&self, count: usize) -> Option<(Real, Matrix)> {
        let (n, inputs) = (self.a.nrows() - count, self.b.ncols() - 1);
        let part = |rows: usize, columns: usize| {
            let size = |from: usize| if from == 0 { n } else { count };
            self.a.view((rows, columns), (size(rows), size(columns))).into_owned()
        };
        let last = part(n, n).lu();
        let (by_states, by_inputs) =
            (last.solve(&part(n, 0))?, last.solve(&self.b.rows(n, count).into_owned())?);
        let (acts, read) = (part(0, n), self.c.columns(n, count));
        let system = Real {
            a: part(0, 0) - &acts * &by_states,
            b: self.b.rows(0, n) - &acts * &by_inputs,
            c: self.c.columns(0, n) - read * &by_states,
        };
        let feed = -(read * by_inputs.columns(0, inputs));
        let finite = system.a.iter().chain(&feed).all(|x| x.is_finite());
        finite.then_some((system, feed))
    }
}

/// What is reduced: the whole with inputs, outputs and states in units in which it is even.
struct Problem<'a> {
    linear: &'a Linear,
    system: Real,
    triangular: Triangular,
    /// x = `units` · x' of the states of `system`.
    units: nalgebra::DVector<f64>,
    /// Size of a pole below which it is zero, and of a real part, 1/s.
    blurred: f64,
    noise: f64,
    /// Band of angular frequencies, rad/s, and whether steady responses are corrected.
    band: [f64; 2],
    static_correction: bool,
}

impl Problem<'_> {
    fn inputs(&self) -> usize {
        self.system.b.ncols() - 1
    }

    fn is_rigid(&self, pole: Complex<f64>) -> bool {
        pole.norm() <= self.blurred
    }

    fn grows(&self, pole: Complex<f64>) -> bool {
        pole.re > self.rounding(pole)
    }

    fn decays(&self, pole: Complex<f64>) -> bool {
        !self.is_rigid(pole) && pole.re < -self.rounding(pole)
    }

    fn rounding(&self, pole: Complex<f64>) -> f64 {
        self.noise.max(UNDAMPED * pole.norm())
    }

    /// The largest 1/|iω − λ| in the band, or what the static correction leaves of it.
    fn answer(&self, pole: Complex<f64>) -> f64 {
        let [from, to] = self.band;
        let at = |omega: f64| {
            let answer = 1.0 / (Complex::new(0.0, omega) - pole).norm().max(f64::MIN_POSITIVE);
            if self.static_correction { answer * omega / pole.norm() } else { answer }
        };
        let resonance = pole.im.abs().clamp(from, to);
        [from, resonance, to].into_iter().map(at).fold(0.0, f64::max)
    }

    /// The system with states in the units of the mechanism.
    fn in_units_of_states(&self) -> Real {
        let Real { mut a, mut b, mut c } = self.system.clone();
        for (i, unit) in self.units.iter().enumerate() {
            a.row_mut(i).scale_mut(*unit);
            a.column_mut(i).unscale_mut(*unit);
            b.row_mut(i).scale_mut(*unit);
            c.column_mut(i).unscale_mut(*unit);
        }
        Real { a, b, c }
    }
}

/// A model of fewer states than `linear`.
///
/// # Errors
/// In words, where there is none.
pub fn reduce(linear: &Linear, request: &Request) -> Result<Reduced, String> {
    if linear.inputs.is_empty() || linear.outputs.is_empty() || linear.states.is_empty() {
        return Err("without states, inputs and outputs there is nothing to reduce".into());
    }
    let Balanced { a, b, c, units } = Balanced::of(linear);
    let triangular = Triangular::of(&a).ok_or(NO_POLES)?;
    let angular = request.band.map(|frequency| TAU * frequency);
    let mut band = Band::of(linear, &triangular.poles(), angular);
    if !band.answers() {
        return Err("no input moves an output in this band: take another state, such as one at a time, other names or --joints".into());
    }
    let mut rates = nalgebra::DVector::from_column_slice(&linear.rates);
    rates.component_div_assign(&units);
    let inputs = b.ncols();
    let mut b = b.insert_column(inputs, 0.0);
    b.set_column(inputs, &rates);
    let mut system = Real { a, b, c };
    let channels = Channels { outputs: band.outputs.clone(), inputs: band.inputs.clone() };
    channels.even(&mut system);
    let problem = Problem {
        blurred: linear.blurred(&system.a),
        noise: NOISE * system.a.amax(),
        band: angular,
        static_correction: request.static_correction,
        linear,
        system,
        triangular,
        units,
    };
    let families: Vec<Box<dyn Family + '_>> = match request.method {
        Method::Balanced => vec![Box::new(balanced::balanced(&problem)?)],
        Method::Modal => vec![Box::new(modal::modal(&problem)?)],
        Method::CraigBampton => {
            let families = CraigBampton::families(&problem, &channels)?.into_iter();
            families.map(|family| Box::new(family) as Box<dyn Family>).collect()
        }
    };
    let better = |one: Result<Reduced, String>, other: Result<Reduced, String>| match (one, other) {
        (Ok(one), Ok(other)) => {
            let size = |of: &Reduced| match request.size {
                Size::States(_) => of.error,
                Size::Error(_) => of.linear.states.len() as f64,
            };
            Ok(if size(&other) < size(&one) { other } else { one })
        }
        (Err(_), Ok(other)) => Ok(other),
        (one, Err(_)) => one,
    };
    let models = families
        .iter()
        .map(|family| member(family.as_ref(), &problem, &channels, request.size, &mut band));
    models.reduce(better).unwrap_or_else(|| Err(NO_POLES.into()))
}

/// The model of a family with as many states as wished.
fn member(
    family: &dyn Family, problem: &Problem, channels: &Channels, size: Size, band: &mut Band,
) -> Result<Reduced, String> {
    let corrected = |size: usize| match problem.static_correction {
        true => family.correction(size),
        false => None,
    };
    let make = |size: usize| {
        let feed =
            [family.feed(), corrected(size)].into_iter().flatten().reduce(|one, other| one + other);
        channels.model(problem.linear, family.states(size), family.take(size), feed)
    };
    let (size, reduced, worst) = match size {
        Size::States(most) => {
            let size = at_most(&family.sizes(), most)?;
            let reduced = make(size);
            let worst = band.worst_of_all(&reduced);
            (size, reduced, worst)
        }
        Size::Error(wished) => smallest(&family.sizes(), wished, make, band)?,
    };
    // What the correction adds is a response at ω = 0, and has the same bound.
    let times = if corrected(size).is_some() { 2.0 } else { 1.0 };
    let largest = family.values().first().copied().unwrap_or(1.0);
    Ok(Reduced {
        linear: reduced,
        error: worst.error,
        worst: worst.omega / TAU,
        frequencies: band.count(),
        bound: family.bound(size).map(|bound| times * bound / band.largest()),
        values: family.values().iter().map(|value| value / largest).collect(),
    })
}

/// The largest of the sizes that is not above `most`.
fn at_most(sizes: &[usize], most: usize) -> Result<usize, String> {
    let found = sizes.iter().rev().find(|size| **size <= most);
    found.copied().ok_or_else(|| {
        let least = sizes.first().copied().unwrap_or(0);
        format!("{most} states are fewer than the {least} that this method keeps; allow {least}, or take another --method")
    })
}

/// The first of the sizes whose model has no larger error than `wished`.
fn smallest(
    sizes: &[usize], wished: f64, make: impl Fn(usize) -> Linear, band: &mut Band,
) -> Result<(usize, Linear, Worst), String> {
    let mut best: Option<(usize, Worst)> = None;
    for &size in sizes.iter().take_while(|size| **size <= MOST_REDUCED) {
        let reduced = make(size);
        let mut worst = band.worst(&reduced);
        if worst.error <= wished {
            worst = band.worst_of_all(&reduced);
            if worst.error <= wished {
                return Ok((size, reduced, worst));
            }
        }
        if best.is_none_or(|(_, least)| worst.error < least.error) {
            best = Some((size, worst));
        }
    }
    let Some((size, worst)) = best else {
        let least = sizes.first().copied().unwrap_or(0);
        return Err(format!(
            "this method keeps {least} states at least; allowed: {MOST_REDUCED}. Name fewer inputs and outputs, or take another --method"
        ));
    };
    Err(format!(
        "no reduced model up to {} states has an error of {} %; the smallest is {} %, with {size} states, at {} Hz. Take a narrower \
         band, another --method, or --static-correction",
        MOST_REDUCED.min(sizes.last().copied().unwrap_or(0)),
        short(100.0 * wished),
        short(100.0 * worst.error),
        short(worst.omega / TAU)
    ))
}

fn short(value: f64) -> String {
    rounded(value, 3)
}

/// Units of outputs and inputs in which responses are of one size.
struct Channels {
    outputs: Vec<f64>,
    inputs: Vec<f64>,
}

impl Channels {
    /// Gives a system these units.
    fn even(&self, system: &mut Real) {
        for (i, unit) in self.outputs.iter().enumerate() {
            system.c.row_mut(i).scale_mut(*unit);
        }
        for (j, unit) in self.inputs.iter().enumerate() {
            system.b.column_mut(j).scale_mut(*unit);
        }
    }

    /// The linear model of a system in these units, with the inputs and outputs of `whole`, and D changed by `feed`.
    fn model(
        &self, whole: &Linear, states: Vec<Quantified>, system: Real, feed: Option<Matrix>,
    ) -> Linear {
        let Real { a, mut b, mut c } = system;
        let inputs = self.inputs.len();
        let rates = b.column(inputs).iter().copied().collect();
        b = b.remove_column(inputs);
        let mut d = feed.unwrap_or_else(|| DMatrix::zeros(c.nrows(), inputs));
        for (i, unit) in self.outputs.iter().enumerate() {
            c.row_mut(i).unscale_mut(*unit);
            d.row_mut(i).unscale_mut(*unit);
        }
        for (j, unit) in self.inputs.iter().enumerate() {
            b.column_mut(j).unscale_mut(*unit);
            d.column_mut(j).unscale_mut(*unit);
        }
        d += &whole.d;
        Linear {
            states,
            inputs: whole.inputs.clone(),
            outputs: whole.outputs.clone(),
            a,
            b,
            c,
            d,
            rates,
            mass: Matrix::default(),
            regimes: whole.regimes.clone(),
        }
    }
}
