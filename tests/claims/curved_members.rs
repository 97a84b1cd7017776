//! Members that are curved when unloaded: bars against closed forms, arches, rings.

use crate::common::edit::Edit;
use std::f64::consts::{FRAC_PI_2, PI};

use crate::common::{self, Simulation};

const YOUNG: f64 = 2e9;
const SHEAR: f64 = 0.8e9;
const WIDTH: f64 = 0.02;

/// A model of `points` and `members` with sections of one height.
fn model(height: f64, points: &str, members: &[(&str, &str)], rest: &str) -> String {
    let mut text = format!(
        "name = \"Curved\"\n[solver]\nstep = 1.0\nanalysis = \"quasi_static\"\n\
         position_tolerance = 1e-13\nforce_tolerance = 1e-10\n[points]\n{points}\n\
         [materials.m]\nyoung_modulus = {YOUNG}\nshear_modulus = {SHEAR}\ndensity = 1000.0\n\
         [sections.s]\nrectangle = {{ height = {height}, width = {WIDTH} }}\n"
    );
    for (name, shape) in members {
        text += &format!("[members.{name}]\nmaterial = \"m\"\nsection = \"s\"\n{shape}\n");
    }
    text + rest
}

/// A quarter circle of radius 1 m from the clamp at (1, 0) to its free end at (0, 1).
fn quarter(height: f64, elements: usize, order: usize) -> String {
    let arc = format!(
        "from = \"clamp\"\nto = \"tip\"\nelements = {elements}\norder = {order}\narc.angle = \"pi/2\""
    );
    model(
        height,
        "clamp = [1.0, 0.0]\ntip = [0.0, 1.0]",
        &[("arc", &arc)],
        "[supports.clamp]\npoint = \"clamp\"\nfix = [\"x\", \"y\", \"rotation\"]\n\
         [loads.tip]\npoint = \"tip\"\nfx = 0.0\nfy = 0.0\nmoment = 0.0\n\
         [interface]\ninputs = [\"loads.tip.*\"]\noutputs = [\"points.tip.*\", \"energy.*\"]\n",
    )
}

/// Displacements (x, y, rotation) of the tip by small loads, per unit of (F_x, F_y, M).
fn flexibility(text: &str, size: f64) -> [[f64; 3]; 3] {
    ["fx", "fy", "moment"].map(|load| {
        let ends = [size, -size].map(|value| {
            let mut sim = Simulation::of(text);
            sim.set(&format!("loads.tip.{load}"), value);
            sim.step(1.0);
            ["x", "y", "rotation"].map(|d| sim.get(&format!("points.tip.{d}")))
        });
        [0, 1, 2].map(|i| (ends[0][i] - ends[1][i]) / (2.0 * size))
    })
}

/// The same by Castigliano's theorem for a bar of strong curvature (Winkler and Bach): the strain of
/// a fibre at radius r = R − η is (ε − ηχ)/(1 − η/R), so that
///
/// N = E (a ε − b χ),   M = E (c χ − b ε),   a = R b_w ln(r_o/r_i),   b = R (a − A),   c = R b
///
/// and the shear strain is V/(G a).
fn winkler(height: f64) -> [[f64; 3]; 3] {
    let area = WIDTH * height;
    let a = WIDTH * ((1.0 + 0.5 * height) / (1.0 - 0.5 * height)).ln();
    let (b, c) = (a - area, a - area);
    let determinant = a * c - b * b;
    // N, V and M at the angle φ from the clamp by unit loads at the tip.
    let resultants = |phi: f64| {
        let (sin, cos) = phi.sin_cos();
        let [x, y] = [-cos, 1.0 - sin]; // from the section to the tip
        let (along, across) = ([-sin, cos], [-cos, -sin]);
        [[along[0], across[0], -y], [along[1], across[1], x], [0.0, 0.0, 1.0]]
    };
    let n = 2000;
    let step = FRAC_PI_2 / f64::from(n);
    let mut out = [[0.0; 3]; 3];
    for k in 0..=n {
        let weight = match k {
            _ if k == 0 || k == n => 1.0,
            _ => f64::from(2 + 2 * (k % 2)),
        };
        let forces = resultants(step * f64::from(k));
        for i in 0..3 {
            let [normal, shear, moment] = forces[i];
            let stretch = (c * normal + b * moment) / (YOUNG * determinant);
            let bend = (a * moment + b * normal) / (YOUNG * determinant);
            for j in 0..3 {
                let [n1, v1, m1] = forces[j];
                let work = n1 * stretch + m1 * bend + v1 * shear / (SHEAR * a);
                out[i][j] += weight * step / 3.0 * work;
            }
        }
    }
    out
}

/// Largest relative difference.
fn apart(a: [[f64; 3]; 3], b: [[f64; 3]; 3]) -> f64 {
    let pairs = a.as_flattened().iter().zip(b.as_flattened());
    pairs.fold(0.0, |worst, (a, b)| worst.max((a - b).abs() / b.abs()))
}

#[test]
fn a_quarter_circle_bends_as_winkler_and_bach_say_however_thick_it_is() {
    for (height, load) in [(0.02, 1e-4), (0.2, 0.1), (0.6, 1.0)] {
        let error = apart(flexibility(&quarter(height, 12, 3), load), winkler(height));
        println!("height {height}: {error:.1e}");
        assert!(error < 2e-6, "{height}: {error}");
    }
    // The thin bar in the textbook's words: a radial force at the tip.
    let (area, inertia) = (WIDTH * 0.02, WIDTH * 0.02_f64.powi(3) / 12.0);
    let stiffness = [YOUNG * inertia, YOUNG * area, SHEAR * area];
    let radial = PI / 4.0 * stiffness.iter().map(|k| 1.0 / k).sum::<f64>();
    let seen = flexibility(&quarter(0.02, 12, 3), 1e-4)[1][1];
    assert!((seen / radial - 1.0).abs() < 2e-4, "{seen} {radial}");
}

#[test]
fn curved_elements_converge_with_the_fourth_power_of_their_length() {
    for (order, meshes, least) in [(2, [4, 8, 16], 3.9), (3, [4, 8, 16], 3.9)] {
        let errors = meshes.map(|elements| {
            let seen = flexibility(&quarter(0.05, elements, order), 1e-3);
            apart(seen, winkler(0.05))
        });
        let orders = [0, 1].map(|i| (errors[i] / errors[i + 1]).log2());
        println!("order {order}: {errors:?}, orders {orders:.2?}");
        // The length of the polynomials falls short of the arc's with the fourth power.
        assert!(orders.iter().all(|o| *o > least), "{order}: {orders:?}");
    }
}

#[test]
fn a_curved_bar_starts_without_energy() {
    let sim = Simulation::of(&quarter(0.2, 3, 3));
    assert_eq!(sim.get("energy.strain"), 0.0);
}

/// End moment and stretch with which a bar of curvature κ⁰ becomes straight: W_P = 0 at κ = 0.
fn straightening(height: f64, curvature: f64) -> (f64, f64) {
    let n = 20_000;
    let step = height / f64::from(n);
    let mut k = [0.0; 5];
    for i in 0..n {
        let eta = -0.5 * height + (f64::from(i) + 0.5) * step;
        let g = 1.0 - eta * curvature;
        for (power, k) in k.iter_mut().enumerate() {
            *k += WIDTH * step * eta.powi(power as i32) / (g * g * g);
        }
    }
    let (c1, c2) = (curvature, -0.5 * curvature * curvature);
    let c0 = -(k[1] * c1 + k[2] * c2) / k[0];
    let stretch = (1.0 + 2.0 * c0).sqrt();
    let moment = -stretch * YOUNG * (k[1] * c0 + k[2] * c1 + k[3] * c2);
    (moment, stretch)
}

#[test]
fn an_almost_closed_ring_is_bent_open_to_a_straight_bar() {
    for (height, elements) in [(0.01, 24), (0.3, 24)] {
        let (moment, stretch) = straightening(height, 1.0);
        let thin = YOUNG * WIDTH * height * height * height / 12.0;
        // EI/R but for terms in (h/R)².
        assert!((moment / thin + 1.0).abs() < height * height);
        // Turned by 6 rad to the left of the direction y in which it leaves the clamp at (1, 0).
        let points = format!("clamp = [1.0, 0.0]\ntip = [{}, {}]", 6.0_f64.cos(), 6.0_f64.sin());
        let arc = format!("from = \"clamp\"\nto = \"tip\"\nelements = {elements}\narc.angle = 6.0");
        let text = model(
            height,
            &points,
            &[("ring", &arc)],
            &format!(
                "[supports.clamp]\npoint = \"clamp\"\nfix = [\"x\", \"y\", \"rotation\"]\n\
                 [loads.tip]\npoint = \"tip\"\nmoment = {moment}\n\
                 history.ramp = {{ duration = 20.0, smooth = false }}\n\
                 [interface]\noutputs = [\"points.tip.*\"]\n"
            ),
        );
        let mut sim = Simulation::of(&text);
        sim.run(20.0, 1.0, |_| ());
        let [x, y, r] = ["x", "y", "rotation"].map(|d| sim.get(&format!("points.tip.{d}")));
        println!("height {height}: {x:.8} {y:.8} {r:.8}, stretch {stretch:.8}");
        assert!((x - 1.0).abs() < 2e-5 && (y - 6.0 * stretch).abs() < 2e-5);
        assert!((r + 6.0).abs() < 2e-5);
    }
}

/// A point of the circle of radius 1 m about the origin.
fn on_circle(degrees: f64) -> [f64; 2] {
    let a = degrees.to_radians();
    [a.cos(), a.sin()]
}

#[test]
fn a_deep_arch_clamped_and_hinged_carries_the_load_of_dadeppo_and_schmidt() {
    let [a, b] = [90.0 + 107.5, 90.0 - 107.5].map(on_circle);
    let half = "elements = 10\narc.angle = \"-deg(107.5)\"";
    let text = model(
        0.01,
        &format!("clamp = {a:?}\ncrown = [0.0, 1.0]\nhinge = {b:?}"),
        &[
            ("left", &format!("from = \"clamp\"\nto = \"crown\"\n{half}")),
            ("right", &format!("from = \"crown\"\nto = \"hinge\"\n{half}")),
        ],
        "[supports.clamp]\npoint = \"clamp\"\nfix = [\"x\", \"y\", \"rotation\"]\n\
         [supports.hinge]\npoint = \"hinge\"\nfix = [\"x\", \"y\"]\n\
         [motions.press]\npoint = \"crown\"\ndirection = \"y\"\namplitude = -1.19\n\
         history.ramp = { duration = 119.0, smooth = false }\n\
         [interface]\noutputs = [\"motions.press.*\"]\n",
    );
    let mut sim = Simulation::of(&text);
    let unit = YOUNG * WIDTH * 1e-6 / 12.0;
    let (mut largest, mut at) = (0.0_f64, 0.0);
    sim.run(119.0, 1.0, |sim| {
        let load = -sim.get("motions.press.reaction") / unit;
        if load > largest {
            (largest, at) = (load, sim.get("motions.press.position"));
        }
    });
    println!("P R²/EI = {largest:.4} at {at:.3} R");
    assert!((largest / 8.97 - 1.0).abs() < 1e-3, "{largest}");
    assert!((-1.2..-1.0).contains(&at), "{at}");
}

#[test]
fn a_free_ring_has_the_frequencies_of_its_closed_form() {
    let halves = [("a", "b"), ("b", "a")].map(|(from, to)| {
        format!("from = \"{from}\"\nto = \"{to}\"\nelements = 8\narc.angle = \"pi\"")
    });
    let height = 0.01_f64;
    let text = model(
        height,
        "a = [1.0, 0.0]\nb = [-1.0, 0.0]",
        &[("upper", &halves[0]), ("lower", &halves[1])],
        "",
    )
    .edit("analysis = \"quasi_static\"", "");
    let sim = Simulation::of(&text);
    let seen = sim.frequencies(11);
    let inertia = YOUNG * height * height / 12.0 / 1000.0;
    // Three rigid motions, then pairs of n waves around the ring: ω² = n²(n² − 1)²/(n² + 1) EI/ρAR⁴.
    for (pair, n) in seen[3..].chunks(2).zip(2..6) {
        let n2 = f64::from(n * n);
        let exact = (n2 * (n2 - 1.0).powi(2) / (n2 + 1.0) * inertia).sqrt();
        println!("{n} waves: {pair:.4?}, exact {exact:.4}");
        for omega in pair {
            assert!((omega / exact - 1.0).abs() < 1e-3, "{n}: {omega} {exact}");
        }
    }
    assert!(seen[2] < 1e-2 * seen[3], "{:?}", &seen[..4]);
}

#[test]
fn the_mass_of_a_curved_member_is_that_of_its_arc_length() {
    let text = quarter(0.1, 2, 3).edit("outputs = [", "outputs = [\"supports.*\", ");
    let mut sim = Simulation::of(&(text + "[gravity]\ny = -1.0\n"));
    sim.step(1.0);
    let weight = sim.get("supports.clamp.fy");
    let exact = 1000.0 * WIDTH * 0.1 * FRAC_PI_2;
    assert!((weight / exact - 1.0).abs() < 1e-8, "{weight} {exact}");
}

#[test]
fn numbers_of_a_curve_are_parameters() {
    let text = quarter(0.1, 4, 3);
    let turned = Simulation::with(&text, &[("members.arc.arc.angle", -1.0)]);
    let length = turned.system.model().length_of(0);
    assert!((length - 0.5_f64.sqrt() / 0.5_f64.sin()).abs() < 1e-14);
    let spline = text
        .edit("arc.angle = \"pi/2\"", "spline = [[0.9, 0.4], [\"0.2+0.2\", 0.9]]")
        .edit("[interface]", "[interface]\nparameters = [\"members.arc.*\"]");
    let model = common::check(&spline, &[("members.arc.spline[1,1]", 0.8)]);
    let model = model.unwrap_or_else(|faults| panic!("{faults}"));
    let listed = model.parameters.iter();
    let listed: Vec<(&str, f64)> = listed.map(|p| (p.path.as_str(), p.value)).collect();
    assert_eq!(
        listed,
        [
            ("members.arc.added_mass", 0.0),
            ("members.arc.spline[0,0]", 0.9),
            ("members.arc.spline[0,1]", 0.4),
            ("members.arc.spline[1,0]", 0.4),
            ("members.arc.spline[1,1]", 0.8),
        ]
    );
    assert_eq!(model.parameters[4].description, "y of point 1 of the spline of member arc");
}
