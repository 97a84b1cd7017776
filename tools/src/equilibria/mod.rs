//! Paths of equilibria with their limit and bifurcation points, in words, as rows and as drawings.

mod asked;
mod columns;
mod report;

use anyhow::Result;
use coulisse::continuation::{Ended, Point, Station, follow};
use coulisse::fmu::Blueprint;
use coulisse::model::checked::{Checked, OutputVariable};
use coulisse::model::statics::StaticPath;
use coulisse::numerics::positions::Positions;
use coulisse::start::locked_beyond_friction;
use coulisse::system::{ActingForces, Look, System};

pub use self::asked::Asked;
use self::columns::columns;
use crate::drawing::{Diagram, draw_at, svg};
use crate::number::short;
use crate::warnings;

/// A point with the values of the model's outputs.
pub struct Row {
    station: Station,
    pub factor: f64,
    pub unstable: u32,
    /// Whether it locks a joint with more than its friction bears.
    overloaded: bool,
    pub values: Vec<f64>,
}

/// A path that has been followed, from its first equilibrium to where it ends.
pub struct Equilibria<'a> {
    system: &'a System,
    path: StaticPath,
    pub outputs: Vec<OutputVariable>,
    rows: Vec<Row>,
    /// Where the mechanism is at its end, and what acts on it there.
    last: Option<(Positions, ActingForces)>,
    /// What makes its end doubtful: joints that are locked with more than their friction bears, and a mesh that is too coarse.
    pub doubts: Vec<String>,
    ended: Ended,
}

impl<'a> Equilibria<'a> {
    /// Follows a path; `names` choose the outputs, which are those of the model that mean something in statics where there are none.
    ///
    /// # Errors
    /// When the mechanism cannot be built or has no equilibrium to begin with; for a name of no output.
    pub fn of(
        blueprint: &'a Blueprint, path: StaticPath, names: &[String],
    ) -> Result<Equilibria<'a>> {
        let checked = blueprint.checked();
        let outputs = columns(names, checked, &path)?;
        let inputs: Vec<f64> = checked.inputs.iter().map(|input| input.start).collect();
        let system = &blueprint.built()?.system;
        let (mut rows, mut doubts, mut last) = (Vec::new(), Vec::new(), None);
        let mut keep = |point: Point<'_>| {
            rows.push(row(system, &outputs, &point));
            last = Some((point.state.q.clone(), ActingForces::of(point.state)));
            let when = format!("at the factor {}", short(point.factor));
            doubts =
                warnings::of_equilibrium(system, point.state, &format!("the equilibrium {when}"));
            doubts.extend(warnings::of_state(system, point.state, &when));
        };
        let ended = follow(system, &inputs, &path, &mut keep)
            .map_err(|fault| blueprint.model().faults(&fault))?;
        Ok(Equilibria { system, path, outputs, rows, last, doubts, ended })
    }

    fn model(&self) -> &Checked {
        self.system.model()
    }

    /// The point at which it ends.
    pub fn end(&self) -> Option<&Row> {
        self.rows.last()
    }

    /// Its last point alone.
    pub fn into_end(mut self) -> Option<Row> {
        self.rows.pop()
    }

    /// Why it ends before its end, if it does.
    pub fn ended(&self) -> Early<'_> {
        match &self.ended {
            Ended::Reached => Early::No,
            Ended::Points => Early::Points(self.path.points),
            Ended::Stuck(why) => Early::Stuck(why),
        }
    }

    /// The mechanism at its end as SVG, with names, and with a diagram of a section force along elastic members.
    pub fn picture(&self, diagram: Option<Diagram>) -> Option<String> {
        let end = self.end()?;
        let (q, acting) = self.last.as_ref()?;
        let look = Look::new(self.system, q, acting);
        let scene = draw_at(self.system, q, diagram.map(|diagram| (diagram, &look)));
        let title = format!("{} at the factor {}", self.model().name, short(end.factor));
        Some(svg(&scene, &title))
    }
}

/// Whether a path ends early.
pub enum Early<'a> {
    No,
    /// It has as many points as it may.
    Points(usize),
    /// No step leads on, and why.
    Stuck(&'a str),
}

fn row(system: &System, outputs: &[OutputVariable], point: &Point<'_>) -> Row {
    let values = outputs.iter().map(|o| system.read(point.state, o.output));
    Row {
        station: point.station,
        factor: point.factor,
        unstable: point.state.unstable_modes,
        overloaded: !locked_beyond_friction(system, point.state).is_empty(),
        values: values.collect(),
    }
}
