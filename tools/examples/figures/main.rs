//! The figures of the documents from runs of today:
//!
//! ```sh
//! cargo run --release -p coulisse-tools --example figures -- bridge docs/bridge
//! cargo run --release -p coulisse-tools --example figures -- friction docs/friction
//! cargo run --release -p coulisse-tools --example figures -- precision target/precision/points.csv docs/precision
//! cargo run --release -p coulisse-tools --example figures -- quick-return docs/quick_return
//! cargo run --release -p coulisse-tools --example figures -- sampling docs/fmu
//! ```

mod bridge;
mod friction;
mod precision;
mod quick_return;
mod sampling;

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use clap::{Parser, Subcommand};
use coulisse_tools::{number, svg};

use crate::svg::{Plot, drawing};

#[derive(Parser)]
struct Cli {
    #[command(subcommand)]
    figures: Figures,
}

#[derive(Subcommand)]
enum Figures {
    /// Run the bundled vehicle on its bridge on three roads, with friction and without, print what became of
    /// it and draw Figs. 18 to 22 of Siqueira & Coda (2023).
    Bridge(bridge::Request),
    /// Draw Figs. 6-15, 17-22 and 25-29 of Půst, Pešek & Radolfová (2011), and the Rabinowicz test under
    /// every law.
    Friction {
        /// Folder that takes the figures.
        folder: PathBuf,
    },
    /// Draw errors against CPU time, of what `benches/precision/run` has measured.
    Precision {
        /// Its table of points.
        table: PathBuf,
        /// Folder that takes the figures.
        folder: PathBuf,
    },
    /// Run one cycle of the quick return of plane solids and of that of frames, a minute, and draw both.
    QuickReturn {
        /// Folder that takes the figure.
        folder: PathBuf,
    },
    /// Draw what sampling does in Model Exchange.
    Sampling {
        /// Folder that takes the figure.
        folder: PathBuf,
    },
}

fn main() -> Result<()> {
    match Cli::parse().figures {
        Figures::Bridge(request) => println!("{}", bridge::perform(&request)?),
        Figures::Friction { folder } => write(&folder, &friction::figures()?)?,
        Figures::Precision { table, folder } => write(&folder, &precision::figures(&table)?)?,
        Figures::QuickReturn { folder } => write(&folder, &quick_return::figures()?)?,
        Figures::Sampling { folder } => write(&folder, &sampling::figures()?)?,
    }
    Ok(())
}

/// Writes drawings of plots, each under its name, into a folder.
fn write(folder: &Path, figures: &[(String, Vec<Plot>)]) -> Result<()> {
    std::fs::create_dir_all(folder).with_context(|| folder.display().to_string())?;
    for (name, plots) in figures {
        let path = folder.join(format!("{name}.svg"));
        std::fs::write(&path, drawing(plots)).with_context(|| path.display().to_string())?;
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_figures_of_friction_in_the_documents_are_those_of_today() {
        let figures = friction::figures().unwrap();
        assert_eq!(figures.len(), 22, "Figs. 6-15, 17-22, 25-29 and that of all laws");
        are_kept("friction", figures);
    }

    #[test]
    fn the_figure_of_sampling_in_the_documents_is_that_of_today() {
        are_kept("fmu", sampling::figures().unwrap());
    }

    fn are_kept(folder: &str, figures: Vec<(String, Vec<Plot>)>) {
        let docs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs");
        let kept = docs.join(folder);
        for (name, plots) in figures {
            let now = drawing(&plots);
            let then =
                std::fs::read_to_string(kept.join(format!("{name}.svg"))).unwrap_or_default();
            assert!(
                now == then,
                "{name} differs; if the new one is better, see the head of this file"
            );
            assert!(!now.contains("NaN") && !now.contains("inf"));
        }
    }

    #[test]
    fn the_vehicle_runs_on_three_roads_with_friction_and_without_and_its_figures_are_drawn() {
        let request = bridge::Request { folder: None, stop: 0.05, seed: None, unilateral: false };
        let runs = bridge::runs(&request).unwrap();
        let told = bridge::table(&runs).trim_fmt();
        for (road, count) in [("smooth", 2), ("class A", 2), ("class B", 2)] {
            let rows = told.lines().filter(|l| l.trim_start().starts_with(road));
            assert_eq!(rows.count(), count, "{told}");
        }
        // Curves: road and wheel of two roads; six runs; the same in two halves, twice; three forces.
        let wanted = [("fig18", 4), ("fig19", 6), ("fig20", 6), ("fig21", 6), ("fig22", 3)];
        for ((name, plots), wanted) in bridge::figures(&runs, &request).unwrap().iter().zip(wanted)
        {
            let drawing = drawing(plots);
            assert_eq!((name.as_str(), drawing.matches("class=\"c\"").count()), wanted);
            assert!(!drawing.contains("NaN"));
        }
    }

    #[test]
    fn an_end_before_the_beginning_is_refused() {
        let request = bridge::Request { folder: None, stop: -1.0, seed: None, unilateral: false };
        let said = bridge::runs(&request).err().unwrap();
        assert!(format!("{said:#}").contains("--stop is -1; allowed: a finite number above 0"));
    }
}
