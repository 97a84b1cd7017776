//! Pictures of a run: the mechanism at one time (SVG, PNG) and in motion (GIF, MP4).

use std::collections::HashMap;
use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use coulisse::message::{did_you_mean, excerpt, figure, rounded};
use coulisse::model::Checked;
use coulisse::numerics::positions::Positions;
use coulisse::system::Look;
use gif::{DisposalMethod, Encoder, Frame, Repeat};

use crate::animation;
use crate::drawing::{self, Diagram, Followed, Ink, Raster, Scene};
use crate::files;
use crate::film::{Film, Moment};
use crate::png::png;

/// Most pictures per second of a motion: GIF counts in hundredths of a second.
const RATE: f64 = 25.0;
/// How long a motion is shown, s: as long as the run takes, but never shorter or longer than this.
const SHOWN: [f64; 2] = [4.0, 12.0];
/// Size of the pictures of a motion, as a part of that of a drawing.
const SCALE: f32 = 0.7;
/// Shades of each ink in a GIF, from paper to the pure colour: edges of lines are smooth.
const SHADES: usize = 22;

/// Pictures that are wanted of a run.
#[derive(Debug, Default, clap::Args)]
pub struct Pictures {
    /// Draw the mechanism at one time, with names.
    #[arg(long, value_name = "SVG")]
    svg: Option<PathBuf>,
    /// Draw the mechanism at one time, with names, in two pixels for each of the SVG.
    #[arg(long, value_name = "PNG")]
    png: Option<PathBuf>,
    /// Time of --svg and --png: in s, or where an output is smallest or largest, as
    /// max:motions.crank.reaction; the end of the run unless given.
    #[arg(long, value_name = "T|max:OUTPUT", allow_hyphen_values = true, value_parser = Moment::parse)]
    pub at: Option<Moment>,
    /// Draw a section force along every elastic member of --svg and --png, moments on the side in tension.
    #[arg(long, value_enum)]
    diagram: Option<Diagram>,
    /// Show the mechanism in motion.
    #[arg(long, value_name = "GIF")]
    gif: Option<PathBuf>,
    /// Show the mechanism in motion; needs the program ffmpeg.
    #[arg(long, value_name = "MP4")]
    mp4: Option<PathBuf>,
    /// Draw deformations this many times as large in pictures and motions; `auto`: as the page does at
    /// first, so that those of a stiff structure are seen.
    #[arg(long, value_name = "K", allow_hyphen_values = true, value_parser = exaggeration)]
    exaggerate: Option<Exaggeration>,
    /// Keep this point in the middle of --gif and --mp4, in a picture of --width.
    #[arg(long, value_name = "POINT", requires = "width")]
    follow: Option<String>,
    /// Width of a picture that follows a point, m.
    #[arg(long, value_name = "M", requires = "follow", allow_hyphen_values = true)]
    width: Option<f64>,
}

/// How much deformations are exaggerated.
#[derive(Debug, Clone, Copy)]
enum Exaggeration {
    Times(f64),
    AsThePage,
}

fn exaggeration(text: &str) -> Result<Exaggeration, String> {
    match text.parse() {
        Ok(factor) if factor > 0.0 && f64::is_finite(factor) => Ok(Exaggeration::Times(factor)),
        _ if text == "auto" => Ok(Exaggeration::AsThePage),
        _ => Err("allowed: a number above 0, or `auto`".to_owned()),
    }
}

impl Pictures {
    /// The files that it names.
    pub fn files(&self) -> impl Iterator<Item = &PathBuf> {
        [&self.svg, &self.png, &self.gif, &self.mp4].into_iter().flatten()
    }

    /// Refuses names that are not those of the formats, before anything runs.
    ///
    /// # Errors
    /// For other endings, and for --at without a picture at that time.
    pub fn check(&self) -> Result<()> {
        let asked =
            [("svg", &self.svg), ("png", &self.png), ("gif", &self.gif), ("mp4", &self.mp4)];
        for (ending, path) in asked {
            let other =
                |path: &&PathBuf| !path.extension().is_some_and(|e| e.eq_ignore_ascii_case(ending));
            if let Some(path) = path.as_ref().filter(other) {
                bail!(
                    "--{ending} {}; allowed: a file whose name ends in .{ending}",
                    path.display()
                );
            }
        }
        if let Some(width) = self.width.filter(|width| !(*width > 0.0 && width.is_finite())) {
            bail!("--width {}; allowed: a number above 0", figure(width));
        }
        if let Some(path) = &self.mp4 {
            let mut ffmpeg = start_ffmpeg(path, Command::new("ffmpeg").arg("-version"))?;
            ffmpeg.wait().context("ffmpeg")?;
        }
        let (still, moving) =
            (self.svg.is_some() || self.png.is_some(), self.gif.is_some() || self.mp4.is_some());
        if self.at.is_some() && !still {
            bail!("--at is the time of a picture; add --svg or --png");
        }
        if self.diagram.is_some() && !still {
            bail!("--diagram is for a picture; add --svg or --png");
        }
        if self.follow.is_some() && !moving {
            bail!("--follow is for a motion; add --gif or --mp4");
        }
        if self.exaggerate.is_some() && !still && !moving {
            bail!("--exaggerate is for pictures; add --svg, --png, --gif or --mp4");
        }
        Ok(())
    }

    /// The point that is followed, and how wide the picture is.
    ///
    /// # Errors
    /// When the model has no such point.
    pub fn followed(&self, model: &Checked) -> Result<Option<Followed>> {
        let (Some(name), Some(width)) = (&self.follow, self.width) else {
            return Ok(None);
        };
        let names = || model.points.iter().map(|point| point.name.as_str());
        match names().position(|own| own == name) {
            Some(point) => Ok(Some((point, width))),
            None => bail!(
                "--follow {}: no point of this model{}",
                excerpt(name),
                did_you_mean(name, names())
            ),
        }
    }

    /// Whether it needs something that not every model has.
    pub fn asks_of_model(&self) -> bool {
        self.follow.is_some() || self.diagram.is_some()
    }

    /// Refuses a point to follow that the `model` does not have, and a diagram of no elastic member.
    ///
    /// # Errors
    /// In these cases.
    pub fn check_model(&self, model: &Checked) -> Result<()> {
        self.followed(model)?;
        self.diagram.map_or(Ok(()), |_| drawing::has_diagrams(model))
    }

    /// Draws what is wanted of a `film`, under the `name` of the model; what there is to say about the files, line by line.
    ///
    /// # Errors
    /// When a file cannot be written, or ffmpeg is not there or fails.
    pub fn draw(&self, film: &Film, name: &str) -> Result<String> {
        let system = film.system();
        let followed = self.followed(system.model())?;
        let factor = match self.exaggerate {
            None => 1.0,
            Some(Exaggeration::Times(factor)) => factor,
            Some(Exaggeration::AsThePage) => animation::first_exaggeration(film),
        };
        let positions = animation::exaggerated(film, factor);
        let at = film.still;
        let nearest = film.frames.iter().zip(&positions).min_by(|(a, _), (b, _)| {
            let away = |time: f64| if at.is_finite() { (time - at).abs() } else { -time };
            away(a.time).total_cmp(&away(b.time))
        });
        if let (Some((frame, q)), true) = (nearest, self.svg.is_some() || self.png.is_some()) {
            let strained = Positions::from(&frame.q[..]);
            let look = Look::new(system, &strained, &frame.acting);
            let diagram = self.diagram.map(|diagram| (diagram, &look));
            let scene = drawing::draw_at(system, q, diagram);
            let larger = match factor {
                1.0 => String::new(),
                factor => format!(", deformations × {}", figure(factor)),
            };
            let title = format!("{name} at t = {} s{larger}", rounded(frame.time, 9));
            let drawn = drawing::svg(&scene, &title);
            if let Some(path) = &self.svg {
                files::write(path, drawn.as_bytes())?;
            }
            if let Some(path) = &self.png {
                files::write(path, &png(&drawn)?)?;
            }
        }
        let mut lines = String::new();
        if self.gif.is_some() || self.mp4.is_some() {
            let motion = Motion::of(film);
            let positions: Vec<&[f64]> = motion.frames.iter().map(|&k| &positions[k][..]).collect();
            let scenes = || drawing::frames(system, &positions, followed);
            if let Some(path) = &self.gif {
                files::write(path, &gif(scenes(), motion.rate())?)?;
            }
            if let Some(path) = &self.mp4 {
                mp4(path, scenes(), motion.rate())?;
            }
            lines = self.gif.iter().chain(&self.mp4).map(|file| motion.line(file)).collect();
        }
        Ok(lines)
    }
}

/// The frames of a film that are shown one after the other.
struct Motion {
    frames: Vec<usize>,
    /// How long they are shown, s.
    shown: f64,
    /// Time that passes in them, s.
    time: f64,
}

impl Motion {
    fn of(film: &Film) -> Motion {
        let time = film.frames.last().map_or(0.0, |frame| frame.time);
        let shown = time.clamp(SHOWN[0], SHOWN[1]);
        let count = ((shown * RATE) as usize).min(film.frames.len() - 1).max(1);
        let mut frames = film.frames.iter().enumerate().peekable();
        let mut last = 0;
        let at = (0..=count).map(|k| {
            let time = time * k as f64 / count as f64;
            while let Some((k, _)) = frames.next_if(|(_, frame)| frame.time <= time * (1.0 + 1e-9))
            {
                last = k;
            }
            last
        });
        Motion { frames: at.collect(), shown, time }
    }

    /// Pictures per second.
    fn rate(&self) -> f64 {
        (self.frames.len() - 1) as f64 / self.shown
    }

    /// "motion.gif: 4 s, 0.25 times real speed".
    fn line(&self, file: &Path) -> String {
        let speed = rounded(self.time / self.shown, 3);
        format!("{}: {} s, {speed} times real speed\n", file.display(), rounded(self.shown, 3))
    }
}

/// A motion as GIF that begins again at its end. Only what changes from one picture to the next is stored.
fn gif(scenes: impl Iterator<Item = Scene>, rate: f64) -> Result<Vec<u8>> {
    let delay = (100.0 / rate).round() as u16;
    let mut inks = Palette::new();
    let mut bytes = Vec::new();
    let mut encoder: Option<Encoder<&mut Vec<u8>>> = None;
    let mut before: Vec<u8> = Vec::new();
    let mut out = Some(&mut bytes);
    for scene in scenes {
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
        let within = (top..=high[1]).flat_map(|y| (left..=high[0]).map(move |x| y * columns + x));
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

/// A motion as MP4 (H.264), written by ffmpeg.
fn mp4(path: &Path, scenes: impl Iterator<Item = Scene>, rate: f64) -> Result<()> {
    let mut ffmpeg = None;
    for scene in scenes {
        let raster = drawing::raster(&scene, 1.0)?;
        let child = match &mut ffmpeg {
            Some(child) => child,
            None => {
                let size = [raster.width(), raster.height()];
                ffmpeg.insert(start_ffmpeg(path, &mut encoder(path, size, rate))?)
            }
        };
        let sent = child.stdin.as_mut().map(|input| input.write_all(raster.data()));
        if matches!(sent, Some(Err(_))) {
            break;
        }
    }
    let Some(child) = ffmpeg else { return Ok(()) };
    let ended = child.wait_with_output().context("ffmpeg")?;
    if !ended.status.success() {
        let said = String::from_utf8_lossy(&ended.stderr);
        let last = said.lines().last().unwrap_or("no message").to_owned();
        bail!("{}: ffmpeg failed: {last}", path.display());
    }
    Ok(())
}

/// The command that makes an MP4 of pictures of `width` × `height` pixels that it is sent one after the other.
fn encoder(path: &Path, [width, height]: [u32; 2], rate: f64) -> Command {
    let mut command = Command::new("ffmpeg");
    command.args(["-y", "-loglevel", "error", "-f", "rawvideo", "-pix_fmt", "rgba"]);
    command.args(["-video_size", &format!("{width}x{height}"), "-framerate", &rate.to_string()]);
    // Players want even numbers of pixels and this format.
    command.args(["-i", "-", "-vf", "pad=ceil(iw/2)*2:ceil(ih/2)*2", "-pix_fmt", "yuv420p"]);
    command.arg(path);
    command
}

/// Starts ffmpeg, which is to write an MP4 at `path`.
fn start_ffmpeg(path: &Path, command: &mut Command) -> Result<Child> {
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    command.spawn().or_else(|error| match error.kind() {
        ErrorKind::NotFound => bail!(
            "{}: ffmpeg is not installed, and writes the MP4; install it or take --gif",
            path.display()
        ),
        _ => Err(error).context("ffmpeg"),
    })
}
