//! What tests of problems with events measure, beside what there is to reach.

/// Two digits of a number.
fn short(x: f64) -> String {
    if x == 0.0 {
        "0".into()
    } else if (1e-2..1e3).contains(&x) {
        let decimals = (1.0 - x.log10().floor()).max(0.0);
        format!("{x:.*}", decimals as usize)
    } else {
        format!("{x:.1e}")
    }
}

/// Prints a number that a test has measured as a line of the table of events in `docs/results.md`, which
/// `tests/hosts/problems.py` puts there; without a number to reach it stands for itself.
pub fn reached(problem: &str, measured: &str, reach: Option<f64>, ours: f64, unit: &str) {
    let test = std::thread::current();
    let test = test.name().unwrap_or("main");
    let (reach, verdict) = match reach {
        Some(reach) if ours <= reach => (short(reach), "reached"),
        Some(reach) => (short(reach), "**missed**"),
        None => ("–".into(), ""),
    };
    let ours = short(ours);
    println!("reach | {problem} | {measured} | {reach} | {ours} | {unit} | {verdict} | `{test}` |");
}
