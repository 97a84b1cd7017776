//! Place and velocities at t = 0, as written.

use serde::Deserialize;
use toml::Spanned;
use toml::de::DeValue;

use super::{File, section};
use crate::checked::statics::FixedSliders;
use crate::message::excerpt;
use crate::message::{did_you_mean, listed};
use crate::model::de::{Reader, Scalar, in_file_order};
use crate::model::form::{Facts, Form, Key, Written, keys, words};

keys! {
    /// Velocities at t = 0, and whether the mechanism starts in equilibrium.
    #[derive(Default)]
    Initial {
        /// `"rest"`: at rest, but for what follows; `"rigid_mechanism"`: as the motions would move the mechanism if its members were rigid
        #[serde(default)]
        velocities: Velocities [default("rest")];
        /// `true`: a dynamic run starts from the static equilibrium under the loads, gravity and motions of t = 0 instead of from the
        /// initial configuration, with the velocities of this section. A quasi-static one always does
        #[serde(default)]
        equilibrium: bool [default("false")];
        /// which sliders keep their initial positions while that equilibrium is found: `"friction"`: those with friction; `"all"`:
        /// all, as a vehicle on a road; `"none"`: all slide freely, without friction. A slider whose position along its path motions and
        /// supports prescribe has no friction in the equilibrium
        #[serde(default)]
        fixed_sliders: FixedSliders [default("friction")];
    }
}

#[derive(Debug, Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Velocities {
    #[default]
    Rest,
    RigidMechanism,
}

words!(Velocities);

keys! {
    /// Velocities of a point.
    InitialPoint {
        /// velocity along x
        vx: Option<Scalar> [number(&[Velocity], FINITE).named(&["Velocity along x of {} at the start"])];
        /// velocity along y
        vy: Option<Scalar> [number(&[Velocity], FINITE).named(&["Velocity along y of {} at the start"])];
        /// rate of its rotation
        rotation_rate: Option<Scalar> [
            number(&[AngularVelocity], FINITE).named(&["Rate of rotation of {} at the start"])
        ];
    }
}

keys! {
    /// Velocities of a whole body.
    InitialBody {
        /// velocity along x
        vx: Option<Scalar> [number(&[Velocity], FINITE).named(&["Velocity along x of {} at the start"])];
        /// velocity along y
        vy: Option<Scalar> [number(&[Velocity], FINITE).named(&["Velocity along y of {} at the start"])];
    }
}

/// A section of named entries inside of `[initial]`.
fn named(word: &'static str, text: &'static str, what: &'static str, entry: Form) -> Key {
    let form = Form::Entries(what, Box::new(entry));
    Key { word, required: false, form, facts: Facts::of(text) }
}

/// What the section reads: settings and sections of named entries.
pub(super) fn form() -> Form {
    const POINTS: &str = "single velocities of what no support or motion holds. Of a slider one velocity is enough, the other follows from its path";
    const BODIES: &str =
        "the same for a whole body: a point and every member that is connected with it";
    let mut all = vec![
        named("points", POINTS, "point", InitialPoint::form()),
        named("bodies", BODIES, "the body of point", InitialBody::form()),
    ];
    if let Form::Table(settings, _) = Initial::form() {
        all.splice(0..0, settings);
    }
    Form::Table(all, Vec::new())
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
                "fixed_sliders" => {
                    initial.fixed_sliders =
                        reader.entry(value, "initial.fixed_sliders").unwrap_or_default();
                }
                "points" => self.initial_points = section(reader, value, "initial.points"),
                "bodies" => self.initial_bodies = section(reader, value, "initial.bodies"),
                other => {
                    let known = || {
                        ["velocities", "equilibrium", "fixed_sliders", "points", "bodies"]
                            .into_iter()
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
