//! Roughness of a joint's path, as written.

use crate::joints::roughness::IsoClass;
use crate::model::de::{DataFile, Scalar};
use crate::model::form::choice;

/// Lines of a spectrum: each costs a cosine wherever the profile is asked for.
const MOST_LINES: usize = 4096;

choice! {
    /// Roughness of a path: its height.
    Roughness {
        /// a cos(2πs/λ − φ)
        Cosine "cosine" {
            /// a
            amplitude: Scalar [number(&[Length], FINITE).named(&["Amplitude of the cosine roughness"])];
            /// λ
            wavelength: Scalar [number(&[Length], POSITIVE).named(&["Wavelength of the cosine roughness"])];
            /// φ
            phase: Option<Scalar> [
                number(&[Angle], FINITE).default("0.0").named(&["Phase of the cosine roughness"])
            ];
        };
        /// the sum of such waves: lists of the same length
        Harmonics "harmonics" {
            /// a of each
            amplitudes: Vec<Scalar> [number(&[Length], FINITE).named(&["Amplitude {row} of the roughness"])];
            /// λ of each
            wavelengths: Vec<Scalar> [number(&[Length], POSITIVE).named(&["Wavelength {row} of the roughness"])];
            /// φ of each
            phases: Option<Vec<Scalar>> [
                number(&[Angle], FINITE).default("0.0 each").named(&["Phase {row} of the roughness"])
            ];
        };
        /// Σ √(2 G Δn) cos(2πns − φ) with G(n) = G₀ (n/n₀)^−w
        Psd "psd" {
            /// G₀, that is m² per cycle/m
            reference: Scalar [
                number(&[HeightSpectrum], NOT_NEGATIVE).named(&["Reference of the psd roughness"])
            ];
            /// n₀
            reference_frequency: Scalar [
                number(&[SpatialFrequency], POSITIVE).named(&["Reference frequency of the psd roughness"])
            ];
            /// w
            exponent: Scalar [number(&[Dimensionless], FINITE).named(&["Exponent of the psd roughness"])];
            /// lower end of the band, in cycles
            from: Scalar [
                number(&[SpatialFrequency], POSITIVE).named(&["Lowest frequency of the psd roughness"])
            ];
            /// upper end of the band, in cycles
            to: Scalar [
                number(&[SpatialFrequency], POSITIVE).named(&["Highest frequency of the psd roughness"])
            ];
            /// shares of equal width Δn into which the band is cut, each with a line at its lower end
            lines: Scalar [count(1, MOST_LINES)];
            /// of the random phases φ
            seed: Option<Scalar> [number(&[Dimensionless], SEED).default("1").named(&["Seed of the psd roughness"])];
        } with {
            below("from", "to");
        };
        /// the same with a road's class
        Iso8608 "iso8608" {
            /// `"A"` (G₀ = 16·10⁻⁶ m³ at 0.1 cycle/m) to `"H"`, each four times the one before, w = 2
            class: IsoClass;
            /// lower end of the band, in cycles
            from: Scalar [
                number(&[SpatialFrequency], POSITIVE).named(&["Lowest frequency of the iso8608 roughness"])
            ];
            /// upper end of the band, in cycles
            to: Scalar [
                number(&[SpatialFrequency], POSITIVE).named(&["Highest frequency of the iso8608 roughness"])
            ];
            /// shares of equal width Δn into which the band is cut, each with a line at its lower end
            lines: Scalar [count(1, MOST_LINES)];
            /// of the random phases φ
            seed: Option<Scalar> [
                number(&[Dimensionless], SEED).default("1").named(&["Seed of the iso8608 roughness"])
            ];
        } with {
            below("from", "to");
        };
        /// a C² cubic through measured heights
        Table "table" {
            /// rising, from 0 or before to the end of the path or beyond
            stations: Option<Vec<Scalar>> [number(&[Length], FINITE).named(&["Station {row} of the roughness"])];
            /// as many
            heights: Option<Vec<Scalar>> [number(&[Length], FINITE).named(&["Height {row} of the roughness"])];
            /// instead of both: a [file](#columns-of-numbers) of two columns
            file: Option<DataFile>;
        } with {
            exactly_one(&["stations and heights", "file"]);
        };
    }
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
