//! `coulisse profile`: the rough surface of a path, as a joint of a model follows it.

use std::f64::consts::TAU;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use comfy_table::Table;
use coulisse::joints::roughness::{Profile, Roughness, Spectrum};
use coulisse::message::{figure, rounded};

use crate::number::short;
use crate::svg::{Curve, Plot, drawing};
use crate::table::plain;
use crate::{files, print, run};

#[derive(Args)]
pub struct Request {
    /// Model file (TOML) and one of its joints.
    #[arg(value_name = "MODEL#JOINT")]
    subject: String,
    /// Length of the profile, m; that of the path unless given.
    #[arg(long, value_name = "L", allow_hyphen_values = true)]
    length: Option<f64>,
    /// Draw profile and spectrum here.
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
}

/// Places per shortest wavelength.
const PER_WAVE: f64 = 8.0;
/// The most places that are looked at.
const MAX_POINTS: f64 = 65_536.0;
/// The most points of a drawn curve.
const MOST_POINTS: usize = 2000;

/// Prints and draws what `request` asks for.
///
/// # Errors
/// When there is no such model or joint, it is smooth, or a file cannot be written.
pub fn perform(request: &Request) -> Result<()> {
    files::may_write(&request.svg, &[model_of(&request.subject)])?;
    let (roughness, path) = find(&request.subject)?;
    let length = request.length.unwrap_or(path);
    if !(length.is_finite() && length > 0.0) {
        bail!("--length is {}; allowed: a finite number above 0", figure(length));
    }
    let needed = (PER_WAVE * length / roughness.profile.shortest()).ceil().max(256.0);
    if needed > MAX_POINTS {
        bail!(
            "{} m are {} points at {PER_WAVE} for each shortest wavelength, {} m; allowed: up to {}; \
             look at less with --length",
            figure(length),
            rounded(needed, 3),
            short(roughness.profile.shortest()),
            figure(MAX_POINTS)
        );
    }
    let step = length / needed;
    let jets: Vec<[f64; 3]> =
        (0..needed as usize).map(|i| roughness.profile.at(step * i as f64)).collect();
    let heights: Vec<f64> = jets.iter().map(|jet| jet[0]).collect();
    let mean = heights.iter().sum::<f64>() / needed;
    let square = heights.iter().map(|h| (h - mean).powi(2)).sum::<f64>() / needed;
    let extreme = |d: usize| jets.iter().fold(0.0_f64, |most, jet| most.max(jet[d].abs()));
    let bands = bands(&heights, step, roughness.spectrum.as_ref());
    if let Some(file) = &request.svg {
        let wheel = roughness.wheel_radius.map(|_| roughness.over(length));
        files::write(file, drawing(&plots(&heights, step, wheel, &bands)).as_bytes())?;
    }
    print(&format!(
        "{}, {} m\nrms height     {} m\nhighest or lowest  {} m\nsteepest slope {}\n\n{}",
        request.subject,
        short(length),
        short(square.sqrt()),
        short(extreme(0)),
        short(extreme(1)),
        table(&bands).trim_fmt()
    ))
}

/// The file of MODEL#JOINT.
fn model_of(subject: &str) -> &Path {
    Path::new(subject.rsplit_once('#').map_or(subject, |(model, _)| model))
}

/// Roughness and path length of MODEL#JOINT.
fn find(subject: &str) -> Result<(Roughness, f64)> {
    let (model, joint) = (subject.rsplit_once('#'))
        .with_context(|| format!("`{subject}` names no joint; write MODEL.toml#JOINT"))?;
    let blueprint = run::load(Path::new(model))?;
    let checked = blueprint.checked();
    let joint = joint.strip_prefix("joints.").unwrap_or(joint);
    let sliders = || checked.sliders_of_joints().map(|(_, slider)| slider);
    let found = sliders().find(|s| s.name == joint);
    let slider = found.with_context(|| {
        let names: Vec<&str> = sliders().map(|s| s.name.as_str()).collect();
        let names = names.join(", ");
        format!("{model}: no sliding joint `{joint}`; there are: {names}")
    })?;
    let roughness = (slider.roughness.clone())
        .with_context(|| format!("{model}: the path of joints.{joint} is smooth"))?;
    let parts = slider.path.iter().map(|part| checked.length_of_carrier(part.carrier));
    Ok((roughness, parts.sum()))
}

/// Mean of the spectrum over an octave.
struct Band {
    /// cycle/m.
    from: f64,
    to: f64,
    /// m³.
    seen: f64,
    target: Option<f64>,
}

/// The one-sided spectrum of the heights under a Hann window, octave by octave.
fn bands(heights: &[f64], step: f64, spectrum: Option<&Spectrum>) -> Vec<Band> {
    let count = heights.len() as f64;
    let width = 1.0 / (count * step);
    let band = spectrum.map_or([4.0 * width, 0.25 / step], |s| s.band);
    let circle: Vec<(f64, f64)> =
        (0..heights.len()).map(|i| (TAU * i as f64 / count).sin_cos()).collect();
    let (mut bands, mut from) = (Vec::new(), band[0].max(4.0 * width));
    while from < 0.999 * band[1] {
        let to = (2.0 * from).min(band[1]);
        let bins = (from / width).round() as usize..((to / width).round() as usize).max(1);
        if !bins.is_empty() {
            let sum: f64 = bins.clone().map(|bin| density(heights, &circle, step, bin)).sum();
            let target = spectrum.map(|s| {
                let lines = bins.clone().map(|bin| s.density((bin as f64 + 0.5) * width));
                lines.sum::<f64>() / bins.len() as f64
            });
            bands.push(Band { from, to, seen: sum / bins.len() as f64, target });
        }
        from = to;
    }
    bands
}

/// G at the frequency `bin`/length, m³, where `circle` has sine and cosine of all angles i/count.
fn density(heights: &[f64], circle: &[(f64, f64)], step: f64, bin: usize) -> f64 {
    let count = heights.len();
    let (mut re, mut im) = (0.0, 0.0);
    for (i, height) in heights.iter().enumerate() {
        let window = 0.5 - 0.5 * circle[i].1;
        let (sin, cos) = circle[(bin * i) % count];
        re += window * height * cos;
        im += window * height * sin;
    }
    // The mean square of the window is 3/8.
    2.0 * step * (re * re + im * im) / (0.375 * count as f64)
}

fn table(bands: &[Band]) -> Table {
    let mut table = plain(["from, 1/m", "to, 1/m", "G, m3", "target, m3"], 0..4);
    for band in bands {
        table.add_row([
            short(band.from),
            short(band.to),
            short(band.seen),
            band.target.map_or_else(|| "-".to_owned(), short),
        ]);
    }
    table
}

fn plots(heights: &[f64], step: f64, wheel: Option<Profile>, bands: &[Band]) -> [Plot; 2] {
    let every = heights.len().div_ceil(MOST_POINTS);
    let places = || (0..heights.len()).step_by(every);
    let curve = |label: &str, points, dashed| Curve { label: label.to_owned(), points, dashed };
    let ground = places().map(|i| (step * i as f64, heights[i])).collect();
    let mut profile = vec![curve("profile", ground, false)];
    if let Some(wheel) = wheel {
        let way = places().map(|i| (step * i as f64, wheel.at(step * i as f64)[0]));
        profile.push(curve("wheel", way.collect(), true));
    }
    let log = |value: fn(&Band) -> Option<f64>| {
        let points = bands.iter().filter_map(|band| {
            let center = (band.from * band.to).sqrt();
            value(band).filter(|g| *g > 0.0).map(|g| (center.log10(), g.log10()))
        });
        points.collect()
    };
    [
        Plot {
            to_scale: false,
            title: "height over the path".to_owned(),
            x: "s, m".to_owned(),
            y: "h, m".to_owned(),
            curves: profile,
        },
        Plot {
            to_scale: false,
            title: "spectrum, octave by octave".to_owned(),
            x: "log10 of n, 1/m".to_owned(),
            y: "log10 of G, m3".to_owned(),
            curves: vec![
                curve("profile", log(|band| Some(band.seen)), false),
                curve("target", log(|band| band.target), true),
            ],
        },
    ]
}
