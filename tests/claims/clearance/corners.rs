//! Contacts of rigid surfaces, whose corners strike and rub their faces.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation};

/// The joints of the four-joint model in the order of the contact's corners.
const JOINTS: [&str; 4] = ["upper_right", "upper_left", "lower_left", "lower_right"];

/// What both models of the slider-crank with clearance show, over what it is measured in.
fn shown(sim: &Simulation, corners: &[String]) -> Vec<f64> {
    let mut all = vec![
        sim.get("points.crank.rotation"),
        sim.get("points.crank.rotation_rate") / 150.0,
        sim.get("points.rod.rotation"),
        sim.get("points.rod.rotation_rate") / 75.0,
        sim.get("points.slider.x") / 0.5,
        sim.get("points.slider.vx") / 20.0,
        sim.get("energy.impact_loss") / 7.5,
        sim.get("energy.friction_work") / 7.5,
    ];
    for corner in corners {
        all.push(sim.get(&format!("{corner}.gap")) / 0.5);
        all.push(sim.get(&format!("{corner}.regime")));
    }
    all
}

fn apart(a: &[f64], b: &[f64]) -> f64 {
    let both = a.iter().zip(b);
    both.fold(0.0, |most, (a, b)| most.max((a - b).abs()))
}

/// One contact of a rigid surface is a joint that can open at each of its corners. Which of two steps a bounce at 34 ms begins with is a matter of
/// rounding, which where the faces of the four joints begin decides as well: 1e-5 of the solution with this step.
#[test]
fn a_contact_of_a_rigid_surface_is_its_four_joints_to_rounding() {
    let text = common::text("tests/models/slider_crank_with_four_joints");
    let mut joints = ["0.05", "0.07"].map(|begin| {
        let moved = text
            .edit("upper_face_left = [0.05,", &format!("upper_face_left = [{begin},"))
            .edit("lower_face_left = [0.05,", &format!("lower_face_left = [{begin},"));
        Simulation::of(&moved)
    });
    let mut contact = Simulation::bundled("slider_crank_with_clearance", &[]);
    let of_joints = JOINTS.map(|name| format!("joints.{name}"));
    let of_contact = [1, 2, 3, 4].map(|k| format!("contacts.guide[{k}]"));
    let (mut worst, mut before) = (0.0_f64, 0.0_f64);
    for k in 1..=68 {
        let time = 1e-3 * f64::from(k);
        contact.run(time, 1e-3, |_| ());
        let here = shown(&contact, &of_contact);
        let off = joints.each_mut().map(|sim| {
            sim.run(time, 1e-3, |_| ());
            apart(&here, &shown(sim, &of_joints))
        });
        worst = worst.max(off[0].min(off[1]));
        if k <= 33 {
            before = before.max(off[0]);
        }
        // Sums over the corners.
        let sum = |what: &str| {
            let each = of_contact.iter().map(|c| contact.get(&format!("{c}.{what}")));
            each.sum::<f64>()
        };
        for what in ["normal_force", "friction_force", "dissipated_energy"] {
            let all = contact.get(&format!("contacts.guide.{what}"));
            assert!((all - sum(what)).abs() <= 1e-12 * (1.0 + all.abs()), "{what}");
        }
        let least = of_contact.iter().map(|c| contact.get(&format!("{c}.gap")));
        let least = least.fold(f64::INFINITY, f64::min);
        assert_eq!(contact.get("contacts.guide.gap"), least);
    }
    println!("apart by {before:e} to 33 ms, by {worst:e} to the end");
    assert!(before < 1e-9, "{before:e}");
    assert!(worst < 1e-9, "{worst:e}");
}

/// A slider of 2 × 0.8 m between two faces, `clearance` away, pulled along x by `force` at `offset` over its middle; it begins in the middle.
fn pulled(force: f64, offset: f64, clearance: f64) -> Simulation {
    Mechanism::new("pulled")
        .step(1e-3)
        .points("a = [-3.0, 0.0], b = [60.0, 0.0], ll = [-1.0, -0.4], lr = [1.0, -0.4]")
        .and(format!("ur = [1.0, 0.4], ul = [-1.0, 0.4], hook = [1.0, {offset:?}]"))
        .and("middle = [0.0, 0.0]")
        .body("slider", "rigid = true, mass = 125.6, inertia = 48.6, order = 1")
        .and("points = ['hook', 'middle']")
        .guide("axis", ["a", "b"], "elements = 1, order = 1")
        .patch("slider", [1, 1], "lower: ll, front: lr, upper: ur, rear: ul")
        .contact("guide", "surface = ['slider.lower', 'slider.upper'], path = ['axis']")
        .and(format!("width = 0.8, clearance = {clearance:?}, rigid = true"))
        .and("friction.coulomb = { static_coefficient = 0.31, coefficient = 0.3 }")
        .load("pull", format!("point = 'hook', fx = {force:?}"))
        .gravity(-9.81)
        .outputs("points.middle.* energy.* contacts.guide[1].*")
        .simulation()
}

/// a = (F − μ S)/m with S = max(|N|, 2|M′|/L) and M′ = M − μ (b/2) N, the load's arm tilting with the slider by less than 1e-6.
#[test]
fn a_rigid_slider_accelerates_as_the_corner_formula_says() {
    let (mass, length, height, mu) = (125.6, 2.0, 0.8, 0.3);
    for (force, offset, printed) in
        [(800.0, 1.2, 3.4264), (1106.0, 1.2, 5.2825), (1500.0, 1.2, 7.2902), (5000.0, 2.0, 15.5704)]
    {
        let weight: f64 = 9.81 * mass;
        let moment: f64 = -offset * force - mu * 0.5 * height * weight;
        let sum = weight.max(2.0 * moment.abs() / length);
        let expected = (force - mu * sum) / mass;
        let mut sim = pulled(force, offset, 1e-7);
        sim.run(0.2, 1e-3, |_| ());
        let found = sim.get("points.middle.ax");
        let pressed = sim.get("contacts.guide.normal_force");
        println!("{force} N, {offset} m: {found} {expected} {printed}; {pressed} {sum} N");
        assert!((found / expected - 1.0).abs() < 1e-6, "{found} {expected}");
        assert!((expected - printed).abs() < 1e-4, "{expected} {printed}");
        assert!((pressed / sum - 1.0).abs() < 1e-6, "{pressed} {sum}");
        let friction = sim.get("contacts.guide.friction_force");
        assert!((friction / (mu * sum) - 1.0).abs() < 1e-6, "{friction}");
        let both = sim.get("contacts.guide.sides");
        assert_eq!(both, if sum > weight { 2.0 } else { 1.0 });
    }
}

/// A pull from beyond L/(2μ′) never moves it, however strong it is.
#[test]
fn a_rigid_slider_jams_beyond_the_offset_of_the_corner_formula() {
    for (offset, slides) in [(0.97 * 2.0 / 0.62, true), (1.05 * 2.0 / 0.62, false)] {
        // So large that its weight does not count.
        let mut sim = pulled(1e6, offset, 1e-7);
        sim.run(0.1, 1e-3, |_| ());
        let x = sim.get("points.middle.x");
        println!("{offset} m: {x:e} m");
        assert_eq!(x > 1e-3, slides, "{offset}: {x}");
    }
}

/// A block with the corners of its outer edge on the outer face of a round guide turns about its centre: ω′ = −k ω², of which k follows from the forces
/// along and across the middle and their moments about the centre of the guide.
/// Slow: a block goes round a circle in two steps, on it and beside it.
#[test]
fn a_block_on_the_outer_face_of_a_round_guide_is_braked_as_the_closed_form_says() {
    // The face as the path itself, and beside a path, without friction.
    on_a_round_face(1.1, 0.0, 0.2);
    on_a_round_face(1.0, 0.2, 0.0);
}

fn on_a_round_face(radius: f64, width: f64, mu: f64) {
    let (mass, inertia) = (2.0_f64, 0.004);
    let (half, height) = (0.1_f64, 0.16);
    let face = radius + 0.5 * width;
    let friction = match mu {
        0.0 => String::new(),
        _ => format!("friction.coulomb = {{ coefficient = {mu:?} }}"),
    };
    let surface = match width {
        0.0 => "\"block.outer\"",
        _ => "\"block.outer\", \"block.inner\"",
    };
    // Its outer corners touch the outer face.
    let outer = (face * face - half * half).sqrt();
    let middle = outer - 0.5 * height;
    let alpha = half.atan2(outer);
    let (sin, cos) = alpha.sin_cos();
    // S cos α − μ D sin α = m r ω²,  −D sin α − μ S cos α = m r ω′,  (J + m r²) ω′ = −μ S ρ: by ω² = 1 with ω′ = −k.
    let turning = mu * face / (inertia + mass * middle * middle);
    // D sin α = S (m r turning − μ cos α), so S (cos α − μ (m r turning − μ cos α)) = m r.
    let apart = mass * middle * turning - mu * cos;
    let sum = mass * middle / (cos - mu * apart);
    assert!((sum * apart / sin).abs() < sum, "both corners bear");
    let k = turning * sum;
    let omega = 3.0;
    for step in [1e-3_f64, 5e-4] {
        let mut sim = Mechanism::new("round")
            .solver(format!("step = {step:e}"))
            .points(format!("a = [-{radius:?}, 0.0], b = [{radius:?}, 0.0]"))
            .and(format!("ll = [-{half:?}, {:?}]", outer - height))
            .and(format!("lr = [{half:?}, {:?}], ur = [{half:?}, {outer:?}]", outer - height))
            .and(format!("ul = [-{half:?}, {outer:?}], middle = [0.0, {middle:?}]"))
            .body("block", format!("rigid = true, mass = {mass:?}, inertia = {inertia:?}"))
            .and("order = 1, points = ['middle']")
            .patch("block", [1, 1], "inner: ll, front: lr, outer: ur, rear: ul")
            .guide("over", ["a", "b"], format!("arc = {{ through = [0.0, {radius:?}] }}"))
            .and("elements = 40, order = 4")
            .guide("under", ["b", "a"], format!("arc = {{ through = [0.0, -{radius:?}] }}"))
            .and("elements = 40, order = 4")
            .contact("guide", format!("surface = [{surface}], path = ['over', 'under']"))
            .and(format!("closed = true, width = {width:?}, rigid = true, {friction}"))
            .entry("initial", "velocities = 'rigid_mechanism'")
            .start("middle", format!("vx = {:?}, rotation_rate = {:?}", omega * middle, -omega))
            .outputs("points.middle.* energy.*")
            .simulation();
        let (mut worst, mut balance) = (0.0_f64, 0.0_f64);
        sim.run(3.0, 0.01, |sim| {
            let expected = -omega / (1.0 + k * omega * sim.time());
            let found = sim.get("points.middle.rotation_rate");
            worst = worst.max((found / expected - 1.0).abs());
            balance = balance.max(sim.get("energy.balance").abs());
        });
        let pressed = sim.get("contacts.guide.normal_force");
        let rate = sim.get("points.middle.rotation_rate");
        println!("{step:e}: off by {worst:e}, balance {balance:e} J; {pressed} N");
        assert!(worst < 1e-6 * (step / 5e-4).powi(2), "{step}: {worst:e}");
        assert!((pressed / (sum * rate * rate) - 1.0).abs() < 1e-5, "{pressed}");
        assert_eq!(sim.get("contacts.guide.sides"), 1.0);
    }
}

/// A rigid slider and its guide that nothing holds, an elastic tube: faces beside its axis hand it forces and moments so that momentum and angular
/// momentum stay, whatever strikes and rubs.
#[test]
fn corners_that_strike_a_free_guide_keep_momentum_and_angular_momentum() {
    // The time integration of a beam that turns and bends keeps its angular momentum to second order.
    for (path, kept) in [("tube", 1e-6), ("rail", 1e-12)] {
        let carrier = match path {
            "tube" => "material = 'steel', section = 'tube', elements = 4",
            _ => "rigid = true, mass = 3.0, inertia = 0.8",
        };
        let mut sim = Mechanism::new("free")
            .step(1e-4)
            .points("a = [-1.0, 0.0], b = [1.0, 0.0], ll = [-0.1, -0.05], lr = [0.1, -0.05]")
            .and("ur = [0.1, 0.05], ul = [-0.1, 0.05], middle = [0.0, 0.0]")
            .material("steel", 2e9, 0.3, 7850.0)
            .section("tube", "rectangle = { width = 0.02, height = 0.02 }")
            .body("slider", "rigid = true, mass = 1.0, inertia = 0.004, order = 1")
            .and("points = ['middle']")
            .member(path, ["a", "b"], carrier)
            .patch("slider", [1, 1], "lower: ll, front: lr, upper: ur, rear: ul")
            .contact("guide", "surface = ['slider.lower', 'slider.upper']")
            .and(format!("path = ['{path}'], width = 0.1, clearance = 2e-3, rigid = true"))
            .and("restitution = 0.5, impact_friction = true")
            .and("friction.coulomb = { coefficient = 0.3 }")
            .entry("initial", "velocities = 'rigid_mechanism'")
            .start("middle", "vx = 1.0, vy = 0.5, rotation_rate = 2.0")
            .start("a", "vx = 0.0, vy = 0.0, rotation_rate = 0.0")
            .outputs("mechanism.* energy.* points.middle.*")
            .simulation();
        let read = |sim: &Simulation| {
            ["momentum_x", "momentum_y", "angular_momentum"]
                .map(|what| sim.get(&format!("mechanism.{what}")))
        };
        let begun = read(&sim);
        let mut worst = [0.0_f64; 3];
        sim.run(0.3, 1e-3, |sim| {
            for (worst, (now, begun)) in worst.iter_mut().zip(read(sim).into_iter().zip(begun)) {
                *worst = worst.max((now - begun).abs());
            }
        });
        let lost = sim.get("energy.impact_loss");
        println!("{path}: {begun:?} changes by {worst:?}; {lost} J in impacts");
        assert!(lost > 0.02, "{lost}");
        assert!(worst[0].max(worst[1]) < 1e-12, "{worst:?}");
        assert!(worst[2] < kept, "{worst:?}");
        assert!(sim.get("energy.balance").abs() < 1e-3, "{path}");
    }
}

/// The faces of a rigid member bear like those of a block of its size.
#[test]
fn faces_of_a_rigid_member_are_those_of_a_block() {
    let scene = |body: Mechanism, surface: &str| {
        let text = Mechanism::new("bar")
            .step(1e-4)
            .points("a = [-3.0, 0.0], b = [3.0, 0.0], left = [-0.2, 0.0], right = [0.2, 0.0]")
            .and("ll = [-0.2, -0.05], lr = [0.2, -0.05], ur = [0.2, 0.05], ul = [-0.2, 0.05]")
            .material("steel", 2e11, 0.3, 7850.0)
            .rectangle("bar", 0.1, 0.02)
            .add(body.text())
            .guide("axis", ["a", "b"], "elements = 1, order = 1")
            .contact("guide", format!("surface = [{surface}], path = ['axis'], width = 0.1"))
            .and("clearance = 1e-3, rigid = true, restitution = 0.3, impact_friction = true")
            .and("friction.coulomb = { coefficient = 0.2 }")
            .gravity(-9.81)
            .entry("initial", "velocities = 'rigid_mechanism'")
            .start("left", "vx = 2.0, vy = 0.3, rotation_rate = 1.0")
            .outputs("points.left.* energy.*")
            .text();
        Simulation::of(&text)
    };
    let mass = 7850.0 * 0.02 * 0.1 * 0.4;
    // A thin bar, or with what its section has.
    let inertia = mass * (0.4_f64.powi(2)) / 12.0;
    let mut bar = scene(
        Mechanism::part()
            .member("bar", ["left", "right"], "material = 'steel', section = 'bar'")
            .and("rigid = true, rotary_inertia = false"),
        "'bar.left', 'bar.right'",
    );
    let mut block = scene(
        Mechanism::part()
            .body("block", format!("rigid = true, mass = {mass:?}, inertia = {inertia:?}"))
            .and("order = 1, points = ['left', 'right']")
            .patch("block", [1, 1], "lower: ll, front: lr, upper: ur, rear: ul"),
        "'block.upper', 'block.lower'",
    );
    for sim in [&mut bar, &mut block] {
        sim.run(0.1, 1e-3, |_| ());
    }
    for what in [
        "points.left.x",
        "points.left.y",
        "points.left.vx",
        "energy.impact_loss",
        "energy.friction_work",
    ] {
        let [one, other] = [&bar, &block].map(|sim| sim.get(what));
        println!("{what}: {one} {other}");
        assert!((one - other).abs() < 1e-9, "{what}: {one} {other}");
    }
    assert!(bar.get("energy.impact_loss") > 1e-3);
}

/// Two corners of one sole on the path itself are what two joints are, to the last bit.
#[test]
fn a_sole_on_the_path_itself_is_its_two_joints_to_the_bit() {
    let joints = super::block(1e-3, 0.02, ", restitution = 0.4");
    let text = super::block_text(
        1e-3,
        0.02,
        "[contacts.table]\nsurface = [\"block.sole\"]\npath = [\"table\"]\nrigid = true\nrestitution = 0.4\n",
    );
    let (mut joints, mut contact) = (joints, Simulation::of(&text));
    for _ in 0..300 {
        joints.step(1e-3);
        contact.step(1e-3);
        for what in ["x", "y", "vy", "rotation", "rotation_rate"] {
            let path = format!("points.middle.{what}");
            assert_eq!(joints.get(&path).to_bits(), contact.get(&path).to_bits());
        }
    }
}
