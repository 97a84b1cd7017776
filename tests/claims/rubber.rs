//! Bodies of rubber: homogeneous deformations at large strains against the laws in principal stretches.

use num_dual::{Dual64, DualNum};

use crate::common::{Simulation, check};

/// A strip of 0.1 m × 0.02 m × 2 mm, whose ends are pulled apart to the stretch `to`.
fn strip(law: &str, state: &str, to: f64, order: usize) -> String {
    format!(
        "name = \"strip\"\n[experiment]\nstop_time = 1.0\n[solver]\nanalysis = \"quasi_static\"\nstep = 0.05\n\
         [points]\na = [0.0, 0.0]\nb = [0.1, 0.0]\nc = [0.1, 0.02]\nd = [0.0, 0.02]\n\
         [materials.rubber]\ndensity = 1100.0\n{law}\n\
         [bodies.strip]\nmaterial = \"rubber\"\nthickness = 0.002\nstate = \"{state}\"\norder = {order}\n\
         patch = {{ cells = [4, 2], edges = [\
         {{ name = \"bottom\", from = \"a\", to = \"b\" }}, {{ name = \"right\", from = \"b\", to = \"c\" }}, \
         {{ name = \"top\", from = \"c\", to = \"d\" }}, {{ name = \"left\", from = \"d\", to = \"a\" }}] }}\n\
         [supports.left]\nedge = \"strip.left\"\nfix = [\"x\"]\n[supports.foot]\npoint = \"a\"\nfix = [\"y\"]\n\
         [motions.pull]\nedge = \"strip.right\"\ndirection = \"x\"\ndisplacement = \"{:?} * t\"\n\
         [probes.middle]\nplace = {{ body = \"strip\", at = [0.05, 0.01] }}\n\
         [interface]\noutputs = [\"motions.*\", \"points.*\", \"probes.*\", \"energy.*\"]\n",
        0.1 * (to - 1.0)
    )
}

/// A law of the model file and its strain energy per volume in principal stretches, Pa.
struct Law {
    keys: &'static str,
    coefficients: [f64; 4],
    bulk: f64,
}

const LAWS: [Law; 4] = [
    Law {
        keys: "neo_hooke = { shear_modulus = 0.8e6, bulk_modulus = 2e6 }",
        coefficients: [0.4e6, 0.0, 0.0, 0.0],
        bulk: 2e6,
    },
    Law {
        keys: "neo_hooke = { shear_modulus = 0.8e6, bulk_modulus = 1e9 }",
        coefficients: [0.4e6, 0.0, 0.0, 0.0],
        bulk: 1e9,
    },
    Law {
        keys: "mooney_rivlin = { c10 = 0.3e6, c01 = 0.1e6, bulk_modulus = 50e6 }",
        coefficients: [0.3e6, 0.1e6, 0.0, 0.0],
        bulk: 50e6,
    },
    Law {
        keys: "yeoh = { c10 = 0.35e6, c20 = -0.02e6, c30 = 5e3, bulk_modulus = 80e6 }",
        coefficients: [0.35e6, 0.0, -0.02e6, 5e3],
        bulk: 80e6,
    },
];

impl Law {
    fn energy<D: DualNum<Primitive = f64> + Copy>(&self, stretches: [D; 3]) -> D {
        let [a, b, c] = stretches;
        let j = a * b * c;
        let isochoric = stretches.map(|stretch| stretch / j.cbrt());
        let squares = isochoric.map(|stretch| stretch * stretch);
        let first = squares[0] + squares[1] + squares[2] - 3.0;
        let second = squares[0].recip() + squares[1].recip() + squares[2].recip() - 3.0;
        let [c10, c01, c20, c30] = self.coefficients;
        first * (first * (first * c30 + c20) + c10)
            + second * c01
            + (j - 1.0) * (j - 1.0) * (0.5 * self.bulk)
    }

    /// ∂u/∂λ_i, Pa.
    fn nominal(&self, stretches: [f64; 3], i: usize) -> f64 {
        let mut moving = stretches.map(Dual64::from_re);
        moving[i].eps = 1.0;
        self.energy(moving).eps
    }

    /// Nominal stress along a strip with the stretch `to` and free sides, and the stretch of its height. In plane strain its thickness stays.
    fn pulled(&self, to: f64, plane_strain: bool) -> [f64; 2] {
        let stretches = |side: f64| if plane_strain { [to, side, 1.0] } else { [to, side, side] };
        // The stress across falls as the sides come closer.
        let (mut thin, mut thick) = (0.1, 2.0);
        for _ in 0..100 {
            let middle = 0.5 * (thin + thick);
            let stress = self.nominal(stretches(middle), 1);
            *if stress > 0.0 { &mut thick } else { &mut thin } = middle;
        }
        [self.nominal(stretches(thin), 0), thin]
    }
}

#[test]
fn a_strip_of_rubber_is_pulled_and_pressed_with_the_force_of_its_law() {
    for law in &LAWS {
        for (state, plane_strain) in [("plane_stress", false), ("plane_strain", true)] {
            for (to, order) in [(2.5, 2), (2.5, 3), (0.6, 2), (1.0001, 1)] {
                let mut sim = Simulation::of(&strip(law.keys, state, to, order));
                sim.run(1.0, 0.25, |_| {});
                let [stress, side] = law.pulled(to, plane_strain);
                let force = sim.get("motions.pull.reaction");
                let height = sim.get("points.d.y") / 0.02;
                println!(
                    "{} {state} {to} order {order}: {force:.6} N, {:.1e}; {height:.6}, {:.1e}",
                    law.keys,
                    force / (stress * 4e-5) - 1.0,
                    height / side - 1.0
                );
                assert!((force / (stress * 4e-5) - 1.0).abs() < 1e-7);
                assert!((height / side - 1.0).abs() < 1e-8);
                let cauchy = sim.get("probes.middle.stress_xx") * side;
                let thickness = if plane_strain { 1.0 } else { side };
                assert!((cauchy * thickness / stress - 1.0).abs() < 1e-7, "{cauchy}");
            }
        }
    }
}

#[test]
fn small_strains_of_rubber_are_those_of_hookes_law() {
    let (shear, bulk) = (0.8e6, 2e6);
    let young = 9.0 * bulk * shear / (3.0 * bulk + shear);
    let poisson = young / (2.0 * shear) - 1.0;
    let hooke = format!("young_modulus = {young:?}\npoisson_ratio = {poisson:?}");
    let rubber = "neo_hooke = { shear_modulus = 0.8e6, bulk_modulus = 2e6 }";
    let frequencies = [hooke.as_str(), rubber].map(|law| {
        let text = strip(law, "plane_stress", 1.0, 3).replace("analysis = \"quasi_static\"\n", "");
        Simulation::of(&text).frequencies(4)
    });
    for (hooke, rubber) in frequencies[0].iter().zip(&frequencies[1]) {
        assert!((hooke / rubber - 1.0).abs() < 1e-9, "{hooke} {rubber}");
    }
}

#[test]
fn a_block_of_rubber_that_swings_keeps_its_energy() {
    let text = strip(LAWS[2].keys, "plane_strain", 1.0, 2)
        .replace("analysis = \"quasi_static\"\nstep = 0.05", "step = 1e-3\nspectral_radius = 0.95")
        .replace("[motions.pull]\nedge = \"strip.right\"\ndirection = \"x\"\ndisplacement = \"0.0 * t\"\n", "[loads.tip]\npoint = \"c\"\nfy = 0.5\nhistory.ramp.duration = 0.05\n")
        .replace("\"motions.*\", ", "")
        .replace("[supports.foot]\npoint = \"a\"\nfix = [\"y\"]", "[supports.foot]\nedge = \"strip.left\"\nfix = [\"y\"]");
    let mut sim = Simulation::of(&text);
    let mut most = 0.0_f64;
    sim.run(0.5, 0.01, |sim| most = most.max(sim.get("energy.kinetic")));
    let [taken, open] =
        ["numerical_dissipation", "balance"].map(|entry| sim.get(&format!("energy.{entry}")).abs());
    println!("{most:e} J of motion, {taken:e} J taken, {open:e} J open");
    assert!(most > 1e-4 && taken < 0.02 * most && open < 1e-9 * most);
}

#[test]
fn a_member_of_rubber_is_refused_with_the_modulus_to_take() {
    let text = strip(LAWS[0].keys, "plane_stress", 1.5, 2)
        + "[sections.s]\ncircle.diameter = 0.01\n[members.m]\nfrom = \"a\"\nto = \"c\"\nelements = 2\nmaterial = \"rubber\"\nsection = \"s\"\n";
    let message = check(&text, &[]).expect_err("a law of large strains");
    println!("{message}");
    assert!(message.contains("members.m.material: material `rubber` has a law of large strains"));
    assert!(message.contains("2118000 Pa"), "{message}");
}

/// Rise of the upper corner of Cook's membrane of nearly incompressible rubber in plane strain, 8 × 8 cells of an `order`, m.
fn membrane(order: usize) -> f64 {
    let mut sim = Simulation::of(&format!(
        "name = \"membrane\"\n[solver]\nanalysis = \"quasi_static\"\nstep = 0.25\n\
         [points]\na = [0.0, 0.0]\nb = [0.48, 0.44]\nc = [0.48, 0.60]\nd = [0.0, 0.44]\n\
         [materials.rubber]\ndensity = 1100.0\nneo_hooke = {{ shear_modulus = 1e4, bulk_modulus = 1e8 }}\n\
         [bodies.panel]\nmaterial = \"rubber\"\nthickness = 0.01\nstate = \"plane_strain\"\norder = {order}\n\
         patch = {{ cells = [8, 8], edges = [\
         {{ name = \"bottom\", from = \"a\", to = \"b\" }}, {{ name = \"right\", from = \"b\", to = \"c\" }}, \
         {{ name = \"top\", from = \"c\", to = \"d\" }}, {{ name = \"left\", from = \"d\", to = \"a\" }}] }}\n\
         [supports.left]\nedge = \"panel.left\"\nfix = [\"x\", \"y\"]\n\
         [loads.pull]\nedge = \"panel.right\"\nqy = \"20.0 * t\"\n[interface]\noutputs = [\"points.c.y\"]\n"
    ));
    sim.run(1.0, 1.0, |_| {});
    sim.get("points.c.y") - 0.6
}

/// Slow: a fine mesh is what shows that the others do not lock.
#[test]
fn linear_triangles_lock_where_rubber_keeps_its_volume_and_others_do_not() {
    let found = [1, 2, 3, 4].map(membrane);
    println!("{found:?} m");
    let [linear, others @ ..] = found.map(|rise| rise / found[3]);
    assert!(linear < 0.75 && others.iter().all(|share| (share - 1.0).abs() < 0.03));
}
