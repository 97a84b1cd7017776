//! The equations solved for the rates of the states.
//!
//! Every quantity is a row over the states x and the inputs with their derivatives by time, p, ṗ, p̈, …. Coordinates without mass are no pairs
//! of states: with a damper their velocity follows from positions, without one their position does.

use nalgebra::DMatrix;

use super::equations::{Coordinate, Equations, ORDERS};
use crate::checked::Output;
use crate::sensitivity::Direction;
use crate::system::{Slider, SystemFault};

/// p and its derivatives by time up to this order.
pub(super) const JETS: usize = 5;

/// A damping coefficient relative to the largest of its kind that is rounding.
const NO_DAMPING: f64 = 1e-12;

/// A state with its path, unit, and its value and rate at the state about which the model is linear.
pub(super) struct Named {
    pub path: String,
    pub unit: &'static str,
    pub value: f64,
    pub rate: f64,
}

/// ẋ = A x + Σ B_k p⁽ᵏ⁾, y = C x + Σ D_k p⁽ᵏ⁾.
pub(super) struct Resolved {
    pub states: Vec<Named>,
    /// Of the coordinates with a mass, which are the first states.
    pub mass: DMatrix<f64>,
    pub a: DMatrix<f64>,
    pub jets: Vec<DMatrix<f64>>,
    pub c: DMatrix<f64>,
    pub feed: Vec<DMatrix<f64>>,
    /// What changes with each state and each derivative of each input.
    #[cfg(test)]
    pub directions: Vec<crate::sensitivity::Direction>,
}

/// Rows over states and inputs.
struct Frame {
    states: usize,
    inputs: usize,
}

impl Frame {
    fn width(&self) -> usize {
        self.states + JETS * self.inputs
    }

    fn jet(&self, order: usize, input: usize) -> usize {
        self.states + order * self.inputs + input
    }

    /// The rates of `rows`, where those of the states are known.
    fn rate(&self, rows: &DMatrix<f64>, states: &DMatrix<f64>) -> DMatrix<f64> {
        let mut rates = rows.columns(0, self.states) * states;
        for order in 1..JETS {
            let lower = rows.columns(self.jet(order - 1, 0), self.inputs);
            let mut own = rates.columns_mut(self.jet(order, 0), self.inputs);
            own += lower;
        }
        rates
    }

    fn split(&self, rows: &DMatrix<f64>) -> (DMatrix<f64>, Vec<DMatrix<f64>>) {
        let jets = (0..JETS).map(|k| rows.columns(self.jet(k, 0), self.inputs).into_owned());
        (rows.columns(0, self.states).into_owned(), jets.collect())
    }
}

/// Which coordinates have a mass, only a damper, or neither.
struct Kinds {
    heavy: Vec<usize>,
    damped: Vec<usize>,
    light: Vec<usize>,
}

impl Kinds {
    fn of(
        equations: &Equations, [stiffness, damping, mass]: [&DMatrix<f64>; 3],
    ) -> Result<Kinds, SystemFault> {
        let (light, heavy): (Vec<usize>, Vec<usize>) =
            (0..equations.independent()).partition(|&i| equations.massless(i));
        // √(k m) is critical damping: of what is far below it, rounding of stiffness and mass is left.
        let rounding = NO_DAMPING * (stiffness.amax() * mass.amax()).sqrt();
        let acts = |size: f64, d: f64| d.abs() > rounding.max(NO_DAMPING * size);
        let own = |i: usize, j: usize| {
            acts((damping[(i, i)] * damping[(j, j)]).abs().sqrt(), damping[(i, j)])
        };
        let (damped, light): (Vec<usize>, Vec<usize>) =
            light.into_iter().partition(|&i| acts(damping.amax(), damping[(i, i)]));
        let all = || heavy.iter().chain(&damped);
        if let Some(&i) = light.iter().find(|&&i| all().any(|&j| own(i, j) || own(j, i))) {
            return Err(SystemFault(format!(
                "{} has no mass, and dampers act on it only by the motion of others; give it a mass",
                path(equations, i)
            )));
        }
        Ok(Kinds { heavy, damped, light })
    }
}

fn coordinate(equations: &Equations, i: usize) -> Coordinate {
    equations.coordinates[equations.elimination.independent[i]]
}

/// Name of independent coordinate `i`.
fn path(equations: &Equations, i: usize) -> String {
    let (system, model) = (equations.system, equations.system.model());
    match coordinate(equations, i) {
        Coordinate::Nodal(u) => model.path_of_unknown(u, &system.nodes),
        Coordinate::Slider { index, .. } => format!("{}.position", model.path_of_slider(index)),
        Coordinate::Multiplier(_) => "moment".to_owned(),
    }
}

/// Solves `equations` for the rates of the states, and finds the `outputs`.
///
/// # Errors
/// Where they cannot be solved.
pub(super) fn resolve(
    equations: &mut Equations, outputs: &[Output],
) -> Result<Resolved, SystemFault> {
    let (f, memories) = (equations.independent(), equations.memories.len());
    let reduced = equations.reduced();
    let part = |order: usize| reduced.columns(order * f, f).into_owned();
    let [stiffness, damping, mass] = [part(0), part(1), part(2)];
    let kinds = Kinds::of(equations, [&stiffness, &damping, &mass])?;
    let Kinds { heavy, damped, light } = &kinds;
    let inputs = equations.drivers.len();
    let frame = Frame { states: 2 * heavy.len() + damped.len() + memories, inputs };
    let first_memory = 2 * heavy.len() + damped.len();
    // What stands beside M z̈ + D ż + K z.
    let mut given = DMatrix::zeros(f, frame.width());
    given.columns_mut(first_memory, memories).copy_from(&reduced.columns(ORDERS * f, memories));
    for order in 0..ORDERS {
        let from = ORDERS * f + memories + order * inputs;
        let columns = reduced.columns(from, inputs);
        given.columns_mut(frame.jet(order, 0), inputs).copy_from(&columns);
    }
    let [mut z, mut v, mut w] = [0; 3].map(|_| DMatrix::zeros(f, frame.width()));
    for (k, &i) in heavy.iter().enumerate() {
        z[(i, k)] = 1.0;
        v[(i, heavy.len() + k)] = 1.0;
    }
    for (k, &i) in damped.iter().enumerate() {
        z[(i, 2 * heavy.len() + k)] = 1.0;
    }
    let solve = |of: &DMatrix<f64>, rows: &[usize], right: DMatrix<f64>, what: &str| {
        let square = of.select_rows(rows).select_columns(rows);
        let solution = balanced(square, right.select_rows(rows));
        solution.ok_or_else(|| {
            let first = rows.first().map_or(String::new(), |&i| path(equations, i));
            SystemFault(format!("{what} (of {first} and others); there is no linear model"))
        })
    };
    let set = |of: &mut DMatrix<f64>, rows: &[usize], values: DMatrix<f64>| {
        for (k, &i) in rows.iter().enumerate() {
            of.set_row(i, &values.row(k));
        }
    };
    if let Some(joint) = on_a_node(equations, light) {
        return Err(SystemFault(format!(
            "{joint} stands on a node of its path, where a prismatic slider has no elastic moment: linearise a moment later or \
             earlier (`--at-time`), or make the path rigid"
        )));
    }
    let free = "something without mass can move without resistance";
    let right = -(&given + &stiffness * &z);
    set(&mut z, light, solve(&stiffness, light, right, free)?);
    let right = -(&given + &stiffness * &z + &damping * &v);
    set(&mut v, damped, solve(&damping, damped, right, free)?);
    let right = -(&given + &stiffness * &z + &damping * &v);
    let singular = "the mass matrix is singular: some motion carries no mass";
    set(&mut w, heavy, solve(&mass, heavy, right, singular)?);

    let mut states = DMatrix::zeros(frame.states, frame.width());
    for (k, &i) in heavy.iter().enumerate() {
        states.set_row(k, &v.row(i));
        states.set_row(heavy.len() + k, &w.row(i));
    }
    for (k, &i) in damped.iter().enumerate() {
        states.set_row(2 * heavy.len() + k, &v.row(i));
    }
    // The columns of the equations that each state and input brings.
    let combine = |motion: [&DMatrix<f64>; ORDERS]| {
        let mut combinations = DMatrix::zeros(reduced.ncols(), frame.width());
        for (order, rows) in motion.into_iter().enumerate() {
            combinations.rows_mut(order * f, f).copy_from(rows);
        }
        for k in 0..memories {
            combinations[(ORDERS * f + k, first_memory + k)] = 1.0;
        }
        for order in 0..ORDERS {
            for input in 0..inputs {
                let row = ORDERS * f + memories + order * inputs + input;
                combinations[(row, frame.jet(order, input))] = 1.0;
            }
        }
        combinations
    };
    // Nothing bears what accelerates without mass.
    equations.check(&combine([&z, &v, &w]))?;
    let mut c = DMatrix::zeros(outputs.len(), frame.width());
    // Rates of coordinates without mass follow those of what is remembered, and these follow velocities.
    let passes = if memories > 0 { 2 } else { 1 };
    for pass in 0..passes {
        let rates = frame.rate(&z, &states);
        set(&mut v, light, rates.select_rows(light));
        let rates = frame.rate(&v, &states);
        let bare: Vec<usize> = damped.iter().chain(light).copied().collect();
        set(&mut w, &bare, rates.select_rows(&bare));
        let combinations = combine([&z, &v, &w]);
        let kept = kept_memory(equations);
        let mut directions = equations.directions(&combinations);
        for (k, direction) in directions.iter_mut().enumerate() {
            if direction.is_none() {
                continue;
            }
            equations.about.vary(direction);
            for (m, &(j, place)) in equations.memories.iter().enumerate() {
                let changed = equations.about.memory(j)[place] - direction.memory[j][place];
                states[(first_memory + m, k)] = kept[m] * changed;
            }
            if pass + 1 == passes {
                let values = equations.about.outputs(outputs);
                for (row, value) in values.into_iter().enumerate() {
                    c[(row, k)] = value;
                }
            }
        }
    }
    #[cfg(test)]
    let directions = equations.directions(&combine([&z, &v, &w]));
    let (a, jets) = frame.split(&states);
    let (c, feed) = frame.split(&c);
    let mut resolved = Resolved {
        states: named(equations, &kinds),
        mass: mass.select_rows(heavy).select_columns(heavy),
        a,
        jets,
        c,
        feed,
        #[cfg(test)]
        directions,
    };
    for memory in (first_memory..frame.states).rev() {
        resolved.drop_bound(memory, heavy.len());
    }
    Ok(resolved)
}

/// A prismatic slider whose path does not turn under its moment where it stands.
fn on_a_node(equations: &Equations, light: &[usize]) -> Option<String> {
    let border = |i: &usize| match coordinate(equations, *i) {
        Coordinate::Multiplier(b) => Some(b),
        _ => None,
    };
    let system = equations.system;
    let mut sliders = light.iter().filter_map(border).filter_map(|b| {
        let range =
            |slider: &&Slider| (slider.border..=slider.border + slider.conditions()).contains(&b);
        system.sliders.iter().find(range)
    });
    let rigid = |slider: &&Slider| {
        slider.path.is_flexible()
            && slider.kinematics_in(equations.about.at()).flexibility[0] == 0.0
    };
    sliders.find(rigid).map(|slider| system.model().path_of_slider(slider.index))
}

/// The solution of `square` x = `right`, rows and columns in one measure; `None` where there is none.
fn balanced(mut square: DMatrix<f64>, mut right: DMatrix<f64>) -> Option<DMatrix<f64>> {
    if square.nrows() == 0 {
        return Some(right);
    }
    let scales: Vec<f64> = (0..square.nrows())
        .map(|i| square[(i, i)].abs())
        .map(|own| if own > 0.0 { 1.0 / own.sqrt() } else { 1.0 })
        .collect();
    for (i, scale) in scales.iter().enumerate() {
        square.row_mut(i).scale_mut(*scale);
        square.column_mut(i).scale_mut(*scale);
        right.row_mut(i).scale_mut(*scale);
    }
    let factored = square.lu();
    let diagonal = factored.u().diagonal();
    let (least, most) = (diagonal.abs().min(), diagonal.abs().max());
    if least.is_nan() || least <= 1e-13 * most {
        return None;
    }
    let mut solution = factored.solve(&right)?;
    for (i, scale) in scales.iter().enumerate() {
        solution.row_mut(i).scale_mut(*scale);
    }
    Some(solution)
}

/// Factors from the changes of what is remembered over the memory time h to rates: ln P/((P − 1) h), exact for ζ̇ = a ζ + b with P = exp(a h).
fn kept_memory(equations: &mut Equations) -> Vec<f64> {
    let h = equations.about.memory_time();
    let mut factors = Vec::new();
    for (j, place) in equations.memories.clone() {
        let mut direction = Direction::none(equations.system);
        direction.memory[j][place] = 1.0;
        equations.about.vary(&direction);
        let less = equations.about.memory(j)[place] - 1.0;
        let share = if less.abs() < 1e-12 || less <= -1.0 { 1.0 } else { less.ln_1p() / less };
        factors.push(share / h);
    }
    factors
}

impl Resolved {
    /// Drops a state of memory that is constant or follows positions, ζ̇ = Σ c ż: it holds nothing of its own.
    fn drop_bound(&mut self, memory: usize, heavy: usize) {
        let row = self.a.row(memory).clone_owned();
        let largest = row.amax();
        let driven = self.jets.iter().any(|jet| jet.row(memory).iter().any(|x| *x != 0.0));
        let rates = heavy..2 * heavy;
        let others = (0..self.a.ncols()).filter(|k| !rates.contains(k));
        let bound = others.into_iter().all(|k| row[k].abs() <= 1e-9 * largest);
        if driven || !bound {
            return;
        }
        for matrix in [&mut self.a, &mut self.c] {
            let by = matrix.column(memory).clone_owned();
            for k in 0..heavy {
                let follows = row[heavy + k];
                matrix.column_mut(k).zip_apply(&by, |x, y| *x += follows * y);
            }
        }
        let remove = |matrix: &DMatrix<f64>| matrix.clone().remove_column(memory);
        self.c = remove(&self.c);
        self.a = remove(&self.a).remove_row(memory);
        for jet in &mut self.jets {
            *jet = jet.clone().remove_row(memory);
        }
        self.states.remove(memory);
    }
}

/// The states in their order: positions and then velocities of what has mass, positions of what has a damper, what is remembered.
fn named(equations: &Equations, kinds: &Kinds) -> Vec<Named> {
    let state = &equations.about.state;
    let system = equations.system;
    let turns = |i: usize| matches!(coordinate(equations, i), Coordinate::Nodal(u) if system.is_rotation[u]);
    let place = |i: usize| match coordinate(equations, i) {
        Coordinate::Nodal(u) => Some(u),
        Coordinate::Slider { index, .. } => Some(system.sliders[index].coordinate),
        Coordinate::Multiplier(_) => None,
    };
    let of = |i: usize, values: &dyn Fn(usize) -> f64| place(i).map_or(0.0, values);
    let position = |&i: &usize| Named {
        path: path(equations, i),
        unit: if turns(i) { "rad" } else { "m" },
        value: of(i, &|u| state.q[u]),
        rate: of(i, &|u| state.velocity[u]),
    };
    let velocity = |&i: &usize| Named {
        path: format!("der({})", path(equations, i)),
        unit: if turns(i) { "rad/s" } else { "m/s" },
        value: of(i, &|u| state.velocity[u]),
        rate: of(i, &|u| state.acceleration[u]),
    };
    let mut list: Vec<Named> = kinds.heavy.iter().map(position).collect();
    list.extend(kinds.heavy.iter().map(velocity));
    list.extend(kinds.damped.iter().map(position));
    list.extend(equations.memories.iter().map(|&(j, place)| Named {
        path: format!(
            "{}.bristle{}",
            system.model().path_of_slider(j),
            if place == 0 { "" } else { "2" }
        ),
        unit: "m",
        value: state.sliders[j].memory[place],
        rate: 0.0,
    }));
    list
}
