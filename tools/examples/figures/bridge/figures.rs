//! Figs. 18 to 22 of Siqueira & Coda (2023) from our runs.

use coulisse::fmu::Blueprint;
use coulisse::joints::roughness::{Profile, Roughness, Spectrum};

use super::{ROADS, Run, Sample};
use crate::svg::{Curve, Plot};

/// Most points of a curve.
const POINTS: usize = 400;

/// The part of the road that Fig. 18 shows, m from its beginning: the first metres of the bridge.
const SHOWN: (f64, f64) = (20.0, 24.0);

/// Width of the strips of Fig. 22 of which the least and the largest force are drawn, in samples.
const STRIP: usize = 40;

/// All of them with their names.
pub fn of(runs: &[Run], model: &Blueprint) -> Vec<(String, Vec<Plot>)> {
    let middle = |s: &Sample| (s.vehicle[0], s.vehicle[1]);
    let span = |s: &Sample| (s.time, s.span);
    [
        ("fig18", roads(model)),
        ("fig19", vec![positions(runs)]),
        ("fig20", halves("Fig. 20: middle of the vehicle", "x, m", "y, m", runs, middle)),
        ("fig21", halves("Fig. 21: middle of the left span", "t, s", "y, m", runs, span)),
        ("fig22", forces(runs)),
    ]
    .map(|(name, plots)| (name.to_owned(), plots))
    .into()
}

/// The roads of class A and B and the ways of the wheels over them.
fn roads(model: &Blueprint) -> Vec<Plot> {
    let slider = &model.checked().sliders[0];
    let Some((own, spectrum)) = slider.roughness.as_ref().and_then(|r| Some((r, r.spectrum?)))
    else {
        return Vec::new();
    };
    let plot = |(class, level): (&str, f64)| {
        let spectrum = Spectrum { reference: level, ..spectrum };
        let road = Roughness {
            profile: Profile::Waves(spectrum.waves()),
            spectrum: Some(spectrum),
            wheel_radius: own.wheel_radius,
        };
        let rolled = road.over(SHOWN.1);
        let places = (0..=POINTS).map(|i| SHOWN.0 + (SHOWN.1 - SHOWN.0) * i as f64 / POINTS as f64);
        let curve = |label: &str, height: &dyn Fn(f64) -> f64, dashed| Curve {
            label: label.to_owned(),
            points: places.clone().map(|s| (s, 1e3 * height(s))).collect(),
            dashed,
        };
        Plot {
            to_scale: false,
            title: format!("Fig. 18: {class}"),
            x: "s, m".to_owned(),
            y: "height, mm".to_owned(),
            curves: vec![
                curve("road", &|s| road.profile.at(s)[0], false),
                curve("wheel", &|s| rolled.at(s)[0], true),
            ],
        }
    };
    ROADS.into_iter().filter(|(_, level)| *level > 0.0).map(plot).collect()
}

fn positions(runs: &[Run]) -> Plot {
    Plot {
        to_scale: false,
        title: "Fig. 19: front wheel".to_owned(),
        x: "t, s".to_owned(),
        y: "s, m".to_owned(),
        curves: runs.iter().map(|run| curve(run, |s| (s.time, s.front))).collect(),
    }
}

/// One plot for the runs with friction, one for those without.
fn halves(title: &str, x: &str, y: &str, runs: &[Run], of: fn(&Sample) -> (f64, f64)) -> Vec<Plot> {
    let plot = |rubs: bool| Plot {
        to_scale: false,
        title: format!("{title}, {}", super::friction_word(rubs)),
        x: x.to_owned(),
        y: y.to_owned(),
        curves: (runs.iter().filter(|run| run.rubs == rubs))
            .map(|run| Curve { label: run.road.to_owned(), ..curve(run, of) })
            .collect(),
    };
    vec![plot(true), plot(false)]
}

/// A curve through every so many samples; dashed without friction.
fn curve(run: &Run, of: fn(&Sample) -> (f64, f64)) -> Curve {
    let every = run.samples.len().div_ceil(POINTS);
    Curve {
        label: run.name(),
        points: run.samples.iter().step_by(every).map(of).collect(),
        dashed: !run.rubs,
    }
}

/// The friction force of the front wheel: in every strip of time its least and its largest.
fn forces(runs: &[Run]) -> Vec<Plot> {
    let plot = |run: &Run| {
        let strips = run.samples.chunks(STRIP).map(|strip| {
            let middle = strip[strip.len() / 2].time;
            let kilo = |s: &Sample| 1e-3 * s.friction;
            let least = strip.iter().map(kilo).fold(f64::INFINITY, f64::min);
            let largest = strip.iter().map(kilo).fold(f64::NEG_INFINITY, f64::max);
            [(middle, least), (middle, largest)]
        });
        Plot {
            to_scale: false,
            title: format!("Fig. 22: {}", run.road),
            x: "t, s".to_owned(),
            y: "friction, front wheel, kN".to_owned(),
            curves: vec![Curve {
                label: String::new(),
                points: strips.flatten().collect(),
                dashed: false,
            }],
        }
    };
    runs.iter().filter(|run| run.rubs).map(plot).collect()
}
