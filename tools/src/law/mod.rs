//! A friction law on its own: its force, its loop and the damper and spring that act like it, as a text, as columns and as drawings.

mod characteristic;
mod hysteresis;

use std::f64::consts::TAU;

use anyhow::{Result, bail};
use comfy_table::{Table, presets};
use coulisse::laws::friction::Friction;
use coulisse::message::figure;
use coulisse::quantity::{POSITIVE, Quantity};

pub use self::characteristic::characteristic;
use self::characteristic::{POINTS, speeds};
use self::hysteresis::Swing;
use crate::number::short;
use crate::rows::{Cell, Rows};
use crate::svg::{Curve, Plot};
use crate::table::plain;

/// What a law goes through.
#[derive(Debug, clap::Args)]
pub struct Asked {
    /// Normal force, N.
    #[arg(long, value_name = "F", default_value_t = 1.0, allow_hyphen_values = true)]
    pub normal_force: f64,
    /// Largest velocity, m/s; default: a few times the velocities of the law.
    #[arg(long, value_name = "V", allow_hyphen_values = true)]
    pub velocity: Option<f64>,
    /// Largest amplitude of a law with memory, m; default: a few deflections of its bristles.
    #[arg(long, value_name = "A", allow_hyphen_values = true)]
    pub amplitude: Option<f64>,
    /// Frequency at which a law with memory is shaken, Hz.
    #[arg(long, value_name = "F", default_value_t = 1.0, allow_hyphen_values = true)]
    pub frequency: f64,
}

impl Default for Asked {
    fn default() -> Asked {
        Asked { normal_force: 1.0, velocity: None, amplitude: None, frequency: 1.0 }
    }
}

/// Rows of the table.
const ROWS: u32 = 12;

/// What is reported about a law.
pub struct Law {
    listing: String,
    table: Table,
    pub plots: [Plot; 3],
    pub columns: Columns,
}

/// Numbers with their names, in SI units; what is not known is NaN.
pub struct Columns {
    names: &'static [&'static str],
    rows: Vec<Vec<f64>>,
}

impl Columns {
    /// They as CSV.
    ///
    /// # Errors
    /// None that numbers can have.
    pub fn csv(&self) -> Result<Vec<u8>> {
        let mut rows = Rows::under(self.names.iter().copied())?;
        for row in &self.rows {
            rows.add(row.iter().copied().map(Cell::from))?;
        }
        rows.bytes()
    }
}

impl Law {
    /// Of a `law`.
    ///
    /// # Errors
    /// For numbers that are not allowed, and for those that another kind of law goes through.
    pub fn of(law: &Friction, asked: &Asked) -> Result<Law> {
        let normal_force = asked.normal_force;
        positive("--normal-force", normal_force)?;
        let listing = listing(law, normal_force);
        let Some(memory_law) = law.memory_law() else {
            if asked.amplitude.is_some() {
                bail!(
                    "--amplitude is for laws with memory, and {} has none; give the largest --velocity",
                    law.name()
                );
            }
            let velocity = asked.velocity.unwrap_or_else(|| largest_velocity(law));
            positive("--velocity", velocity)?;
            return Ok(Law {
                listing,
                table: table(law, normal_force, velocity),
                plots: plots(law, normal_force, velocity),
                columns: numbers(law, normal_force, velocity),
            });
        };
        if asked.velocity.is_some() {
            bail!(
                "--velocity is for laws of velocity, and {} has a memory; give --amplitude and \
             --frequency",
                law.name()
            );
        }
        let amplitude = asked
            .amplitude
            .unwrap_or_else(|| hysteresis::largest_amplitude(law, memory_law, normal_force));
        positive("--amplitude", amplitude)?;
        positive("--frequency", asked.frequency)?;
        let swing = Swing { law, normal_force, amplitude, frequency: asked.frequency };
        Ok(Law { listing, table: swing.table(), plots: swing.plots(), columns: swing.columns() })
    }

    /// Its numbers and its table.
    pub fn text(&self) -> String {
        format!("{}\n\n{}", self.listing, self.table.trim_fmt())
    }
}

fn positive(what: &str, value: f64) -> Result<()> {
    if POSITIVE.admit(value).is_none() {
        bail!("{what} is {}; allowed: a number from 1e-50 to 1e50", figure(value));
    }
    Ok(())
}

/// Force of steady sliding at `velocities`; at 0 that of forward sliding as it begins.
pub fn steady(law: &Friction, normal_force: f64, velocities: &[f64]) -> Columns {
    let row = |v: &f64| vec![*v, law.characteristic(*v, normal_force)];
    Columns { names: &["velocity", "force"], rows: velocities.iter().map(row).collect() }
}

/// Three times the largest velocity among the law's numbers, 1 m/s without one.
fn largest_velocity(law: &Friction) -> f64 {
    let mut largest = 0.0_f64;
    law.map(&mut |place, value| {
        if place.key.quantity == Quantity::Velocity {
            largest = largest.max(*value);
        }
        *value
    });
    if largest > 0.0 { 3.0 * largest } else { 1.0 }
}

/// Name and numbers of the law, with their meanings, and the normal force (N) that the table is for.
fn listing(law: &Friction, normal_force: f64) -> String {
    let mut table = Table::new();
    table.load_preset(presets::NOTHING);
    law.map(&mut |place, value| {
        let number = format!("{} {}", short(*value), place.key.quantity.unit());
        table.add_row([place.to_string(), number, place.key.meaning.trim().to_owned()]);
        *value
    });
    let force = short(normal_force);
    format!(
        "{}, for a normal force of {force} N (--normal-force)\n{}",
        law.name(),
        table.trim_fmt()
    )
}

/// Force and equivalent damping over the velocity and its amplitude.
fn table(law: &Friction, normal_force: f64, velocity: f64) -> Table {
    let mut table =
        plain(["v or v0, m/s", "F(v), N", "b_e(v0), N.s/m", "closed form, N.s/m"], 0..4);
    for row in 1..=ROWS {
        let v = velocity * f64::from(row) / f64::from(ROWS);
        let closed = law.closed_form(v, normal_force);
        table.add_row([
            short(v),
            short(law.characteristic(v, normal_force)),
            short(law.equivalent_damping(v, normal_force)),
            closed.map_or_else(|| "-".to_owned(), short),
        ]);
    }
    table
}

/// The same at each of the speeds that the characteristic is drawn through, but 0.
fn numbers(law: &Friction, normal_force: f64, velocity: f64) -> Columns {
    let speeds = speeds(law, velocity).into_iter().filter(|v| *v > 0.0);
    let rows = speeds.map(|v| {
        let closed = law.closed_form(v, normal_force);
        vec![
            v,
            law.characteristic(v, normal_force),
            law.equivalent_damping(v, normal_force),
            closed.unwrap_or(f64::NAN),
        ]
    });
    Columns {
        names: &["velocity", "force", "equivalent_damping", "closed_damping"],
        rows: rows.collect(),
    }
}

fn plots(law: &Friction, normal_force: f64, velocity: f64) -> [Plot; 3] {
    let curve = |points| vec![Curve { label: String::new(), points, dashed: false }];
    let cycle = (0..=4 * POINTS).map(|i| TAU * f64::from(i) / f64::from(4 * POINTS));
    let cycle = cycle.map(|tau| {
        let v = velocity * tau.cos();
        (tau.sin(), law.characteristic(v, normal_force))
    });
    let damping = speeds(law, velocity).into_iter().filter(|v| *v >= velocity / 40.0);
    let damping = damping.map(|v| (v, law.equivalent_damping(v, normal_force)));
    [
        Plot {
            to_scale: false,
            title: format!("{}, F_N = {} N", law.name(), short(normal_force)),
            x: "v, m/s".to_owned(),
            y: "F, N".to_owned(),
            curves: curve(characteristic(law, normal_force, velocity)),
        },
        Plot {
            to_scale: false,
            title: format!("one cycle, v0 = {} m/s", short(velocity)),
            x: "x / amplitude".to_owned(),
            y: "F, N".to_owned(),
            curves: curve(cycle.collect()),
        },
        Plot {
            to_scale: false,
            title: "equivalent damping".to_owned(),
            x: "v0, m/s".to_owned(),
            y: "b_e, N.s/m".to_owned(),
            curves: curve(damping.collect()),
        },
    ]
}
