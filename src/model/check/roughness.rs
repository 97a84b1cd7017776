//! Roughness of paths: every number in range, and what it needs of the path.

use super::Checker;
use crate::joints::roughness::{MAX_SAMPLES, Profile, Roughness, Spectrum, Wave, samples};
use crate::message::{figure, rounded};
use crate::model::de::{DataFile, Located, Name, Scalar};
use crate::model::file::{self};
use crate::model::quantity::Quantity;
use crate::numerics::spline::Spline;

/// How far a table may end before its path does, relative to the path's length: rounding.
const SHORT: f64 = 1e-9;

impl Checker<'_> {
    /// The roughness of joint `name` on a path of the given length, where that is known; `None` where
    /// it has none.
    pub(super) fn roughness(
        &mut self, name: &Name, joint: &file::Joint, length: Option<f64>,
    ) -> Option<Roughness> {
        let radius = (joint.wheel_radius.as_ref()).map(|radius| (radius, self.number(radius)));
        let Some(given) = &joint.roughness else {
            return None;
        };
        let path = format!("{}.roughness.{}", name.path, given.kind());
        let (profile, spectrum) = self.profile(name, &path, given, length)?;
        let length = length.filter(|_| !self.reader.is_faulty(&path))?;
        if let Profile::Waves(waves) = &profile
            && !waves.iter().all(|w| (w.amplitude * w.wavenumber * w.wavenumber).is_finite())
        {
            let message = format!("{path} has heights or curvatures that are not finite");
            self.report_entry(name, message);
            return None;
        }
        if let Some((radius, _)) = radius {
            let needed = samples(&profile, length);
            if needed.is_nan() || needed > MAX_SAMPLES {
                let message = format!(
                    "{} needs the profile at {} places, 32 for each shortest wavelength ({} m) of \
                     the path's {} m; allowed: up to {}; take shorter waves out of the profile",
                    radius.path,
                    rounded(needed, 3),
                    rounded(profile.shortest(), 4),
                    rounded(length, 6),
                    figure(MAX_SAMPLES)
                );
                self.report(radius, message);
                return None;
            }
        }
        Some(Roughness { profile, spectrum, wheel_radius: radius.map(|(_, radius)| radius) })
    }

    fn profile(
        &mut self, name: &Name, path: &str, given: &file::Roughness, length: Option<f64>,
    ) -> Option<(Profile, Option<Spectrum>)> {
        use file::Roughness as Given;
        let of = |spectrum: Spectrum| Some((Profile::Waves(spectrum.waves()), Some(spectrum)));
        let profile = match given {
            Given::Cosine { amplitude, wavelength, phase } => {
                let phase = phase.as_ref();
                let phase = self.usual(phase, format!("{path}.phase"));
                Profile::Waves(vec![Wave::of_length(
                    self.number(amplitude),
                    self.number(wavelength),
                    phase,
                )])
            }
            Given::Harmonics { amplitudes, wavelengths, phases } => {
                let phases = phases.as_deref();
                self.harmonics(name, path, amplitudes, wavelengths, phases)?
            }
            Given::Psd { reference, reference_frequency, exponent, from, to, lines, seed } => {
                let seed = self.seed(path, seed.as_ref());
                let spectrum = Spectrum {
                    reference: self.number(reference),
                    reference_frequency: self.number(reference_frequency),
                    exponent: self.number(exponent),
                    band: self.band(from, to),
                    lines: self.count(lines),
                    seed,
                };
                return of(spectrum);
            }
            Given::Iso8608 { class, from, to, lines, seed } => {
                let seed = self.seed(path, seed.as_ref());
                let band = self.band(from, to);
                let lines = self.count(lines);
                return of(class.spectrum(band, lines, seed));
            }
            Given::Table { stations, heights, file } => {
                let lists = stations.as_deref().zip(heights.as_deref());
                let alone = lists.is_none() && (stations.is_some() || heights.is_some());
                let (columns, span) = match (lists, file) {
                    (Some((stations, heights)), None) => {
                        let span = stations.first().map_or(&name.span, |s| &s.span);
                        let known = [stations, heights].map(|l| self.series(l, Quantity::Length));
                        if !self.are_known(stations.iter().chain(heights)) {
                            return None;
                        }
                        let [stations, heights] = known;
                        ((stations, heights), span)
                    }
                    (None, Some(DataFile(file))) if !alone => {
                        let lengths: &[Quantity] = &[Quantity::Length];
                        let columns = self.columns(file, "station and height", [lengths; 2])?;
                        (columns, &file.span)
                    }
                    // One of both is missed among the relations of the keys.
                    _ => return None,
                };
                match heights_along(columns, length) {
                    Ok(spline) => Profile::Table(spline),
                    Err(wrong) => {
                        let at = Located::at(path.to_string(), span.clone());
                        self.report(&at, format!("{path} {wrong}"));
                        return None;
                    }
                }
            }
        };
        Some((profile, None))
    }

    fn harmonics(
        &mut self, name: &Name, path: &str, amplitudes: &[Scalar], wavelengths: &[Scalar],
        phases: Option<&[Scalar]>,
    ) -> Option<Profile> {
        let count = amplitudes.len();
        let same = wavelengths.len() == count && phases.is_none_or(|p| p.len() == count);
        if count == 0 || !same {
            let phases = phases.map_or(String::new(), |p| format!(" and {} phases", p.len()));
            let message = format!(
                "{path} has {count} amplitudes, {} wavelengths{phases}; allowed: at least one, \
                 and as many of each",
                wavelengths.len()
            );
            self.report_entry(name, message);
            return None;
        }
        let waves = (0..count).map(|i| {
            let amplitude = self.number(&amplitudes[i]);
            let wavelength = self.number(&wavelengths[i]);
            let phase = phases.map_or(0.0, |p| self.number(&p[i]));
            Wave::of_length(amplitude, wavelength, phase)
        });
        Some(Profile::Waves(waves.collect()))
    }

    fn band(&mut self, from: &Scalar, to: &Scalar) -> [f64; 2] {
        let band = [from, to].map(|f| self.number(f));
        if band[0] >= band[1] && self.are_known([from, to]) {
            let message = format!(
                "{} is {} 1/m; allowed: above `from`, {} 1/m",
                to.path,
                figure(band[1]),
                figure(band[0])
            );
            self.report(to, message);
        }
        band
    }

    fn seed(&mut self, path: &str, seed: Option<&Scalar>) -> u64 {
        let own = format!("{path}.seed");
        self.usual_whole(seed, own) as u64
    }
}

/// The curve through stations and heights, or what is wrong with them.
fn heights_along(
    (stations, heights): (Vec<f64>, Vec<f64>), length: Option<f64>,
) -> Result<Spline, String> {
    let ends = stations.first().copied().zip(stations.last().copied());
    let counts = [stations.len(), heights.len()];
    let Some(spline) = Spline::natural(stations.clone(), heights) else {
        return Err(format!(
            "has {} stations and {} heights; allowed: at least two rows, as many heights as \
             stations, each station farther along than the one before",
            counts[0], counts[1]
        ));
    };
    if let (Some(length), Some((first, last))) = (length, ends) {
        let slack = SHORT * length;
        if first > slack || last < length - slack {
            return Err(format!(
                "has stations from {} m to {} m; allowed: from 0 or before to the end of the path, \
                 {} m, or beyond",
                figure(first),
                figure(last),
                figure(length)
            ));
        }
    }
    let smooth = (stations.iter()).all(|&s| spline.at(s).iter().all(|x| x.is_finite()));
    if smooth {
        Ok(spline)
    } else {
        Err("has heights that change too fast for their curvature to be a number".to_string())
    }
}
