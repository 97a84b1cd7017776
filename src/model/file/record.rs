//! A record of ground motion, as written.

use crate::model::de::{DataFile, Name, Scalar};
use crate::model::form::keys;
use crate::records::Baseline;

keys! {
    /// A measured or synthetic ground motion.
    Record {
        /// in the model's folder or below; it travels in the FMU. The formats are [below](#formats-of-records)
        file: DataFile;
        /// unit of the values, whatever the file states: `"g"` (9.80665 m/s²), `"cm/s2"`, `"gal"`, `"m/s"`, `"mm"` and so on; what was
        /// recorded follows from it, too. Nothing is guessed
        unit: Option<Name> [default("that of the file")];
        /// unit of a column of times, whatever the file states: `"ms"`, `"min"`
        time_unit: Option<Name> [default("that of the file, or s")];
        /// time from value to value; for files of numbers without times, and only these
        step: Option<Scalar> [number(&[Time], POSITIVE).named(&["Time step of the record"])];
        /// factor
        scale: Option<Scalar> [
            number(&[Dimensionless], FINITE).default("1.0").named(&["Factor of the record"])
        ];
        /// when time 0 of the record is
        start: Option<Scalar> [number(&[Time], FINITE).default("0.0").named(&["Beginning of the record"])];
        /// what is taken away first: `"mean"`, `"linear"`, `"quadratic"` (least squares, from what was recorded), `"rest"` (from an
        /// acceleration: the straight line with which the ground comes to rest where it was)
        #[serde(default)]
        baseline: Baseline [default("none")];
    }
}
