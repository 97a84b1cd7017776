//! A model under test: reads a TOML text, runs it, gives its outputs by name.

pub mod bar;
pub mod bead;
pub mod block;
pub mod blocks;
pub mod edit;
pub mod gifts;
pub mod keys;
pub mod life;
pub mod mechanism;
pub mod quick_return;
pub mod reach;
pub mod rig;
pub mod sensitivity;
pub mod sliders;
pub mod tier;
pub mod watch;

use std::path::{Path, PathBuf};

use coulisse::model::{Checked, Model};
use coulisse::modes::{Loads, Modes, Sliding, modes};
use coulisse::solve::{SnapThrough, Stepper};
use coulisse::start::start;
use coulisse::system::{State, System};
use proptest::test_runner::{Config, RngSeed};

/// So many random cases in the full tier, the same in every run; others by `PROPTEST_RNG_SEED`.
pub fn random_cases(cases: u32) -> Config {
    let mut config = Config::with_cases(tier::share(cases));
    config.failure_persistence = None;
    if config.rng_seed == RngSeed::Random {
        config.rng_seed = RngSeed::Fixed(20_260_101);
    }
    config
}

pub struct Simulation {
    pub system: System,
    pub state: State,
    stepper: Stepper,
}

impl Simulation {
    /// Parses, checks, builds and starts a model; fails the test with the messages of the faults.
    pub fn of(text: &str) -> Simulation {
        Simulation::with(text, &[])
    }

    /// The same with numbers of the file replaced.
    pub fn with(text: &str, values: &[(&str, f64)]) -> Simulation {
        let checked = check(text, values).unwrap_or_else(|faults| panic!("{faults}"));
        Simulation::built(&checked)
    }

    /// Builds and starts a checked model.
    pub fn built(checked: &Checked) -> Simulation {
        let system = System::build(checked).unwrap_or_else(|fault| panic!("{fault}"));
        let inputs: Vec<f64> = checked.inputs.iter().map(|i| i.start).collect();
        let state = start(&system, &inputs).unwrap_or_else(|fault| panic!("{fault}"));
        Simulation { stepper: Stepper::new(&system), system, state }
    }

    /// A model of `resources/models`.
    pub fn bundled(name: &str, values: &[(&str, f64)]) -> Simulation {
        Simulation::with(&bundled(name), values)
    }

    pub fn time(&self) -> f64 {
        self.state.time
    }

    /// The value of an output by its path.
    pub fn get(&self, path: &str) -> f64 {
        let outputs = &self.system.model().outputs;
        let output =
            outputs.iter().find(|o| o.path == path).unwrap_or_else(|| panic!("no output `{path}`"));
        self.system.read(&self.state, output.output)
    }

    /// Energy that is gone without the work of friction and damping, J: what the time integration and
    /// impacts have taken, and the error of the energy balance.
    pub fn lost(&self) -> f64 {
        ["balance", "numerical_dissipation", "impact_loss"]
            .map(|name| self.get(&format!("energy.{name}")))
            .iter()
            .sum()
    }

    /// The largest of these energies, J.
    pub fn energy(&self, kinds: &[&str]) -> f64 {
        let each = kinds.iter().map(|kind| self.get(&format!("energy.{kind}")).abs());
        each.fold(0.0, f64::max)
    }

    /// Energy of rounding errors of the positions, J.
    pub fn noise(&self) -> f64 {
        self.stepper.energy_of_rounding(&self.system)
    }

    /// Energy below which its balance says nothing, J.
    pub fn unsolved(&self) -> f64 {
        self.stepper.energy_of_tolerance(&self.system)
    }

    pub fn set(&mut self, path: &str, value: f64) {
        let inputs = &self.system.model().inputs;
        let index = inputs
            .iter()
            .position(|i| i.path == path)
            .unwrap_or_else(|| panic!("no input `{path}`"));
        self.state.inputs[index] = value;
    }

    /// One communication step.
    pub fn step(&mut self, h: f64) {
        let t = self.state.time;
        self.try_step(t, h).unwrap_or_else(|fault| panic!("{fault}"));
    }

    pub fn try_step(&mut self, t: f64, h: f64) -> Result<(), String> {
        self.stepper.advance(&self.system, &mut self.state, t, h).map_err(|fault| fault.to_string())
    }

    /// The jump of an equilibrium in the last communication step.
    pub fn snap_through(&mut self) -> Option<SnapThrough> {
        self.stepper.events.snap_through().copied()
    }

    /// Place of x (0) or y (1) of a point among the unknowns.
    pub fn point(&self, name: &str, direction: usize) -> usize {
        let points = &self.system.model().points;
        let id = points.iter().position(|p| p.name == name);
        self.system.drawing().unknowns_of_point(id.unwrap_or_else(|| panic!("no point `{name}`")))
            [direction]
    }

    /// The lowest modes about the present state, with free sliders.
    pub fn modes(&self, count: usize) -> Modes {
        modes(&self.system, &self.state, count, Sliding::Free, Loads::Acting)
            .unwrap_or_else(|fault| panic!("{fault}"))
    }

    /// Their angular frequencies; there must be as many as asked for.
    pub fn frequencies(&self, count: usize) -> Vec<f64> {
        let found = self.modes(count).list;
        assert_eq!(found.len(), count);
        found.iter().map(|mode| mode.angular_frequency()).collect()
    }

    /// Communication steps of `h` until `end`, with a look after each.
    pub fn run(&mut self, end: f64, h: f64, mut look: impl FnMut(&Simulation)) {
        let begin = self.state.time;
        let steps = ((end - begin) / h).round() as usize;
        for i in 0..steps {
            self.try_step(begin + i as f64 * h, h).unwrap_or_else(|fault| panic!("{fault}"));
            look(self);
        }
    }
}

impl mechanism::Mechanism {
    /// The model, built and started.
    pub fn simulation(self) -> Simulation {
        Simulation::of(&self.text())
    }
}

/// λ·n of a slider, N: positive where it pushes to the left of growing s.
pub fn signed_normal_force(sim: &Simulation, slider: usize) -> f64 {
    sim.system.signed_normal_force(&sim.state, slider)
}

/// Text of a data file of the bundled models or of `tests`.
pub fn data(name: &str) -> std::io::Result<String> {
    let root = env!("CARGO_MANIFEST_DIR");
    std::fs::read_to_string(format!("{root}/resources/models/{name}"))
        .or_else(|_| std::fs::read_to_string(format!("{root}/tests/{name}")))
}

/// Checks a model; its data files are those of the bundled models and of `tests`.
pub fn check(text: &str, values: &[(&str, f64)]) -> Result<Checked, String> {
    let mut model = Model::parse(text, "model.toml", &data).map_err(|f| f.to_string())?;
    for (path, value) in values {
        model = model.with_value(path, *value).map_err(|f| f.to_string())?;
    }
    model.check().map_err(|f| f.to_string())
}

/// What the start says of a model that passes the check and cannot start.
pub fn refusal(text: &str) -> String {
    let checked = check(text, &[]).unwrap_or_else(|faults| panic!("{faults}"));
    let inputs: Vec<f64> = checked.inputs.iter().map(|i| i.start).collect();
    let started = System::build(&checked).and_then(|system| start(&system, &inputs));
    started.expect_err("it starts").to_string()
}

/// Text of a bundled model.
pub fn bundled(name: &str) -> String {
    text(&format!("resources/models/{name}"))
}

/// All bundled model files, by name.
pub fn bundled_files() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("resources/models");
    let files = folder.read_dir().expect("the bundled models");
    let mut files: Vec<PathBuf> = files.map(|file| file.expect("a file").path()).collect();
    files.retain(|file| file.extension().is_some_and(|end| end == "toml"));
    files.sort();
    files
}

/// Text of a model file, by its path in this project without the ending.
pub fn text(path: &str) -> String {
    let path = format!("{}/{path}.toml", env!("CARGO_MANIFEST_DIR"));
    std::fs::read_to_string(&path).unwrap_or_else(|e| panic!("{path}: {e}"))
}

/// The orders at which errors fall from halving to halving of what they depend on.
pub fn orders(errors: &[f64]) -> Vec<f64> {
    errors.windows(2).map(|e| (e[0] / e[1]).log2()).collect()
}

/// The sections of a straight member between two points that is held as a whole.
pub fn rigid_member(name: &str, ends: [&str; 2], elements: usize) -> String {
    let keys = format!("elements = {elements}, order = 1");
    mechanism::Mechanism::part().guide(name, ends, keys).text()
}

/// Classical Runge-Kutta steps for the reference equations of the tests.
pub fn runge_kutta<const N: usize>(
    mut y: [f64; N], t0: f64, t1: f64, steps: usize, f: impl Fn(f64, &[f64; N]) -> [f64; N],
) -> [f64; N] {
    let h = (t1 - t0) / steps as f64;
    let add = |y: &[f64; N], k: &[f64; N], c: f64| std::array::from_fn(|i| y[i] + c * k[i]);
    for n in 0..steps {
        let t = t0 + n as f64 * h;
        let k1 = f(t, &y);
        let k2 = f(t + h / 2.0, &add(&y, &k1, h / 2.0));
        let k3 = f(t + h / 2.0, &add(&y, &k2, h / 2.0));
        let k4 = f(t + h, &add(&y, &k3, h));
        y = std::array::from_fn(|i| y[i] + h / 6.0 * (k1[i] + 2.0 * k2[i] + 2.0 * k3[i] + k4[i]));
    }
    y
}

/// Rows of a reference trajectory with `N` columns.
pub fn reference<const N: usize>(file: &str) -> Vec<[f64; N]> {
    use std::io::Read;
    let path = format!("{}/tests/reference/{file}", env!("CARGO_MANIFEST_DIR"));
    let mut text = String::new();
    flate2::read::GzDecoder::new(std::fs::File::open(path).expect("reference"))
        .read_to_string(&mut text)
        .expect("gzip");
    (text.lines().skip(1))
        .map(|line| {
            let mut cells = line.split(',').map(|c| c.parse().expect("number"));
            std::array::from_fn(|_| cells.next().expect("as many columns"))
        })
        .collect()
}
