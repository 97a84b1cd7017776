//! A mechanism in motion: some of the frames of a film, one after the other, as GIF.

use std::collections::HashMap;

use anyhow::Result;
use coulisse::message::rounded;
use coulisse::system::System;
use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::drawing::{self, Followed, Ink, Raster, Scene};
use crate::film::Film;

/// Most pictures per second of a motion: GIF counts in hundredths of a second.
const RATE: f64 = 25.0;
/// How long a motion is shown, s: as long as the run takes, but never shorter or longer than this.
const SHOWN: [f64; 2] = [4.0, 12.0];
/// Size of the pictures of a GIF, as a part of that of a drawing.
const SCALE: f32 = 0.7;
/// Shades of each ink in a GIF, from paper to the pure colour: edges of lines are smooth.
const SHADES: usize = 22;

/// The frames of a film that are shown one after the other.
pub struct Motion<'a> {
    system: &'a System,
    /// The unknowns in each picture.
    positions: Vec<&'a [f64]>,
    followed: Option<Followed>,
    /// How long they are shown, s.
    shown: f64,
    /// Time that passes in them, s.
    time: f64,
}

impl<'a> Motion<'a> {
    /// Of a film whose frames are drawn at these `positions`, with a point that stays in the middle.
    pub fn of(film: &'a Film, positions: &'a [Vec<f64>], followed: Option<Followed>) -> Motion<'a> {
        let time = film.frames.last().map_or(0.0, |frame| frame.time);
        let shown = time.clamp(SHOWN[0], SHOWN[1]);
        let count = ((shown * RATE) as usize).min(film.frames.len() - 1).max(1);
        let mut frames = film.frames.iter().zip(positions).peekable();
        let mut last: &[f64] = positions.first().map_or(&[], |q| q);
        let at = (0..=count).map(|k| {
            let time = time * k as f64 / count as f64;
            while let Some((_, q)) = frames.next_if(|(frame, _)| frame.time <= time * (1.0 + 1e-9))
            {
                last = q;
            }
            last
        });
        let positions = at.collect();
        Motion { system: film.system(), positions, followed, shown, time }
    }

    /// Its pictures, all in one view.
    pub fn scenes(&self) -> impl Iterator<Item = Scene> + '_ {
        drawing::frames(self.system, &self.positions, self.followed)
    }

    /// Pictures per second.
    pub fn rate(&self) -> f64 {
        (self.positions.len() - 1) as f64 / self.shown
    }

    /// "4 s, 0.25 times real speed".
    pub fn words(&self) -> String {
        let speed = rounded(self.time / self.shown, 3);
        format!("{} s, {speed} times real speed", rounded(self.shown, 3))
    }

    /// It as GIF that begins again at its end. Only what changes from one picture to the next is stored.
    ///
    /// # Errors
    /// When the pictures are too large for memory; not in practice.
    pub fn gif(&self) -> Result<Vec<u8>> {
        let delay = (100.0 / self.rate()).round() as u16;
        let mut inks = Palette::new();
        let mut bytes = Vec::new();
        let mut encoder: Option<Encoder<&mut Vec<u8>>> = None;
        let mut before: Vec<u8> = Vec::new();
        let mut out = Some(&mut bytes);
        for scene in self.scenes() {
            let raster = drawing::raster(&scene, SCALE)?;
            let [width, height] = [raster.width(), raster.height()].map(|side| side as u16);
            let now = inks.indices(&raster);
            if let Some(bytes) = out.take() {
                let mut begun = Encoder::new(bytes, width, height, &inks.colours)?;
                begun.set_repeat(Repeat::Infinite)?;
                encoder = Some(begun);
            }
            let changed = |k: &usize| before.get(*k) != Some(&now[*k]);
            let (columns, rows) = (usize::from(width), usize::from(height));
            let (mut low, mut high) = ([columns - 1, rows - 1], [0, 0]);
            for k in (0..now.len()).filter(changed) {
                for (axis, place) in [k % columns, k / columns].into_iter().enumerate() {
                    low[axis] = low[axis].min(place);
                    high[axis] = high[axis].max(place);
                }
            }
            // A picture that is like the one before still takes its time.
            let [left, top] = [low[0].min(high[0]), low[1].min(high[1])];
            let within =
                (top..=high[1]).flat_map(|y| (left..=high[0]).map(move |x| y * columns + x));
            let pixels = within.map(|k| if changed(&k) { now[k] } else { Palette::SAME });
            let frame = Frame {
                delay,
                dispose: DisposalMethod::Keep,
                transparent: Some(Palette::SAME),
                left: left as u16,
                top: top as u16,
                width: (high[0] - left + 1) as u16,
                height: (high[1] - top + 1) as u16,
                buffer: pixels.collect::<Vec<u8>>().into(),
                ..Frame::default()
            };
            if let Some(encoder) = &mut encoder {
                encoder.write_frame(&frame)?;
            }
            before = now;
        }
        drop(encoder);
        Ok(bytes)
    }
}

/// The colours of a GIF: shades of the inks.
struct Palette {
    /// Red, green and blue of each.
    colours: Vec<u8>,
    /// The nearest of them to what has been met.
    nearest: HashMap<[u8; 3], u8>,
}

impl Palette {
    /// Stands for the colour that was there before.
    const SAME: u8 = u8::MAX;

    fn new() -> Palette {
        let shades = Ink::ALL.into_iter().flat_map(|ink| {
            (1..=SHADES).flat_map(move |k| {
                ink.colour().map(|full| {
                    let part = k as f64 / SHADES as f64;
                    (255.0 + part * (f64::from(full) - 255.0)).round() as u8
                })
            })
        });
        Palette { colours: shades.collect(), nearest: HashMap::new() }
    }

    fn indices(&mut self, raster: &Raster) -> Vec<u8> {
        let pixels = raster.pixels().iter().map(|p| [p.red(), p.green(), p.blue()]);
        pixels.map(|colour| self.index(colour)).collect()
    }

    fn index(&mut self, colour: [u8; 3]) -> u8 {
        *self.nearest.entry(colour).or_insert_with(|| {
            let distance = |of: &[u8]| -> u32 {
                of.iter().zip(colour).map(|(a, b)| u32::from(a.abs_diff(b)).pow(2)).sum()
            };
            let all = self.colours.chunks_exact(3).enumerate();
            let best = all.min_by_key(|(_, own)| distance(own));
            best.map_or(0, |(k, _)| k as u8)
        })
    }
}
