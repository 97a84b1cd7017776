//! Springs between points: what they measure, and their forces in the equations of motion.
//!
//! A spring with the force F along its measure m(q) adds F ∂m/∂q to the equations, with the tangent
//!
//! ```text
//! (∂F/∂m + ∂F/∂ṁ c) g gᵀ + F H + ∂F/∂ṁ g (H q̇)ᵀ,    g = ∂m/∂q,  H = ∂²m/∂q²,  c = ∂q̇/∂q
//! ```
//!
//! A bushing is several of them: its stiffness and its damping are sums of squares of what they measure.

use num_dual::{Dual64, DualStruct};

use super::Term;
use super::measure::{MOST, Measure, Measured};
use crate::checked::Checked;
use crate::laws::spring::{Answer, Begun, Setting, Spring};
use crate::linear::Bordered;
use crate::nodes::Nodes;
use crate::numerics::cubic::Cubic;
use crate::numerics::positions::Positions;
use crate::system::equations::Equations;
use crate::system::numbers::{Number, Numbers, flow_velocity};
use crate::system::{Given, Instant, Iterate, State, Workspace};

/// All springs of a mechanism.
#[derive(Debug, Clone)]
pub(crate) struct Springs {
    /// In the order of the model.
    pub list: Vec<PlacedSpring>,
}

/// A spring in terms of unknowns.
#[derive(Debug, Clone)]
pub(crate) struct PlacedSpring {
    pub measure: Measure,
    pub law: Spring,
    /// Inputs that give m₀, k, c and F_a.
    pub inputs: [Option<usize>; 4],
    /// What these are multiplied by.
    unit: [f64; 4],
    /// Inputs that move m₀, with how far it follows and their values in the file.
    moved: Vec<(usize, f64, f64)>,
}

impl PlacedSpring {
    /// Whether it resists a motion along its measure, in statics, too.
    pub fn holds(&self) -> bool {
        self.law.springs() || self.law.slip.is_some()
    }

    /// At rest where the unknowns have their `initial` values, with the numbers of the file.
    pub fn initial(&self, initial: &Positions) -> Begun {
        Begun { anchor: self.measure.at(initial).value, setting: self.law.setting }
    }

    /// Without a force where the unknowns have their `initial` values: the linear spring that it is about there.
    pub fn relaxed(&self, initial: &[f64]) -> PlacedSpring {
        let begun = self.initial(&Positions::from(initial));
        let slope = self.law.answer(begun.anchor, 0.0, &begun).by_measure;
        PlacedSpring {
            measure: self.measure,
            law: Spring::linear(begun.anchor, slope.max(0.0)),
            inputs: [None; 4],
            unit: self.unit,
            moved: Vec::new(),
        }
    }

    /// Most entries of its tangent beside the symmetric part: those of a damper along a line that turns.
    pub fn beside(&self) -> usize {
        if self.measure.bends() && self.damps() { MOST * MOST } else { 0 }
    }

    /// Whether its force follows from velocities.
    pub fn damps(&self) -> bool {
        self.law.damps(self.inputs[2].is_some())
    }

    /// Its numbers where `input(i)` is the value of input i.
    pub fn setting<D: Number>(&self, input: impl Fn(usize) -> D) -> Setting<D> {
        let own = &self.law.setting;
        let [free, stiffness, damping, force] = [own.free, own.stiffness, own.damping, own.force];
        let given = |k: usize, i: usize| input(i) * self.unit[k];
        let of = |k: usize, written: f64| self.inputs[k].map_or(D::from(written), |i| given(k, i));
        let moved = self.moved.iter();
        let moved = moved.map(|&(i, share, written)| (input(i) - written) * share);
        // Between two values that are allowed a signal may overshoot.
        let positive = |x: D| if x.re() >= 0.0 { x } else { D::zero() };
        Setting {
            free: of(0, free) + moved.sum::<D>(),
            stiffness: positive(of(1, stiffness)),
            damping: positive(of(2, damping)),
            force: of(3, force),
        }
    }

    /// Whether inputs give numbers of it.
    fn is_driven(&self) -> bool {
        self.inputs.iter().any(Option::is_some) || !self.moved.is_empty()
    }

    /// What it does where it is `measured` with the `rate`, in a step that has `begun` so.
    fn found<D: Number>(&self, measured: Measured<D>, rate: D, begun: &Begun<D>) -> Found<D> {
        let answer = self.law.answer(measured.value, rate, begun);
        Found { measured, rate, answer }
    }
}

/// A spring where it is evaluated.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Found<D = f64> {
    pub measured: Measured<D>,
    /// ṁ.
    pub rate: D,
    pub answer: Answer<D>,
}

/// What a spring does in a step, J.
#[derive(Debug, Clone, Copy)]
pub(crate) struct SpringWork<D = f64> {
    /// What its slip element takes, with what that stores.
    pub friction_work: D,
    /// What the mechanism feels of it by the trapezoidal rule, without that.
    pub numerical: D,
    /// Work of its damper by the trapezoidal rule.
    pub damping_work: D,
}

impl<D: Number> SpringWork<D> {
    /// No work.
    pub fn none() -> SpringWork<D> {
        let zero = D::zero();
        SpringWork { friction_work: zero, numerical: zero, damping_work: zero }
    }

    /// With that of another spring.
    pub fn plus(self, other: SpringWork<D>) -> SpringWork<D> {
        SpringWork {
            friction_work: self.friction_work + other.friction_work,
            numerical: self.numerical + other.numerical,
            damping_work: self.damping_work + other.damping_work,
        }
    }
}

impl Springs {
    /// The springs of a model.
    pub fn of(model: &Checked, nodes: &Nodes, given: &Given) -> Springs {
        let springs = model.springs.iter().zip(&given.springs).zip(&given.frees);
        let placed = springs.filter_map(|((spring, &inputs), moved)| {
            Some(PlacedSpring {
                measure: Measure::of(&spring.between, model, nodes)?,
                law: spring.law.clone(),
                inputs,
                unit: spring.unit,
                moved: moved.clone(),
            })
        });
        Springs { list: placed.collect() }
    }

    /// Whether the force of any of them follows from velocities.
    pub fn damp(&self) -> bool {
        self.list.iter().any(PlacedSpring::damps)
    }

    /// Gives all springs of an iterate their numbers, where `input(i)` is the value of input i.
    pub fn set(&self, input: impl Fn(usize) -> f64, springs: &mut [Begun]) {
        for (spring, begun) in self.list.iter().zip(springs) {
            begun.setting = spring.setting(&input);
        }
    }

    /// Gives all springs the changes of their numbers, where `input(i)` is the value of input i with its change.
    pub fn set_change(&self, input: impl Fn(usize) -> Dual64, springs: &mut [Begun]) {
        for (spring, begun) in self.list.iter().zip(springs) {
            let Setting { free, stiffness, damping, force } = spring.setting(&input);
            begun.setting = Setting {
                free: free.eps,
                stiffness: stiffness.eps,
                damping: damping.eps,
                force: force.eps,
            };
        }
    }

    /// Spring `i` of an iterate.
    pub fn at<N: Numbers<Iterate>>(&self, i: usize, at: &N) -> Found<N::Number> {
        let begun = |of: fn(&Begun) -> f64| at.get(|at| of(&at.springs[i]));
        let begun = Begun {
            anchor: begun(|begun| begun.anchor),
            setting: Setting {
                free: begun(|begun| begun.setting.free),
                stiffness: begun(|begun| begun.setting.stiffness),
                damping: begun(|begun| begun.setting.damping),
                force: begun(|begun| begun.setting.force),
            },
        };
        let spring = &self.list[i];
        let measured = spring.measure.evaluate(at);
        let rate = match at.now().flow.factor {
            0.0 => N::Number::from(0.0),
            _ => measured.along(|u| flow_velocity(at, u)),
        };
        spring.found(measured, rate, &begun)
    }

    /// Spring `i` of a state, where `input(k)` is the value of input k.
    pub fn of_state<N: Numbers<State>>(
        &self, i: usize, state: &N, input: impl Fn(usize) -> N::Number,
    ) -> Found<N::Number> {
        let spring = &self.list[i];
        let begun =
            Begun { anchor: state.get(|s| s.springs[i].anchor), setting: spring.setting(input) };
        let measured = spring.measure.evaluate(state);
        spring.found(measured, measured.along(|u| state.get(|s| s.velocity[u])), &begun)
    }

    /// Work of spring `i` over the step from `state` to the iterate `at`, where it was `found`.
    pub fn work<N: Numbers<State>>(
        &self, i: usize, state: &N, at: &impl Numbers<Iterate, Number = N::Number>,
        found: &Answer<N::Number>, end: Instant,
    ) -> SpringWork<N::Number> {
        let spring = &self.list[i];
        let damps = at.now().flow.factor != 0.0 && spring.damps();
        if spring.law.slip.is_none() && !damps {
            return SpringWork::none();
        }
        let input = |k: usize| state.get(|s| s.signals[k].at(end.elapsed_before)[0]);
        let before = self.of_state(i, state, input);
        let way = spring.measure.evaluate(at).value - before.measured.value;
        let friction_work = found.dissipated + found.stored - state.get(|s| s.springs[i].stored);
        let mean = |ends: [N::Number; 2]| (ends[0] + ends[1]) * 0.5;
        let damped = mean([before.answer.damper, found.damper]) * way;
        SpringWork {
            friction_work,
            numerical: mean([before.answer.friction, found.friction]) * way - friction_work,
            // A damper only takes: where a step does not resolve its force, the balance has to say so.
            damping_work: if damps && damped.re() > 0.0 { damped } else { N::Number::from(0.0) },
        }
    }

    /// Potential of all springs at the positions `q` with these numbers, J.
    pub fn energy(&self, q: &Positions, setting: impl Fn(usize) -> Setting) -> f64 {
        let springs = self.list.iter().enumerate();
        springs.map(|(i, spring)| spring.law.energy(spring.measure.at(q).value, &setting(i))).sum()
    }

    /// Potential of all springs of a state, J.
    pub fn stored<N: Numbers<State>>(&self, state: &N) -> N::Number {
        let one = |spring: &PlacedSpring| {
            let setting = spring.setting(|k| state.get(|s| s.reached[k][0]));
            spring.law.energy(spring.measure.evaluate(state).value, &setting)
        };
        self.list.iter().map(one).sum()
    }

    /// Potential of the forces of actuators at the positions `q` with these numbers, J.
    pub fn energy_of_actuators(&self, q: &Positions, setting: impl Fn(usize) -> Setting) -> f64 {
        let springs = self.list.iter().enumerate();
        springs.map(|(i, spring)| setting(i).force * spring.measure.at(q).value).sum()
    }

    /// Work of the inputs of springs that jump where a step begins, J.
    pub fn jump<N: Numbers<State>>(&self, state: &N) -> N::Number {
        let mut sum = N::Number::from(0.0);
        for spring in self.list.iter().filter(|spring| spring.is_driven()) {
            let m = spring.measure.evaluate(state).value;
            let new = spring.setting(|k| state.get(|s| s.signals[k].at(0.0)[0]));
            let old = spring.setting(|k| state.get(|s| s.reached[k][0]));
            sum += spring.law.energy(m, &new);
            sum -= spring.law.energy(m, &old);
        }
        sum
    }

    /// Work of actuators and of the inputs of springs from `state` to the iterate `at` by the trapezoidal rule, J.
    pub fn input_work<N: Numbers<State>>(
        &self, state: &N, at: &impl Numbers<Iterate, Number = N::Number>, end: Instant,
    ) -> N::Number {
        let mut sum = N::Number::from(0.0);
        for spring in &self.list {
            if !spring.is_driven() && spring.law.setting.force == 0.0 {
                continue;
            }
            let [m0, m1] =
                [spring.measure.evaluate(state).value, spring.measure.evaluate(at).value];
            let [old, new] = [end.elapsed_before, end.elapsed]
                .map(|tau| spring.setting(|k| state.get(|s| s.signals[k].at(tau)[0])));
            // It pulls: it does work where the measure gets smaller.
            sum -= (old.force + new.force) * (m1 - m0) * 0.5;
            if !spring.is_driven() {
                continue;
            }
            for m in [m0, m1] {
                sum += (spring.law.energy(m, &new) - spring.law.energy(m, &old)) * 0.5;
            }
        }
        sum
    }

    /// φᵀ D φ of the dampers of all springs at `at`.
    pub fn damping(&self, at: &Iterate, shape: &[f64]) -> f64 {
        let one = |i: usize| {
            let Found { measured, answer, .. } = self.at(i, at);
            answer.by_rate * measured.along(|u| shape[u]).powi(2)
        };
        (0..self.list.len()).map(one).sum()
    }

    /// Adds the tangent of all springs at `at` without their dampers times `v` to `out`.
    pub fn add_product(&self, at: &Iterate, v: &[f64], out: &mut [f64]) {
        for i in 0..self.list.len() {
            let Found { measured, answer, .. } = self.at(i, at);
            let along = answer.by_measure * measured.along(|u| v[u]);
            for (u, g, turned) in measured.turned(|u| v[u]) {
                out[u] += along * g + answer.force * turned;
            }
        }
    }
}

impl Springs {
    /// Share of a step of length `h` (s) from `state` to `end`, positions and velocities, at which the first of their forces has a kink: no
    /// nearer to its ends than the share `border`.
    ///
    /// The measure of a spring is taken for the cubic with its values and rates at both ends. Forces do not jump at their kinks, so that the
    /// place need not be exact.
    pub fn kink(
        &self, state: &State, end: (&Positions, &[f64]), h: f64, border: f64,
    ) -> Option<f64> {
        let ends = [(&state.q, &state.velocity[..]), end];
        let springs = self.list.iter().zip(&state.springs);
        let shares = springs.flat_map(|(spring, begun)| {
            let [begin, end] = ends.map(|(q, v)| {
                let measured = spring.measure.at(q);
                [measured.value, h * measured.along(|u| v[u])]
            });
            let cubic = move |sign: f64, from: f64| Cubic {
                ends: [begin[0], end[0]].map(|m| sign * (m - from)),
                rates: [begin[1], end[1]].map(|rate| sign * rate),
            };
            let kinks = spring.law.kinks(begun.anchor).into_iter().flatten();
            let passed = kinks.filter_map(move |kink| cubic(1.0, kink).first_root(border));
            let slides = spring.law.slides(begin[0], begun.anchor);
            let turned = slides.and_then(|sign| cubic(-sign, begin[0]).lowest());
            passed.chain(turned.map(|(share, _)| share))
        });
        shares.filter(|share| (border..=1.0 - border).contains(share)).reduce(f64::min)
    }
}

impl Term for Springs {
    fn each_force<N: Numbers<Iterate>>(&self, at: &N, mut add: impl FnMut(usize, N::Number)) {
        for i in 0..self.list.len() {
            let Found { measured, answer, .. } = self.at(i, at);
            measured.entries().for_each(|(u, g)| add(u, answer.force * g));
        }
    }

    fn evaluate(
        &self, equations: &Equations, at: &Iterate, work: &mut Workspace, tangent: bool,
    ) -> f64 {
        let mut largest = 0.0_f64;
        for i in 0..self.list.len() {
            let Found { measured, answer, .. } = self.at(i, at);
            work.springs[i] = answer;
            for (u, g) in measured.entries() {
                work.residual[u] += answer.force * g;
            }
            let parts = [answer.elastic, answer.damper, answer.friction, answer.force];
            largest = parts.into_iter().fold(largest, |most, f| most.max(f.abs()));
            if tangent {
                add_tangent(equations, (&measured, &answer), at, &mut work.matrix);
            }
        }
        largest
    }
}

/// Adds the tangent of a spring to the matrix.
fn add_tangent(
    equations: &Equations, (measured, answer): (&Measured, &Answer), at: &Iterate,
    matrix: &mut Bordered,
) {
    let by_velocity = answer.by_rate * at.flow.factor;
    if measured.bends && by_velocity != 0.0 {
        let v = |u: usize| at.flow.velocity(u, at.q.get(u));
        for (v, _, turned) in measured.turned(v) {
            let Some(column) = equations.of(v) else {
                continue;
            };
            let turning = answer.by_rate * turned;
            for (u, g) in measured.entries() {
                if let Some(row) = equations.of(u)
                    && turning * g != 0.0
                {
                    matrix.add_beside(row, column, turning * g);
                }
            }
        }
    }
    measured.add_symmetric(equations, [answer.by_measure + by_velocity, answer.force], matrix);
}
