//! Roughness of paths: every number in range, and what it needs of the path.

use super::Checker;
use super::table::Points;
use crate::joints::roughness::{MAX_SAMPLES, Profile, Roughness, Spectrum, Wave, samples};
use crate::message::{figure, rounded};
use crate::model::de::{Name, Scalar};
use crate::model::file::{self};
use crate::model::quantity::Quantity;
use crate::numerics::spline::Spline;

/// How far a table may end before its path does, relative to the path's length: rounding.
const SHORT: f64 = 1e-9;

impl file::Joint {
    /// The roughness of joint `name` on a path of the given length, where that is known; `None` where
    /// it has none.
    pub(super) fn roughness_along(
        &self, check: &mut Checker<'_>, name: &Name, length: Option<f64>,
    ) -> Option<Roughness> {
        let radius = (self.wheel_radius.as_ref()).map(|radius| (radius, check.number(radius)));
        let Some(given) = &self.roughness else {
            return None;
        };
        let path = format!("{}.roughness.{}", name.path, given.kind());
        let (profile, spectrum) = given.profile(check, name, &path, length)?;
        let length = length.filter(|_| !check.reader.is_faulty(&path))?;
        if let Profile::Waves(waves) = &profile
            && !waves.iter().all(|w| (w.amplitude * w.wavenumber * w.wavenumber).is_finite())
        {
            let message = format!("{path} has heights or curvatures that are not finite");
            return check.refuse_entry(name, message);
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
                return check.refuse(radius, message);
            }
        }
        Some(Roughness { profile, spectrum, wheel_radius: radius.map(|(_, radius)| radius) })
    }
}

impl file::Roughness {
    fn profile(
        &self, check: &mut Checker<'_>, name: &Name, path: &str, length: Option<f64>,
    ) -> Option<(Profile, Option<Spectrum>)> {
        use file::Roughness as Given;
        let of = |spectrum: Spectrum| {
            // A band out of order is found among the relations of the keys.
            let [low, high] = spectrum.band;
            (low < high).then(|| (Profile::Waves(spectrum.waves()), Some(spectrum)))
        };
        let profile = match self {
            Given::Cosine { amplitude, wavelength, phase } => {
                let phase = phase.as_ref();
                let phase = check.usual(phase, format!("{path}.phase"));
                Profile::Waves(vec![Wave::of_length(
                    check.number(amplitude),
                    check.number(wavelength),
                    phase,
                )])
            }
            Given::Harmonics { amplitudes, wavelengths, phases } => {
                let phases = phases.as_deref();
                harmonics(check, name, path, amplitudes, wavelengths, phases)?
            }
            Given::Psd { reference, reference_frequency, exponent, from, to, lines, seed } => {
                let seed = seed_of(check, path, seed.as_ref());
                let spectrum = Spectrum {
                    reference: check.number(reference),
                    reference_frequency: check.number(reference_frequency),
                    exponent: check.number(exponent),
                    band: [from, to].map(|f| check.number(f)),
                    lines: check.count(lines),
                    seed,
                };
                return of(spectrum);
            }
            Given::Iso8608 { class, from, to, lines, seed } => {
                let seed = seed_of(check, path, seed.as_ref());
                let band = [from, to].map(|f| check.number(f));
                let lines = check.count(lines);
                return of(class.spectrum(band, lines, seed));
            }
            Given::Table { stations, heights, file } => {
                let points = Points {
                    keys: ["stations", "heights"],
                    quantities: [&[Quantity::Length]; 2],
                    lists: [stations.as_deref(), heights.as_deref()],
                    file: file.as_ref(),
                };
                let (columns, at) = check.curve(name, path.to_owned(), &points)?;
                match heights_along(columns, length) {
                    Ok(spline) => Profile::Table(spline),
                    Err(wrong) => {
                        return check.refuse(&at, format!("{path} {wrong}"));
                    }
                }
            }
        };
        Some((profile, None))
    }
}

fn harmonics(
    check: &mut Checker<'_>, name: &Name, path: &str, amplitudes: &[Scalar],
    wavelengths: &[Scalar], phases: Option<&[Scalar]>,
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
        return check.refuse_entry(name, message);
    }
    let waves = (0..count).map(|i| {
        let amplitude = check.number(&amplitudes[i]);
        let wavelength = check.number(&wavelengths[i]);
        let phase = phases.map_or(0.0, |p| check.number(&p[i]));
        Wave::of_length(amplitude, wavelength, phase)
    });
    Some(Profile::Waves(waves.collect()))
}

fn seed_of(check: &mut Checker<'_>, path: &str, seed: Option<&Scalar>) -> u64 {
    let own = format!("{path}.seed");
    check.usual_whole(seed, own) as u64
}

/// The curve through stations and heights, or what is wrong with them.
fn heights_along(
    [stations, heights]: [Vec<f64>; 2], length: Option<f64>,
) -> Result<Spline, String> {
    let ends = stations.first().copied().zip(stations.last().copied());
    let no_number = "has heights that change too fast for their curvature to be a number";
    let spline = Spline::natural(stations.clone(), heights).ok_or(no_number)?;
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
    if smooth { Ok(spline) } else { Err(no_number.to_string()) }
}
