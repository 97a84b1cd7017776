//! Slopes of the cubic curve through given values that rises and falls only where they do (PCHIP).

/// Slope between two intervals of these widths and chords: the weighted harmonic mean of the chords, and zero where they differ in sign
/// (Fritsch & Butland, SIAM J. Sci. Stat. Comput. 5 (1984) 300).
pub fn between([before, after]: [f64; 2], [left, right]: [f64; 2]) -> f64 {
    if left * right <= 0.0 {
        return 0.0;
    }
    let (a, b) = (2.0 * after + before, after + 2.0 * before);
    (a + b) / (a / left + b / right)
}

/// Slopes at the knots, of which there are two or more: inside as [`between`], at an end that of the parabola through three values, limited so
/// that the curve stays monotone (Moler, *Numerical Computing with MATLAB*, 2004, section 3.6): the curve of SciPy's `PchipInterpolator`.
pub fn slopes(knots: &[f64], values: &[f64]) -> Vec<f64> {
    let last = knots.len() - 1;
    let width = |i: usize| knots[i + 1] - knots[i];
    let chord = |i: usize| (values[i + 1] - values[i]) / width(i);
    if last == 1 {
        return vec![chord(0); 2];
    }
    let end = |near: usize, next: usize| {
        let (near, next, h0, h1) = (chord(near), chord(next), width(near), width(next));
        let slope = ((2.0 * h0 + h1) * near - h0 * next) / (h0 + h1);
        if slope * near <= 0.0 {
            0.0
        } else if near * next <= 0.0 && slope.abs() > 3.0 * near.abs() {
            3.0 * near
        } else {
            slope
        }
    };
    let inner = |i: usize| between([width(i - 1), width(i)], [chord(i - 1), chord(i)]);
    let mut slopes = vec![end(0, 1)];
    slopes.extend((1..last).map(inner));
    slopes.push(end(last - 1, last - 2));
    slopes
}
