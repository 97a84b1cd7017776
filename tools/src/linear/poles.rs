//! Poles and gains as tables.

use std::f64::consts::TAU;

use coulisse::linearization::{Linear, Pole, UNDAMPED};

use crate::number::short;
use crate::table::plain;

/// Poles that are shown; the files have all of A.
const SHOWN: usize = 20;

/// States of which poles are computed: a minute.
const MOST_STATES: usize = 1000;

/// Gains that are shown.
const SHOWN_GAINS: usize = 20;

/// Poles with their frequencies, damping ratios and time constants, and steady gains.
pub fn table(linear: &Linear) -> String {
    if linear.states.len() > MOST_STATES {
        return format!(
            "more than {MOST_STATES} states: poles and gains are not computed; `coulisse modes` lists the lowest frequencies"
        );
    }
    let Some(poles) = linear.poles() else {
        return "the poles are not found: the iteration does not converge".to_owned()
            + &gains(linear);
    };
    let mut table =
        plain(["pole p, 1/s", "", "|p|/2π, Hz", "damping ratio", "time constant, s"], 0..5);
    for pole in poles.iter().take(SHOWN) {
        let size = pole.norm();
        let real = if pole.re.abs() > UNDAMPED * size { pole.re } else { 0.0 };
        let imaginary = match pole.im {
            0.0 => String::new(),
            im => format!("± {}i", short(im)),
        };
        let frequency = if pole.im == 0.0 { String::new() } else { short(size / TAU) };
        let damping = if pole.im == 0.0 { String::new() } else { short(0.0 - real / size) };
        let time = if real == 0.0 { String::new() } else { short(-1.0 / real) };
        table.add_row([short(real), imaginary, frequency, damping, time]);
    }
    let mut text = table.trim_fmt();
    if poles.len() > SHOWN {
        text += &format!("\n… and {} faster ones", poles.len() - SHOWN);
    }
    if let Some(line) = unstable(&poles) {
        text += &format!("\n{line}");
    }
    text + &gains(linear)
}

/// How many of these poles grow, if any do; of a pair one is in the list.
pub fn unstable(poles: &[Pole]) -> Option<String> {
    let growing = poles.iter().filter(|pole| pole.re > UNDAMPED * pole.norm());
    match growing.map(|pole| if pole.im == 0.0 { 1 } else { 2 }).sum() {
        0 => None,
        1 => Some("UNSTABLE: 1 pole with a positive real part".to_owned()),
        n => Some(format!("UNSTABLE: {n} poles with positive real parts")),
    }
}

fn gains(linear: &Linear) -> String {
    if linear.inputs.is_empty() || linear.outputs.is_empty() {
        return String::new();
    }
    let Some(gain) = linear.steady_gain() else {
        return "\n\nno steady gains: a pole at 0 lets something move on".to_owned();
    };
    let mut table = plain(["steady gain", "of", "by"], 0..1);
    let pairs =
        (0..linear.inputs.len()).flat_map(|j| (0..linear.outputs.len()).map(move |i| (i, j)));
    let pairs: Vec<(usize, usize)> = pairs.filter(|&pair| gain[pair] != 0.0).collect();
    for &(i, j) in pairs.iter().take(SHOWN_GAINS) {
        table.add_row([
            short(gain[(i, j)]),
            linear.outputs[i].path.clone(),
            linear.inputs[j].path.clone(),
        ]);
    }
    let more = match pairs.len() {
        0 => return "\n\nall steady gains are 0".to_owned(),
        n if n > SHOWN_GAINS => format!("\n… and {} more", n - SHOWN_GAINS),
        _ => String::new(),
    };
    format!("\n\n{}{more}", table.trim_fmt())
}
