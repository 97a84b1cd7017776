//! How far the response of a reduced model is from that of the whole, over a band of frequencies.

use nalgebra::{Complex, DMatrix};

use crate::linearization::Linear;
use crate::linearization::dynamics::Response;
use crate::linearization::triangular::ComplexMatrix;

/// Frequencies for each factor of 10, equally spaced on a logarithmic axis.
const PER_DECADE: f64 = 60.0;

/// The fewest frequencies of this kind.
const FEWEST: usize = 120;

/// Frequencies about each pole, as multiples of the half width of its resonance.
const ABOUT: [f64; 5] = [-3.0, -1.0, 0.0, 1.0, 3.0];

/// The least half width of a resonance as a share of its frequency: at an undamped one there is no response.
const NARROWEST: f64 = 1e-3;

/// Passes in which frequencies are added beside the largest errors, and how many of these.
const PASSES: usize = 4;
const LARGEST: usize = 6;

/// The whole and its responses.
pub(super) struct Band {
    whole: Response,
    angular: Vec<f64>,
    responses: Vec<ComplexMatrix>,
    /// Units of outputs and inputs in which all responses are of one size.
    pub outputs: Vec<f64>,
    pub inputs: Vec<f64>,
}

/// The largest error.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Worst {
    pub error: f64,
    pub omega: f64,
}

impl Band {
    /// Of `linear`, which has these `poles`, between two angular frequencies, rad/s.
    pub fn of(linear: &Linear, poles: &[Complex<f64>], [from, to]: [f64; 2]) -> Band {
        let ratio = (to / from).ln();
        let count = FEWEST.max((PER_DECADE * ratio / std::f64::consts::LN_10) as usize);
        let mut angular: Vec<f64> =
            (0..=count).map(|k| from * (ratio * k as f64 / count as f64).exp()).collect();
        for pole in poles.iter().filter(|pole| pole.im > 0.0) {
            let width = (-pole.re).max(NARROWEST * pole.im);
            let about = ABOUT.iter().map(|multiple| pole.im + multiple * width);
            angular.extend(about.filter(|omega| (from..=to).contains(omega)));
        }
        angular.sort_by(f64::total_cmp);
        angular.dedup();
        let whole = Response::of(linear);
        let mut own = Band {
            whole,
            angular: Vec::new(),
            responses: Vec::new(),
            outputs: vec![1.0; linear.outputs.len()],
            inputs: vec![1.0; linear.inputs.len()],
        };
        own.add(angular);
        (own.outputs, own.inputs) = units(&own.responses);
        for response in &mut own.responses {
            scale(response, &own.outputs, &own.inputs);
        }
        own
    }

    /// How many frequencies there are.
    pub fn count(&self) -> usize {
        self.angular.len()
    }

    /// Whether any input moves an output by more than rounding.
    pub fn answers(&self) -> bool {
        self.angular.iter().any(|omega| self.whole.answers_at(*omega))
    }

    /// The largest response, in the units of inputs and outputs.
    pub fn largest(&self) -> f64 {
        self.responses.iter().map(size).fold(0.0, f64::max)
    }

    fn add(&mut self, angular: Vec<f64>) {
        for omega in angular {
            let mut response = self.whole.at(omega);
            scale(&mut response, &self.outputs, &self.inputs);
            if response.iter().all(|z| z.re.is_finite() && z.im.is_finite()) {
                let place = self.angular.partition_point(|before| *before < omega);
                self.angular.insert(place, omega);
                self.responses.insert(place, response);
            }
        }
    }

    /// σ_max(G − G_r)/σ_max(G) at each frequency.
    fn errors(&self, reduced: &Linear) -> Vec<f64> {
        let reduced = Response::of(reduced);
        let at = |(omega, response): (&f64, &ComplexMatrix)| {
            let mut other = reduced.at(*omega);
            scale(&mut other, &self.outputs, &self.inputs);
            let apart = size(&(response - other));
            if apart == 0.0 { 0.0 } else { apart / size(response) }
        };
        self.angular.iter().zip(&self.responses).map(at).collect()
    }

    /// The largest error of `reduced`.
    pub fn worst(&self, reduced: &Linear) -> Worst {
        let errors = self.errors(reduced);
        let worst = (0..errors.len()).max_by(|&i, &j| errors[i].total_cmp(&errors[j]));
        worst.map_or(Worst { error: 0.0, omega: 0.0 }, |k| Worst {
            error: errors[k],
            omega: self.angular[k],
        })
    }

    /// The largest error of `reduced`, with frequencies added where it is large.
    pub fn worst_of_all(&mut self, reduced: &Linear) -> Worst {
        for _ in 0..PASSES {
            let errors = self.errors(reduced);
            let last = errors.len().saturating_sub(1);
            let mut peaks: Vec<usize> = (0..errors.len())
                .filter(|&k| {
                    (k == 0 || errors[k - 1] <= errors[k])
                        && (k == last || errors[k + 1] <= errors[k])
                })
                .collect();
            peaks.sort_by(|&i, &j| errors[j].total_cmp(&errors[i]));
            let between = |k: usize| (self.angular[k] * self.angular[k + 1]).sqrt();
            let mut added: Vec<f64> = Vec::new();
            for &k in peaks.iter().take(LARGEST) {
                added.extend((k > 0).then(|| between(k - 1)));
                added.extend((k < last).then(|| between(k)));
            }
            added.sort_by(f64::total_cmp);
            added.dedup();
            self.add(added);
        }
        self.worst(reduced)
    }
}

fn scale(response: &mut ComplexMatrix, outputs: &[f64], inputs: &[f64]) {
    for (j, input) in inputs.iter().enumerate() {
        for (i, output) in outputs.iter().enumerate() {
            response[(i, j)] *= output * input;
        }
    }
}

/// The largest singular value.
fn size(of: &ComplexMatrix) -> f64 {
    if of.nrows().min(of.ncols()) <= 1 {
        return of.norm();
    }
    let square = if of.ncols() <= of.nrows() { of.adjoint() * of } else { of * of.adjoint() };
    square.symmetric_eigenvalues().max().max(0.0).sqrt()
}

/// Passes that bring the means of rows and columns to 0; each leaves a share of what responses that are zero leave open.
const MEANS: usize = 50;

/// Units r of outputs and c of inputs in which ln|r G c| has the mean 0 over each output and each input: whichever units the mechanism has, the
/// result is the same. What never responds is left out.
fn units(responses: &[ComplexMatrix]) -> (Vec<f64>, Vec<f64>) {
    let Some(first) = responses.first() else {
        return (Vec::new(), Vec::new());
    };
    let mean = |i: usize, j: usize| {
        let sizes = responses.iter().map(|response| response[(i, j)].norm());
        let logarithms: Vec<f64> = sizes.filter(|size| *size > 0.0).map(f64::ln).collect();
        logarithms.iter().sum::<f64>() / logarithms.len() as f64
    };
    let means = DMatrix::from_fn(first.nrows(), first.ncols(), mean);
    let (mut rows, mut columns) = (vec![0.0; means.nrows()], vec![0.0; means.ncols()]);
    let average = |values: &mut dyn Iterator<Item = f64>| {
        let known: Vec<f64> = values.filter(|x| x.is_finite()).collect();
        if known.is_empty() { 0.0 } else { known.iter().sum::<f64>() / known.len() as f64 }
    };
    for _ in 0..MEANS {
        for i in 0..rows.len() {
            rows[i] = -average(&mut (0..columns.len()).map(|j| means[(i, j)] + columns[j]));
        }
        for j in 0..columns.len() {
            columns[j] = -average(&mut (0..rows.len()).map(|i| means[(i, j)] + rows[i]));
        }
    }
    let units = |of: Vec<f64>| of.into_iter().map(f64::exp).collect();
    (units(rows), units(columns))
}
