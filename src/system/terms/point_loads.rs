//! Loads at points: their forces and work.

use crate::checked::history::Factors;
use crate::checked::{Checked, Direction};
use crate::nodes::Nodes;
use crate::system::numbers::{Number, Numbers};
use crate::system::{Instant, State};

/// All loads at points of a mechanism.
#[derive(Debug, Clone)]
pub(crate) struct PointLoads {
    /// In the order of the model.
    pub list: Vec<PointLoad>,
}

/// The components F_x, F_y and M of a load.
#[derive(Debug, Clone)]
pub(crate) struct PointLoad {
    /// Unknowns that they act on.
    pub unknowns: [Option<usize>; 3],
    /// As written.
    components: [f64; 3],
    /// Inputs that give them.
    pub inputs: [Option<usize>; 3],
    /// How they change with time.
    factors: Factors<3>,
}

impl PointLoad {
    /// A component without its history, where `input(i)` is the value of input i.
    pub fn component<D: Number>(&self, component: usize, input: impl Fn(usize) -> D) -> D {
        let written = self.components[component];
        self.inputs[component].map_or_else(|| D::from(written), input)
    }
}

impl PointLoads {
    /// The loads of a model, where `inputs` give components.
    pub fn of(model: &Checked, nodes: &Nodes, inputs: &[[Option<usize>; 3]]) -> PointLoads {
        let all = model.loads.iter().zip(inputs).map(|(load, &inputs)| PointLoad {
            unknowns: [Direction::X, Direction::Y, Direction::Rotation]
                .map(|d| nodes.of_point(load.point, load.member, d)),
            components: load.components,
            inputs,
            factors: load.factors.clone(),
        });
        PointLoads { list: all.collect() }
    }

    /// Hands the loads at `time` to `add`.
    pub fn each_force<D: Number>(
        &self, time: f64, input: impl Fn(usize) -> D, mut add: impl FnMut(usize, D),
    ) {
        for load in &self.list {
            for (component, unknown) in load.unknowns.iter().enumerate() {
                if let Some(u) = unknown {
                    add(*u, load.component(component, &input) * load.factors.at(component, time));
                }
            }
        }
    }

    /// Work of the loads from `state` to the positions `q` at `end` by the trapezoidal rule, J.
    pub fn work<N: Numbers<State>>(
        &self, state: &N, end: Instant, q: impl Fn(usize) -> N::Number,
    ) -> N::Number {
        let signal = |i: usize, tau: f64| state.get(|s| s.signals[i].at(tau)[0]);
        let mut work = N::Number::from(0.0);
        for load in &self.list {
            for (component, unknown) in load.unknowns.iter().enumerate() {
                if let Some(u) = unknown {
                    let [before, after] =
                        [state.now().time, end.time].map(|t| load.factors.at(component, t));
                    let first = load.component(component, |i| signal(i, end.elapsed_before));
                    let last = load.component(component, |i| signal(i, end.elapsed));
                    let mean = (first * before + last * after) * 0.5;
                    work += mean * (q(*u) - state.get(|s| s.q[*u]));
                }
            }
        }
        work
    }
}
