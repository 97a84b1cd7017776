//! The coefficients of damping whose ratios belong to modes of the damped members and bodies.

use std::f64::consts::TAU;

use crate::checked::{Checked, Damping, DampingLaw};
use crate::laws::rayleigh::Rayleigh;
use crate::message::{figure, rounded};
use crate::modes::{Loads, Mode, Nature, Sliding, modes};
use crate::system::{RigidMotions, State, System, SystemFault};

impl System {
    /// The system of a model; where damping is given by ratios of modes, those modes are found first.
    ///
    /// # Errors
    /// When friction acts on a slider without mass, or damping refers to modes that are not there.
    pub fn build(model: &Checked) -> Result<System, SystemFault> {
        let damping: Vec<Rayleigh> = (model.damping.iter())
            .map(|entry| coefficients(model, entry))
            .collect::<Result<_, _>>()?;
        System::with_damping(model, &damping)
    }
}

/// What rotates without resistance in the whole mechanism, too, as the beginning of a message; empty where nothing does.
fn loose(model: &Checked) -> String {
    let mut whole = model.clone();
    whole.damping.clear();
    let whole = System::with_damping(&whole, &[]);
    let rotation = whole.ok().and_then(|whole| RigidMotions::of(&whole).rotation());
    rotation.map_or(String::new(), |rotation| {
        format!(
            "the mechanism has a rigid-body mode in which {rotation}: fix the rotation there, if it is clamped; if it is hinged: "
        )
    })
}

/// c_m and c_k of an entry of the damping.
fn coefficients(model: &Checked, entry: &Damping) -> Result<Rayleigh, SystemFault> {
    let (ratios, numbers) = match entry.law {
        DampingLaw::Coefficients(law) => return Ok(law),
        DampingLaw::Modes { ratios, modes } => (ratios, modes),
    };
    let fault = |what: String| SystemFault(format!("damping.{}: {what}", entry.name));
    // A part has no damping of its own.
    let part = System::with_damping(&model.part(&entry.parts), &[])?;
    let initial = State::initial(&part, &[]);
    let most = numbers[0].max(numbers[1]);
    let found = modes(&part, &initial, most, Sliding::Free, Loads::Absent)
        .map_err(|SystemFault(why)| fault(why))?;
    let mut omegas = [0.0; 2];
    for (omega, number) in omegas.iter_mut().zip(numbers) {
        let Some(mode) = found.list.get(number - 1) else {
            let there = found.list.len();
            return Err(fault(format!(
                "what it damps has only {there} modes; allowed: modes from 1 to {there}"
            )));
        };
        if mode.nature != Nature::Vibration {
            let vibrates = |m: &&Mode| m.nature == Nature::Vibration;
            let rigid = found.list.iter().filter(|m| !vibrates(m)).count();
            let parts = match &entry.parts[..] {
                [one] => one.quoted(model),
                _ => "what it damps".to_string(),
            };
            let vibrations = found.list.len() - rigid;
            let choose = match vibrations {
                0 => String::new(),
                1 => format!(" choose mode {},", rigid + 1),
                _ => format!(" choose modes = [{}, {}],", rigid + 1, rigid + 2),
            };
            return Err(fault(format!(
                "{}{parts} alone has a rigid-body mode (mode {number}, 0 Hz), as without other members and joints; \
                 support it,{choose} give `frequencies` (Hz) instead of `modes`, or write stiffness_coefficient = \"{}/(pi*f)\" alone, with a \
                 frequency f (Hz) of the mechanism, which does not damp motions as a whole",
                loose(model),
                figure(ratios[0])
            )));
        }
        *omega = mode.angular_frequency();
    }
    if (omegas[0] - omegas[1]).abs() <= 1e-6 * omegas[0] {
        return Err(fault(format!(
            "modes {} and {} of what it damps have the same frequency, {} Hz; choose two that \
             differ",
            numbers[0],
            numbers[1],
            rounded(omegas[0] / TAU, 6)
        )));
    }
    Rayleigh::through(ratios, omegas).map_err(|apart| fault(apart.to_string()))
}
