//! What a mechanism looked like during a run: its states at some of the communication points.

use std::sync::Arc;

use anyhow::{Result, bail};
use coulisse::fmu::Built;
use coulisse::message::figure;
use coulisse::surfaces::layer::Touch;
use coulisse::system::{State, SurfaceForce, System};

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
    /// Times at which the user wants a frame, s, from one to another.
    still: Option<[f64; 2]>,
    film: Option<Film>,
}

impl Camera {
    /// For a run until `stop` in steps of `step` (s), with a frame `at` a time (s).
    ///
    /// # Errors
    /// When the number of frames makes no film, or the time is not in the run.
    pub fn new([stop, step]: [f64; 2], wanted: Option<usize>, at: Option<f64>) -> Result<Camera> {
        if let Some(frames) = wanted.filter(|frames| !ALLOWED.contains(frames)) {
            bail!("--frames {frames}; allowed: {} to {}", ALLOWED.start(), ALLOWED.end())
        }
        if let Some(at) = at.filter(|at| !(0.0..=stop).contains(at)) {
            bail!("--at {}; allowed: from 0 to the end, {} s", figure(at), figure(stop));
        }
        let still = at.map(|at| [at - 0.5 * step, at + 0.5 * step]);
        Ok(Camera { rows: (stop / step).ceil() as usize, wanted, still, film: None })
    }

    /// Looks at the mechanism after it has given a row of results. Only every so many rows become
    /// a frame, and those where the run begins and ends and next to the time that is wanted. A slave
    /// that does not show its inside gives no film.
    pub fn look(&mut self, slave: &dyn Slave, row: usize, time: f64, last: bool) {
        let Some((built, state)) = slave.mechanism() else {
            return;
        };
        let wanted = self.wanted.unwrap_or_else(|| {
            (MAX_NODE_FRAMES / built.system.node_count().max(1)).clamp(100, FRAMES)
        });
        let every = self.rows.div_ceil(wanted).max(1);
        let still = self.still.is_some_and(|[from, to]| (from..=to).contains(&time));
        if row.is_multiple_of(every) || last || still {
            let film = self
                .film
                .get_or_insert_with(|| Film { built: Arc::clone(built), frames: Vec::new() });
            film.frames.push(Frame::of(&built.system, state, row, time));
        }
    }

    /// The film, if anything was seen.
    pub fn film(self) -> Option<Film> {
        self.film
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
            contact: (0..system.model().sliders.len())
                .map(|slider| system.drawing().contact_force(state, slider))
                .collect(),
            surfaces: (0..system.model().contacts.len())
                .map(|contact| system.surfaces.forces_at_points(state, contact))
                .collect(),
        }
    }
}
