//! Pictures of a run: the mechanism at one time (SVG, PNG) and in motion (GIF, MP4).

use std::io::{ErrorKind, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use anyhow::{Context, Result, bail};
use coulisse::message::{did_you_mean, excerpt, figure, rounded};
use coulisse::model::Checked;
use coulisse::numerics::positions::Positions;
use coulisse::system::Look;

use crate::animation;
use crate::drawing::{self, Diagram, Followed};
use crate::files;
use crate::film::{Film, Moment};
use crate::motion::Motion;
use crate::png::png;

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
            let motion = Motion::of(film, &positions, followed);
            if let Some(path) = &self.gif {
                files::write(path, &motion.gif()?)?;
            }
            if let Some(path) = &self.mp4 {
                mp4(path, &motion)?;
            }
            let files = self.gif.iter().chain(&self.mp4);
            lines = files.map(|file| format!("{}: {}\n", file.display(), motion.words())).collect();
        }
        Ok(lines)
    }
}

/// A motion as MP4 (H.264), written by ffmpeg.
fn mp4(path: &Path, motion: &Motion<'_>) -> Result<()> {
    let mut ffmpeg = None;
    for scene in motion.scenes() {
        let raster = drawing::raster(&scene, 1.0)?;
        let child = match &mut ffmpeg {
            Some(child) => child,
            None => {
                let size = [raster.width(), raster.height()];
                ffmpeg.insert(start_ffmpeg(path, &mut encoder(path, size, motion.rate()))?)
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
