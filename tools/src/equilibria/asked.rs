//! What is asked of a path of equilibria, as the command line says it.

use anyhow::{Result, anyhow, bail};
use clap::{Args, ValueEnum};
use coulisse::model::checked::Checked;
use coulisse::model::statics::{Branch, Control, FixedSliders, Scaled, StaticPath, Steered};

use crate::number::whole;

/// Factor of the loads of a file without `[static]`.
const AS_WRITTEN: f64 = 1.0;

/// What differs from the path of the model file; nothing is the path as the file has it.
#[derive(Debug, Default, Args)]
pub struct Asked {
    /// What increases: `loads`, `loads.NAME`, `gravity` or `motions.NAME`; may be repeated.
    #[arg(long, value_name = "NAME")]
    scale: Vec<String>,
    /// What is prescribed from step to step.
    #[arg(long, value_enum)]
    control: Option<ControlName>,
    /// Quantity of displacement control and of the drawing, like points.tip.y or probes.NAME.
    #[arg(long, value_name = "NAME")]
    quantity: Option<String>,
    /// End of the path: the factor, or the quantity under displacement control. Without it and without [static] the loads as
    /// written: 1.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    to: Option<f64>,
    /// First step, in the unit of `--to`.
    #[arg(long, value_name = "VALUE", allow_hyphen_values = true)]
    first_step: Option<f64>,
    /// Largest move between two points, relative to the mechanism's size.
    #[arg(long, value_name = "SHARE", allow_hyphen_values = true)]
    largest_move: Option<f64>,
    /// Largest number of points.
    #[arg(long, value_name = "N", allow_hyphen_values = true, value_parser = whole)]
    points: Option<usize>,
    /// Continue on the other branch at the first bifurcation point, on this side of it.
    #[arg(long, value_enum, value_name = "SIDE", num_args = 0..=1, default_missing_value = "plus")]
    switch: Option<BranchName>,
    /// Sliders that keep their positions.
    #[arg(long, value_enum)]
    fixed_sliders: Option<FixedSlidersName>,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum ControlName {
    Load,
    Displacement,
    #[value(name = "arc_length", alias = "arc")]
    ArcLength,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum BranchName {
    Plus,
    Minus,
}

#[derive(Debug, Clone, Copy, ValueEnum)]
enum FixedSlidersName {
    Friction,
    All,
    None,
}

impl Asked {
    /// The path of the model file, until another end where one is given.
    pub fn until(to: Option<f64>) -> Asked {
        Asked { to, ..Asked::default() }
    }

    /// The path of the file with what is asked instead; messages name the `file`.
    ///
    /// # Errors
    /// When a name or a number is not allowed, or they contradict each other.
    pub fn path(&self, model: &Checked, file: &str) -> Result<StaticPath> {
        let mut path = match (&model.statics, self.to) {
            (Some(path), _) => path.clone(),
            (None, to) => StaticPath::new(model, to.unwrap_or(AS_WRITTEN)),
        };
        if !self.scale.is_empty() {
            path.scaled.clear();
            for name in &self.scale {
                let scaled =
                    Scaled::named(model, name).map_err(|text| anyhow!("--scale: {text}"))?;
                path.scaled.extend(scaled);
            }
        }
        if let Some(control) = self.control {
            path.control = match control {
                ControlName::Load => Control::Load,
                ControlName::Displacement => Control::Displacement,
                ControlName::ArcLength => Control::ArcLength,
            };
        }
        if let Some(name) = &self.quantity {
            let steered =
                Steered::named(model, name).map_err(|text| anyhow!("--quantity: {text}"))?;
            path.quantity = Some(steered);
        }
        if let Some(to) = self.to {
            path.to = finite("--to", to)?;
        }
        if let Some(step) = self.first_step {
            path.first_step = Some(positive("--first-step", step)?);
        }
        if let Some(share) = self.largest_move {
            path.largest_move = positive("--largest-move", share)?;
        }
        if let Some(points) = self.points {
            if !StaticPath::ALLOWED_POINTS.contains(&points) {
                let [least, most] =
                    [StaticPath::ALLOWED_POINTS.start(), StaticPath::ALLOWED_POINTS.end()];
                bail!("--points is {points}; allowed: a whole number from {least} to {most}");
            }
            path.points = points;
        }
        path.switch = match self.switch {
            Some(BranchName::Plus) => Some(Branch::Plus),
            Some(BranchName::Minus) => Some(Branch::Minus),
            None => path.switch,
        };
        path.fixed_sliders = match self.fixed_sliders {
            Some(FixedSlidersName::Friction) => FixedSliders::Friction,
            Some(FixedSlidersName::All) => FixedSliders::All,
            Some(FixedSlidersName::None) => FixedSliders::None,
            None => path.fixed_sliders,
        };
        let is_factor = path.scaled.iter().all(|scaled| !matches!(scaled, Scaled::Motion(_)))
            && path.control != Control::Displacement;
        if model.statics.is_none() && self.to.is_none() && !is_factor {
            bail!(
                "{} has no [static] section: give the end of the path with --to, the displacement of the motion or the quantity \
                 (m or rad)",
                file
            );
        }
        match path.contradiction(model) {
            Some(text) => Err(anyhow!(text)),
            None => Ok(path),
        }
    }
}

fn finite(option: &str, value: f64) -> Result<f64> {
    if !value.is_finite() {
        bail!("{option} is {value}; allowed: a finite number");
    }
    Ok(value)
}

fn positive(option: &str, value: f64) -> Result<f64> {
    if !(value.is_finite() && value > 0.0) {
        bail!("{option} is {value}; allowed: a finite number above 0");
    }
    Ok(value)
}
