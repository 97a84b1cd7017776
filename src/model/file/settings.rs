//! The experiment, the solver and the interface, as written.

use serde::Deserialize;

use crate::model::de::{Name, Scalar};
use crate::model::form::{keys, words};

keys! {
    /// What a host does when nobody says otherwise.
    #[derive(Default)]
    Experiment {
        /// end of the run
        stop_time: Option<Scalar> [number(&[Time], POSITIVE).default("1.0").named(&["End of the default run"])];
        /// from one communication point to the next
        communication_step: Option<Scalar> [
            number(&[Time], POSITIVE).default("1e-3").named(&["Default communication step"])
        ];
        /// a whole number; between events of [Model Exchange](fmu.md#model-exchange) real outputs are constant (0) or extrapolated with their rates (1)
        extrapolation_order: Option<Scalar> [
            number(&[Count], EXTRAPOLATION_ORDER).default("0").named(&[
                "Model Exchange: order by which real outputs are extrapolated between events, 0 or 1"
            ])
        ];
    }
}

keys! {
    /// Time integration and tolerances.
    #[derive(Default)]
    Solver {
        /// `"dynamic"`; `"quasi_static"`: equilibrium at every step, time only orders loads and motions
        #[serde(default)]
        analysis: Analysis [default("dynamic")];
        /// `"generalized_alpha"`: constraints on positions and velocities; TR-BDF2 for the first two steps of any length (start, cut
        /// steps, after an event), generalized-α from the third equal step on. `"index3_generalized_alpha"`, `"newmark"`: as the papers
        /// print them, constraints on positions alone; for comparison
        #[serde(default)]
        method: Method [default("generalized_alpha")];
        /// the longest substep. A communication step is divided into equal substeps that end with it. Steps are cut only at events and
        /// where they do not converge. A shorter communication step is a step of its own, with the inputs set for it. Only below a millionth
        /// of this, as rounding of the host leaves it, it is extrapolated with constant accelerations and solved for together with the next
        step: Option<Scalar> [
            number(&[Time], POSITIVE)
            .default("[proposed](#a-step-that-is-proposed)")
            .named(&["Longest substep of the solver"])
        ];
        /// steps are then as long as their error allows: that of positions, velocities and forces, each relative to the largest so far;
        /// they end where elastic stops are met or left and at corners of load tables.
        /// `step` is the longest. For mechanisms with parts that are now and then much faster than the rest, such as elastic stops, and
        /// for small errors. Dynamic analyses with `method = "generalized_alpha"` only; steps have four stages and are of third order
        /// ([theory](theory/time-integration.md#steps-as-long-as-their-error-allows))
        tolerance: Option<Scalar> [
            number(&[Dimensionless], STEP_ERROR)
            .default("none")
            .named(&["Largest estimated error of a step, relative to what moves"])
        ];
        /// what one step leaves of an infinitely fast vibration: smaller damps high frequencies more. Below 0.5 all steps of
        /// `"generalized_alpha"` are TR-BDF2, which leaves nothing of it
        spectral_radius: Option<Scalar> [
            number(&[Dimensionless], SPECTRAL_RADIUS)
            .default("0.9")
            .named(&["Spectral radius of the integrator at high frequencies"])
        ];
        /// Newton iterations before a step is halved
        max_iterations: Option<Scalar> [count(2, 1000).default("25")];
        /// last correction relative to the size of the mechanism
        position_tolerance: Option<Scalar> [
            number(&[Dimensionless], TOLERANCE)
            .default("1e-10; with `tolerance` a thousandth of it if that is more")
            .named(&["Largest last correction of a step, relative to the mechanism's size"])
        ];
        /// force left over relative to the largest force
        force_tolerance: Option<Scalar> [
            number(&[Dimensionless], TOLERANCE)
            .default("1e-8; with `tolerance` a thousandth of it if that is more")
            .named(&["Largest force left over in a step, relative to the largest force"])
        ];
        /// halvings of the step before it is given up. With 0 no step is halved, for real time
        max_halvings: Option<Scalar> [count(0, 30).default("10")];
        /// error of the energy balance relative to the largest energy so far. No step is divided for it (but see [steps without a
        /// solution](theory/time-integration.md#steps-that-need-another-scheme)). Where the file gives it, a communication step that ends
        /// beyond it is discarded; otherwise an error above 0.01 is a warning ([the FMU](fmu.md#doubtful-results)). With contact
        /// layers of surfaces, steps that would use up too much of it are taken by implicit Euler
        /// ([theory](theory/time-integration.md#steps-that-need-another-scheme))
        energy_tolerance: Option<Scalar> [
            number(&[Dimensionless], POSITIVE)
            .default("1e-3")
            .named(&["Largest error of the energy balance, relative to the largest energy so far"])
        ];
    }
    excludes("tolerance", &[
        "analysis = \"quasi_static\"", "method = \"index3_generalized_alpha\"", "method = \"newmark\"",
    ]).because("no other method estimates the error of a step");
}

#[derive(Debug, Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Analysis {
    #[default]
    Dynamic,
    QuasiStatic,
}

#[derive(Debug, Clone, Copy, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum Method {
    #[default]
    GeneralizedAlpha,
    #[serde(rename = "index3_generalized_alpha")]
    Index3GeneralizedAlpha,
    Newmark,
}

keys! {
    /// Gravity.
    #[derive(Default)]
    Gravity {
        /// acceleration along x
        x: Option<Scalar> [
            number(&[Acceleration], FINITE).default("0").named(&["Acceleration of gravity along x"])
        ];
        /// acceleration along y. Earth is −9.81
        y: Option<Scalar> [
            number(&[Acceleration], FINITE).default("0").named(&["Acceleration of gravity along y"])
        ];
        /// members and bodies whose own weight is left out; they keep their inertia: for a structure that is looked at from its
        /// equilibrium under its own weight, with loads that have weight on it
        #[serde(default)]
        weightless: Vec<Name> [default("none")];
    }
}

keys! {
    /// What a host sets and reads.
    #[derive(Default)]
    Interface {
        /// numbers of the file that a host may set: every one that is no whole number, by its path: `materials.rubber.density`,
        /// `points.block[0]`; defaults that are not written, too; not expressions of named values, which change with these. In the FMU
        /// fixed: set before initialization ends; numbers of friction laws: tunable, between communication steps too. Of whole numbers
        /// `members.NAME.elements`, named one by one: a structural parameter of FMI 3.0, an Integer of FMI 2.0
        #[serde(default)]
        parameters: Vec<Name> [default("none")];
        /// numbers that may change at every communication point: `loads.NAME.fx`, `.fy`, `.moment`, `.qx`, `.qy`, `.normal`,
        /// `.tangential`, `.bx`, `.by`; `motions.NAME.displacement`, `.velocity`, `.acceleration`, `.angle`, `.rate`;
        /// `springs.NAME.actuator`, `.free_length`, `.free_angle`, `.stiffness`, `.damping`, of a bushing `springs.NAME.bushing.fx`, `.fy`,
        /// `.moment`, `.stiffness_scale`, `.damping_scale`, `.free[0]`, `.free[1]`, `.free[2]`; `gravity.x`, `.y`. Until a host sets
        /// an input it has the value in the file; parameters that a host sets do not change that value, also where it is an expression of them. In a
        /// `coulisse run` of a model file it follows them
        #[serde(default)]
        inputs: Vec<Name> [default("none")];
        /// inputs that keep the value that was set between communication points: all but those below
        #[serde(default)]
        hold: Vec<Name>;
        /// inputs that run between communication points on a straight line from the value reached to the one set, which is then that of
        /// the step's end. See [what to set when](#what-to-set-when). Positions (`displacement`, `angle`) do so unless they are `cubic`,
        /// accelerations of motions unless listed elsewhere. Derivatives that the host sets (`fmi2SetRealInputDerivatives`, orders 1 and
        /// 2, for the next step only) take precedence: the input is then their Taylor polynomial
        #[serde(default)]
        linear: Vec<Name>;
        /// inputs that run between communication points without a jump of the slope
        #[serde(default)]
        cubic: Vec<Name>;
        /// what a host reads, [see below](#names-of-the-outputs)
        #[serde(default)]
        outputs: Vec<Name>;
        /// number of equally spaced places along each member and contact layer, both ends included, at which outputs such as
        /// `members.NAME.moments` are: arrays of FMI 3.0, and `members.NAME.moments[1]` and so on elsewhere
        stations: Option<Scalar> [count(2, 10_000).default("none")];
        /// how truths, whole numbers and regimes are shown among the outputs: `"typed"` as Boolean, Integer and Enumeration; `"real"` as
        /// Real; `"none"` not at all. Some [hosts](hosts.md) read every output as Real
        #[serde(default)]
        discrete_outputs: DiscreteOutputs [default("typed")];
    }
}

/// How outputs that are whole numbers, truths or states are shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize, Default)]
#[serde(rename_all = "snake_case")]
pub enum DiscreteOutputs {
    /// With their own types: Integer, Boolean, Enumeration.
    #[default]
    Typed,
    /// As Real.
    Real,
    /// Not at all.
    None,
}

words!(Analysis, Method, DiscreteOutputs);
