//! `coulisse response`: outputs over the frequency of an input.

use std::f64::consts::TAU;
use std::path::PathBuf;

use anyhow::{Result, bail};
use coulisse::linearization::Linear;
use coulisse::message::figure;
use quick_xml::escape::escape;

use super::{Wanted, poles, positive};
use crate::number::short;
use crate::png::png;
use crate::rows::{Cell, Rows};
use crate::svg::{Curve, Plot, drawing, over_decades};
use crate::table::plain;
use crate::{files, print};

#[derive(clap::Args)]
pub struct Request {
    #[command(flatten)]
    wanted: Wanted,
    /// Lowest frequency, Hz.
    #[arg(long, value_name = "F", value_parser = positive, allow_hyphen_values = true)]
    from: f64,
    /// Highest frequency, Hz.
    #[arg(long, value_name = "F", value_parser = positive, allow_hyphen_values = true)]
    to: f64,
    /// Number of frequencies, equally spaced on a logarithmic axis.
    #[arg(long, value_name = "N", default_value_t = 400, allow_hyphen_values = true, value_parser = crate::whole)]
    points: usize,
    /// Write frequencies, gains and phases here as CSV.
    #[arg(short, long, value_name = "CSV")]
    output: Option<PathBuf>,
    /// Draw gain and phase over the frequency here (Bode diagram).
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
    /// Draw the same here.
    #[arg(long, value_name = "PNG")]
    png: Option<PathBuf>,
    /// Write a page with both diagrams and the largest gains here.
    #[arg(long, value_name = "HTML")]
    html: Option<PathBuf>,
    /// Draw the imaginary over the real part here (Nyquist diagram).
    #[arg(long, value_name = "SVG")]
    nyquist: Option<PathBuf>,
}

/// The most frequencies.
const MOST_POINTS: usize = 100_000;

/// Most curves in a drawing.
const MOST_CURVES: usize = 6;

/// One output by one input over the frequency.
struct Transfer {
    name: String,
    unit: String,
    values: Vec<[f64; 2]>,
}

/// Prints, draws and writes what `request` asks for.
///
/// # Errors
/// Where there is no linear model; when a file cannot be written.
pub fn perform(request: &Request) -> Result<()> {
    let Request { from, to, points, .. } = *request;
    if from >= to {
        bail!("--from {} is not below --to {}", figure(from), figure(to));
    }
    if !(2..=MOST_POINTS).contains(&points) {
        bail!("--points is {points}; allowed: from 2 to {MOST_POINTS}");
    }
    let written = [&request.output, &request.svg, &request.png, &request.nyquist, &request.html];
    files::may_write(written.into_iter().flatten(), &[&request.wanted.model])?;
    let found = request.wanted.find()?;
    let linear = &found.linear;
    if linear.inputs.is_empty() || linear.outputs.is_empty() {
        bail!(
            "{}: no {} to compute a response {}; name some under [interface] of the model",
            request.wanted.model.display(),
            if linear.inputs.is_empty() { "input" } else { "output" },
            if linear.inputs.is_empty() { "by" } else { "of" }
        );
    }
    let ratio = (to / from).ln();
    let share = |k: usize| k as f64 / (points - 1) as f64;
    let frequencies: Vec<f64> = (0..points).map(|k| from * (ratio * share(k)).exp()).collect();
    let transfers = transfers(linear, &frequencies);
    if let Some(file) = &request.output {
        files::write(file, &csv(&frequencies, &transfers)?)?;
    }
    let bode = || bode(&found.name, &frequencies, &transfers);
    if let Some(file) = &request.svg {
        files::write(file, bode().as_bytes())?;
    }
    if let Some(file) = &request.png {
        files::write(file, &png(&bode())?)?;
    }
    if let Some(file) = &request.nyquist {
        files::write(file, nyquist(&found.name, &transfers).as_bytes())?;
    }
    let mut text = format!(
        "{}: response {}, {} frequencies from {} to {} Hz\n",
        found.name,
        found.place,
        points,
        figure(from),
        figure(to)
    );
    for (joint, regime) in &linear.regimes {
        text += &format!("{joint} {regime}\n");
    }
    let drawn = written[1..].iter().any(|file| file.is_some());
    let mut table = plain(["largest gain", "at, Hz", "gain at the lowest", "response"], 0..3);
    for transfer in &transfers {
        let gains: Vec<f64> = transfer.values.iter().map(|[re, im]| re.hypot(*im)).collect();
        let place = (0..gains.len()).max_by(|&a, &b| gains[a].total_cmp(&gains[b])).unwrap_or(0);
        table.add_row([
            short(gains[place]),
            short(frequencies[place]),
            short(gains[0]),
            transfer.name.clone(),
        ]);
    }
    let blurred = linear.least_resolved().map_or(0.0, |omega| omega / TAU);
    text += &format!("\n{}", table.trim_fmt());
    if let Some(line) = linear.poles().and_then(|poles| poles::unstable(&poles)) {
        text += &format!("\n{line}: no steady vibration settles to this response");
    }
    if drawn && transfers.len() > MOST_CURVES {
        text += &format!(
            "\nthe first {MOST_CURVES} of {} responses are drawn; choose others by --inputs and --outputs",
            transfers.len()
        );
    }
    if from < blurred {
        text += &format!(
            "\ndoubtful below {} Hz: it has a rigid-body mode, on which rounding of the stiffest parts acts as a weak spring; choose --from above, or \
             make stiff parts rigid",
            short(blurred)
        );
    }
    if let Some(file) = &request.html {
        let drawings = [bode(), nyquist(&found.name, &transfers)];
        files::write(file, page(&found.name, &text, &drawings).as_bytes())?;
    }
    print(&text)
}

/// A page of its own with what is printed and the drawings.
fn page(title: &str, text: &str, drawings: &[String]) -> String {
    let (title, text) = (escape(title), escape(text));
    format!(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<meta charset=\"utf-8\">\n<title>{title}: frequency response</title>\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n\
         <style>:root{{color-scheme:light dark}}body{{font:14px system-ui,sans-serif;margin:1em}}pre{{overflow-x:auto}}\
         svg{{max-width:100%;height:auto;vertical-align:top}}</style>\n<h1>{title}</h1>\n<pre>{text}</pre>\n{}</html>\n",
        drawings.concat()
    )
}

fn transfers(linear: &Linear, frequencies: &[f64]) -> Vec<Transfer> {
    let angular: Vec<f64> = frequencies.iter().map(|f| TAU * f).collect();
    let responses = linear.response(&angular);
    let mut transfers = Vec::new();
    for (j, input) in linear.inputs.iter().enumerate() {
        for (i, output) in linear.outputs.iter().enumerate() {
            transfers.push(Transfer {
                name: format!("{} by {}", output.path, input.path),
                unit: match (output.unit.as_str(), input.unit.as_str()) {
                    (a, b) if a == b => String::new(),
                    (a, "") => a.to_owned(),
                    (a, b) => {
                        let a = if a.is_empty() { "1" } else { a };
                        if b.contains(['.', '/']) {
                            format!("{a}/({b})")
                        } else {
                            format!("{a}/{b}")
                        }
                    }
                },
                values: responses.iter().map(|at| [at[(i, j)].re, at[(i, j)].im]).collect(),
            });
        }
    }
    transfers
}

/// Phases in degrees, without jumps of a turn.
fn phases(values: &[[f64; 2]]) -> Vec<f64> {
    let mut phases: Vec<f64> = Vec::with_capacity(values.len());
    for [re, im] in values {
        let mut phase = im.atan2(*re).to_degrees();
        if let Some(last) = phases.last() {
            phase -= 360.0 * ((phase - last) / 360.0).round();
        }
        phases.push(phase);
    }
    phases
}

/// What a table of responses has of each: its gain, its phase in degrees, and both parts of the complex number.
const PARTS: [&str; 4] = ["gain", "phase", "re", "im"];

/// Whether a heading is that of a response in such a table: `gain(points.tip.y by loads.push.fy)`.
pub fn is_heading(text: &str) -> bool {
    let inside = |part: &str| text.strip_prefix(part)?.strip_prefix('(')?.strip_suffix(')');
    PARTS.iter().filter_map(|part| inside(part)).any(|of| of.contains(" by "))
}

fn csv(frequencies: &[f64], transfers: &[Transfer]) -> Result<Vec<u8>> {
    let mut head = vec!["frequency".to_owned()];
    for transfer in transfers {
        head.extend(PARTS.map(|part| format!("{part}({})", transfer.name)));
    }
    let mut rows = Rows::under(head.iter().map(String::as_str))?;
    let phases: Vec<Vec<f64>> = transfers.iter().map(|transfer| phases(&transfer.values)).collect();
    for (k, frequency) in frequencies.iter().enumerate() {
        let values = transfers.iter().zip(&phases).flat_map(|(transfer, phases)| {
            let [re, im] = transfer.values[k];
            [re.hypot(im), phases[k], re, im]
        });
        rows.add(std::iter::once(*frequency).chain(values).map(Cell::from))?;
    }
    rows.bytes()
}

fn bode(title: &str, frequencies: &[f64], transfers: &[Transfer]) -> String {
    let curves = |of: &dyn Fn(&Transfer) -> Vec<f64>| -> Vec<Curve> {
        (transfers.iter().take(MOST_CURVES))
            .map(|transfer| Curve {
                label: transfer.name.clone(),
                points: frequencies.iter().map(|f| f.log10()).zip(of(transfer)).collect(),
                dashed: false,
            })
            .collect()
    };
    let unit = transfers.first().map_or("", |transfer| transfer.unit.as_str());
    let same = transfers.iter().take(MOST_CURVES).all(|transfer| transfer.unit == unit);
    let gain = |transfer: &Transfer| {
        (transfer.values.iter()).map(|[re, im]| 20.0 * re.hypot(*im).log10()).collect()
    };
    let plot = |title: &str, y: String, curves| Plot {
        title: title.to_owned(),
        x: "frequency, Hz".to_owned(),
        y,
        curves,
        to_scale: false,
    };
    let unit = if same && !unit.is_empty() { format!("dB re 1 {unit}") } else { "dB".to_owned() };
    over_decades(&[
        plot(title, unit, curves(&gain)),
        plot("", "phase, degrees".to_owned(), curves(&|transfer| phases(&transfer.values))),
    ])
}

fn nyquist(title: &str, transfers: &[Transfer]) -> String {
    let curve = |transfer: &Transfer| Curve {
        label: transfer.name.clone(),
        points: transfer.values.iter().map(|[re, im]| (*re, *im)).collect(),
        dashed: false,
    };
    drawing(&[Plot {
        title: title.to_owned(),
        x: "real part".to_owned(),
        y: "imaginary part".to_owned(),
        curves: transfers.iter().take(MOST_CURVES).map(curve).collect(),
        to_scale: true,
    }])
}
