//! What a mechanism looked like during a run: its states at some of the communication points.

use std::sync::Arc;

use anyhow::{Result, bail};
use coulisse::fmu::Built;
use coulisse::message::{did_you_mean, excerpt, figure};
use coulisse::surfaces::layer::Touch;
use coulisse::system::{ActingForces, State, SurfaceForce, System};

use crate::host::Slave;

/// Frames of a film where the user asks for no number.
const FRAMES: usize = 600;
/// Nodes times frames of a film where the user asks for no number: a page of about 3 MB, of 5 MB with bodies alone.
const MAX_NODE_FRAMES: usize = 600_000;
/// Numbers of frames that a user may ask for.
const ALLOWED: std::ops::RangeInclusive<usize> = 2..=20_000;

/// One look at the mechanism.
#[derive(Debug, Clone)]
pub struct Frame {
    /// Row of the results that it belongs to.
    pub row: usize,
    /// s.
    pub time: f64,
    /// Positions, rotations and sliding coordinates.
    pub q: Vec<f64>,
    pub velocity: Vec<f64>,
    /// What acts on members.
    pub acting: ActingForces,
    /// Force of each slider on its path, N, and its moment, N·m.
    pub contact: Vec<[f64; 2]>,
    /// Points of each contact of surfaces.
    pub surfaces: Vec<Vec<SurfaceForce>>,
}

/// The frames of a run, at least one.
#[derive(Debug)]
pub struct Film {
    pub built: Arc<Built>,
    pub frames: Vec<Frame>,
    /// Time of the picture that is wanted, s; the end of the run where none is.
    pub still: f64,
}

/// When a picture is wanted.
#[derive(Debug, Clone, PartialEq)]
pub enum Moment {
    /// At this time, s.
    Time(f64),
    /// Where an output is smallest.
    Smallest(String),
    /// Where an output is largest.
    Largest(String),
}

impl Moment {
    /// Of the command line: a time, `min:OUTPUT` or `max:OUTPUT`.
    pub fn parse(text: &str) -> Result<Moment, String> {
        match (text.split_once(':'), text.parse()) {
            (Some(("min", name)), _) => Ok(Moment::Smallest(name.to_owned())),
            (Some(("max", name)), _) => Ok(Moment::Largest(name.to_owned())),
            (_, Ok(time)) => Ok(Moment::Time(time)),
            _ => Err("allowed: a time in s, min:OUTPUT or max:OUTPUT".to_owned()),
        }
    }
}

/// What a camera waits for.
#[derive(Debug)]
enum Still {
    /// Frames from one time to another, s, about the one wanted.
    Between { time: f64, from: f64, to: f64 },
    /// The frame with the largest value of a column times `sign`, from a time on (s), and this value.
    Extreme { column: usize, sign: f64, from: f64, best: Option<Box<(f64, Frame)>> },
}

impl Film {
    pub fn system(&self) -> &System {
        &self.built.system
    }
}

/// Takes a film of a run whose number of rows is known beforehand.
#[derive(Debug)]
pub struct Camera {
    rows: usize,
    /// Number of frames that the user asks for.
    wanted: Option<usize>,
    still: Option<Still>,
    film: Option<Film>,
}

/// What is filmed of a run.
#[derive(Debug, Default)]
pub struct Wishes<'a> {
    /// Number of frames that the user asks for.
    pub frames: Option<usize>,
    pub still: Option<&'a Moment>,
    /// Time from which extremes count, s.
    pub from: f64,
}

impl Camera {
    /// For a run until `stop` in steps of `step` (s) with these `outputs`.
    ///
    /// # Errors
    /// When the number of frames makes no film, the time of a picture is not in the run, or its output is not there.
    pub fn new([stop, step]: [f64; 2], outputs: &[&str], wishes: &Wishes<'_>) -> Result<Camera> {
        if let Some(frames) = wishes.frames.filter(|frames| !ALLOWED.contains(frames)) {
            bail!("--frames {frames}; allowed: {} to {}", ALLOWED.start(), ALLOWED.end())
        }
        let extreme = |name: &str, sign: f64| match outputs.iter().position(|own| *own == name) {
            Some(column) => Ok(Still::Extreme { column, sign, from: wishes.from, best: None }),
            None => bail!(
                "--at: `{}` is no output of this model{}; `coulisse describe` lists them",
                excerpt(name),
                did_you_mean(name, outputs.iter().copied())
            ),
        };
        let still = match wishes.still {
            None => None,
            Some(&Moment::Time(time)) if !(0.0..=stop).contains(&time) => {
                bail!("--at {}; allowed: from 0 to the end, {} s", figure(time), figure(stop))
            }
            Some(&Moment::Time(time)) => {
                Some(Still::Between { time, from: time - 0.5 * step, to: time + 0.5 * step })
            }
            Some(Moment::Smallest(name)) => Some(extreme(name, -1.0)?),
            Some(Moment::Largest(name)) => Some(extreme(name, 1.0)?),
        };
        let rows = (stop / step).ceil() as usize;
        Ok(Camera { rows, wanted: wishes.frames, still, film: None })
    }

    /// Looks at the mechanism after it has given a `row` of results with these `values`. Only every so many rows become
    /// a frame, and those where the run begins and ends and next to the time that is wanted. A slave
    /// that does not show its inside gives no film.
    pub fn look(&mut self, slave: &dyn Slave, row: usize, values: &[f64], time: f64, last: bool) {
        let Some((built, state)) = slave.mechanism() else {
            return;
        };
        let wanted = self.wanted.unwrap_or_else(|| {
            (MAX_NODE_FRAMES / built.system.node_count().max(1)).clamp(100, FRAMES)
        });
        let every = self.rows.div_ceil(wanted).max(1);
        let mut is_wanted = false;
        match &mut self.still {
            Some(Still::Between { from, to, .. }) => is_wanted = (*from..=*to).contains(&time),
            Some(Still::Extreme { column, sign, from, best }) if time >= *from => {
                let value = *sign * values[*column];
                if best.as_ref().is_none_or(|best| value > best.0) {
                    *best = Some(Box::new((value, Frame::of(&built.system, state, row, time))));
                }
            }
            _ => {}
        }
        if row.is_multiple_of(every) || last || is_wanted {
            let film = self.film.get_or_insert_with(|| Film {
                built: Arc::clone(built),
                frames: Vec::new(),
                still: f64::INFINITY,
            });
            film.frames.push(Frame::of(&built.system, state, row, time));
        }
    }

    /// The frames until now, if anything was seen.
    pub fn so_far(&self) -> Option<&Film> {
        self.film.as_ref()
    }

    /// The film, if anything was seen.
    pub fn film(self) -> Option<Film> {
        let mut film = self.film?;
        match self.still {
            Some(Still::Between { time, .. }) => film.still = time,
            Some(Still::Extreme { best: Some(best), .. }) => {
                let (_, frame) = *best;
                film.still = frame.time;
                let place = film.frames.partition_point(|other| other.row < frame.row);
                if film.frames.get(place).is_none_or(|other| other.row != frame.row) {
                    film.frames.insert(place, frame);
                }
            }
            _ => {}
        }
        Some(film)
    }
}

/// What a point of a surface does, as a number: 0 open, 1 sticks, 2 slips.
pub fn state_of(touch: Touch) -> u8 {
    match touch {
        Touch::Open => 0,
        Touch::Sticks => 1,
        Touch::Slips(_) => 2,
    }
}

impl Frame {
    fn of(system: &System, state: &State, row: usize, time: f64) -> Frame {
        Frame {
            row,
            time,
            q: state.q.to_vec(),
            velocity: state.velocity.clone(),
            acting: ActingForces::of(state),
            contact: (0..system.model().sliders.len())
                .map(|slider| system.drawing().contact_force(state, slider))
                .collect(),
            surfaces: (0..system.model().contacts.len())
                .map(|contact| system.surfaces.forces_at_points(state, contact))
                .collect(),
        }
    }
}
