//! Inputs without derivatives.
//!
//! A motion drives the equations by its place p, its velocity and its acceleration. With the polynomial division
//! Σ B_k sᵏ = (s − A) Σ Q_k sᵏ + R the states x − Σ Q_k p⁽ᵏ⁾ have
//!
//! ```text
//! ẋ = A x + R p,    y = C x + Σ (D_k + C Q_k) p⁽ᵏ⁾
//! ```
//!
//! Where an output still depends on a derivative of p, such as an acceleration at the base, the lowest derivative that is enough becomes the
//! input, and p with those below it states.

use nalgebra::DMatrix;

/// Share of its terms below which a coefficient of a derivative is rounding; and share of what the input itself does, at the rate of the fastest
/// motion of the model, below which it is nothing that the model resolves.
const NOTHING: f64 = 1e-9;

/// ẋ = A x + Σ B_k p⁽ᵏ⁾, y = C x + Σ D_k p⁽ᵏ⁾.
pub(super) struct Parts {
    pub a: DMatrix<f64>,
    pub jets: Vec<DMatrix<f64>>,
    pub c: DMatrix<f64>,
    pub feed: Vec<DMatrix<f64>>,
}

/// A, B, C, D.
pub(super) struct Matrices {
    pub a: DMatrix<f64>,
    pub b: DMatrix<f64>,
    pub c: DMatrix<f64>,
    pub d: DMatrix<f64>,
}

/// The input p⁽ʳ⁾ with r = `order`, and the orders below it that are states.
pub(super) struct Derived {
    pub order: usize,
    pub states: Vec<usize>,
}

/// One input: its columns of B_k and D_k.
struct Single {
    by: Vec<DMatrix<f64>>,
    feed: Vec<DMatrix<f64>>,
}

impl Single {
    /// R and D without derivatives, of x' with A and C; `None` where an output depends on a derivative.
    fn divided(&self, a: &DMatrix<f64>, c: &DMatrix<f64>) -> Option<(DMatrix<f64>, DMatrix<f64>)> {
        let orders = self.by.len();
        let mut quotient = vec![DMatrix::zeros(a.nrows(), 1); orders];
        for k in (1..orders).rev() {
            quotient[k - 1] = &self.by[k] + a * &quotient[k];
        }
        let rest = &self.by[0] + a * &quotient[0];
        let direct = &self.feed[0] + c * &quotient[0];
        // No motion of x' is faster.
        let fastest = a.norm();
        let own = direct.abs() * fastest + c.abs() * rest.abs();
        for (k, (feed, quotient)) in self.feed.iter().zip(&quotient).enumerate().skip(1) {
            let all = feed + c * quotient;
            let sizes = feed.abs() + c.abs() * quotient.abs();
            let unresolved = match fastest > 0.0 {
                true => &own / fastest.powi(k as i32 + 1),
                false => &own * 0.0,
            };
            let nothing = (sizes + unresolved) * NOTHING;
            if all.iter().zip(nothing.iter()).any(|(x, nothing)| x.abs() > *nothing) {
                return None;
            }
        }
        Some((rest, direct))
    }
}

impl Parts {
    /// A, B, C, D, and for each input which derivative it is, at least that of order `least`.
    pub fn proper(self, least: &[usize]) -> (Matrices, Vec<Derived>) {
        let Parts { mut a, jets, mut c, feed } = self;
        let (mut b, mut d) = (DMatrix::zeros(a.nrows(), 0), DMatrix::zeros(c.nrows(), 0));
        let mut derived = Vec::new();
        for (input, &least) in least.iter().enumerate() {
            let own = |of: &[DMatrix<f64>]| -> Vec<DMatrix<f64>> {
                of.iter().map(|jet| jet.columns(input, 1).into_owned()).collect()
            };
            let (by, feed) = (own(&jets), own(&feed));
            let by: Vec<DMatrix<f64>> =
                by.into_iter().map(|by| by.resize(a.nrows(), 1, 0.0)).collect();
            let (order, found) = (least..by.len())
                .find_map(|order| {
                    // p, …, p⁽ʳ⁻¹⁾ stand among the states here.
                    let single = Single { by: by[order..].to_vec(), feed: feed[order..].to_vec() };
                    let found = lower(&a, &c, &by[..order], &feed[..order], single)?;
                    Some((order, found))
                })
                .expect("the highest derivative alone is proper");
            let before = a.nrows();
            let (matrices, states) = found;
            (a, c) = (matrices.a, matrices.c);
            b = b.resize(a.nrows(), input + 1, 0.0);
            b.set_column(input, &matrices.b.column(0));
            d = d.resize_horizontally(input + 1, 0.0);
            d.set_column(input, &matrices.d.column(0));
            debug_assert_eq!(a.nrows(), before + states.len());
            derived.push(Derived { order, states });
        }
        (Matrices { a, b, c, d }, derived)
    }
}

/// The system with p⁽ʳ⁾ as its input and those lower derivatives as states that act on anything.
fn lower(
    a: &DMatrix<f64>, c: &DMatrix<f64>, by: &[DMatrix<f64>], feed: &[DMatrix<f64>], single: Single,
) -> Option<(Matrices, Vec<usize>)> {
    let acts = |k: usize| by[k].amax() > 0.0 || feed[k].amax() > 0.0;
    let first = (0..by.len()).find(|&k| acts(k)).unwrap_or(by.len());
    let states: Vec<usize> = (first..by.len()).collect();
    let (n, more) = (a.nrows(), states.len());
    let mut wide_a = a.clone().resize(n + more, n + more, 0.0);
    let mut wide_c = c.clone().resize_horizontally(n + more, 0.0);
    for (k, &order) in states.iter().enumerate() {
        wide_a.view_mut((0, n + k), (n, 1)).copy_from(&by[order]);
        wide_c.set_column(n + k, &feed[order].column(0));
        if k + 1 < more {
            wide_a[(n + k, n + k + 1)] = 1.0;
        }
    }
    let mut wide = Single {
        by: single.by.iter().map(|by| by.clone().resize_vertically(n + more, 0.0)).collect(),
        feed: single.feed,
    };
    if more > 0 {
        wide.by[0][(n + more - 1, 0)] = 1.0;
    }
    let (b, d) = wide.divided(&wide_a, &wide_c)?;
    Some((Matrices { a: wide_a, b, c: wide_c, d }, states))
}
