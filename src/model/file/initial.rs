//! Place and velocities at t = 0, as written.

use serde::Deserialize;
use toml::Spanned;
use toml::de::DeValue;

use super::{File, section};
use crate::checked::statics::HeldSliders;
use crate::message::excerpt;
use crate::message::{did_you_mean, listed};
use crate::model::de::form::{self, Form, Key};
use crate::model::de::{Reader, Scalar, in_file_order};

#[derive(Debug, Clone, Deserialize, Default)]
pub struct Initial {
    #[serde(default)]
    pub velocities: Velocities,
    /// Whether the start is the static equilibrium, and which sliders are held for it.
    #[serde(default)]
    pub equilibrium: bool,
    #[serde(default)]
    pub held_sliders: HeldSliders,
}

#[derive(Debug, Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Velocities {
    #[default]
    Rest,
    RigidMechanism,
}

#[derive(Debug, Clone, Deserialize)]
pub struct InitialPoint {
    pub vx: Option<Scalar>,
    pub vy: Option<Scalar>,
    pub rotation_rate: Option<Scalar>,
}

#[derive(Debug, Clone, Deserialize)]
pub struct InitialBody {
    pub vx: Option<Scalar>,
    pub vy: Option<Scalar>,
}

/// The sections of named entries inside of `[initial]`.
const SECTIONS: [&str; 2] = ["points", "bodies"];

/// What the section reads: settings and sections of named entries.
pub(super) fn form() -> Form {
    let mut keys = match form::of::<Initial>() {
        Form::Table(keys) => keys,
        _ => Vec::new(),
    };
    let entries = [form::of::<InitialPoint>(), form::of::<InitialBody>()];
    let sections = SECTIONS.into_iter().zip(entries);
    keys.extend(sections.map(|(word, entry)| Key {
        word,
        required: false,
        form: Form::Entries(Box::new(entry)),
    }));
    Form::Table(keys)
}

impl File {
    pub(super) fn read_initial(&mut self, reader: &Reader<'_>, value: &Spanned<DeValue<'_>>) {
        let DeValue::Table(table) = value.get_ref() else {
            reader.report_of("initial", &value.span(), "initial is not a table".to_string());
            return;
        };
        let mut initial = Initial::default();
        for (key, value) in in_file_order(table) {
            match key.get_ref().as_ref() {
                "velocities" => {
                    initial.velocities =
                        reader.entry(value, "initial.velocities").unwrap_or_default();
                }
                "equilibrium" => {
                    initial.equilibrium =
                        reader.entry(value, "initial.equilibrium").unwrap_or_default();
                }
                "held_sliders" => {
                    initial.held_sliders =
                        reader.entry(value, "initial.held_sliders").unwrap_or_default();
                }
                "points" => self.initial_points = section(reader, value, "initial.points"),
                "bodies" => self.initial_bodies = section(reader, value, "initial.bodies"),
                other => {
                    let known = || {
                        let settings = ["velocities", "equilibrium", "held_sliders"];
                        settings.into_iter().chain(SECTIONS)
                    };
                    let message = format!(
                        "unknown key `{}` in initial; allowed: {}{}",
                        excerpt(other),
                        listed(known()),
                        did_you_mean(other, known())
                    );
                    reader.report_of(&format!("initial.{other}"), &key.span(), message);
                }
            }
        }
        self.initial = Some(initial);
    }
}
