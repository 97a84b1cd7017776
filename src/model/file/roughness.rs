//! Roughness of a joint's path, as written.

use serde::Deserialize;

use crate::joints::roughness::IsoClass;
use crate::model::de::{DataFile, Scalar};

#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Roughness {
    Cosine {
        amplitude: Scalar,
        wavelength: Scalar,
        phase: Option<Scalar>,
    },
    Harmonics {
        amplitudes: Vec<Scalar>,
        wavelengths: Vec<Scalar>,
        phases: Option<Vec<Scalar>>,
    },
    Psd {
        reference: Scalar,
        reference_frequency: Scalar,
        exponent: Scalar,
        from: Scalar,
        to: Scalar,
        lines: Scalar,
        seed: Option<Scalar>,
    },
    Iso8608 {
        class: IsoClass,
        from: Scalar,
        to: Scalar,
        lines: Scalar,
        seed: Option<Scalar>,
    },
    Table {
        stations: Option<Vec<Scalar>>,
        heights: Option<Vec<Scalar>>,
        file: Option<DataFile>,
    },
}

impl Roughness {
    /// The kind's name in the file.
    pub fn kind(&self) -> &'static str {
        match self {
            Roughness::Cosine { .. } => "cosine",
            Roughness::Harmonics { .. } => "harmonics",
            Roughness::Psd { .. } => "psd",
            Roughness::Iso8608 { .. } => "iso8608",
            Roughness::Table { .. } => "table",
        }
    }
}
