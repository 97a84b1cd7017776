//! The static equilibrium that a dynamic run may start from, and a quasi-static one does.

use crate::common::edit::Edit;
use crate::common::mechanism::Mechanism;
use crate::common::{self, Simulation};

/// A cantilever of 2 m with a weight at its tip.
fn cantilever(more: &str) -> String {
    Mechanism::new("cantilever")
        .step(1e-3)
        .gravity(-9.81)
        .entry("initial", "equilibrium = true")
        .points("wall = [0.0, 0.0], tip = [2.0, 0.0]")
        .steel()
        .rectangle("strip", 0.01, 0.05)
        .member("beam", ["wall", "tip"], "elements = 8, material = 'steel', section = 'strip'")
        .clamp("wall")
        .add(more)
        .outputs("points.tip.* supports.wall.* energy.*")
        .text()
}

/// Largest velocity of any unknown during `end` seconds.
fn restlessness(simulation: &mut Simulation, end: f64) -> f64 {
    let mut largest = 0.0_f64;
    simulation.run(end, 1e-3, |now| {
        let fastest = now.state.velocity.iter();
        largest = fastest.fold(largest, |a, v| a.max(v.abs()));
    });
    largest
}

#[test]
fn a_beam_under_its_own_weight_and_a_mass_stays_where_it_starts() {
    let mass = "[masses.tip]\npoint = \"tip\"\nmass = 3.0";
    let mut beam = Simulation::of(&cantilever(mass));
    let sag = beam.get("points.tip.y");
    // Euler-Bernoulli, q = 38.5 N/m, EI = 875 N m²: P L³/3EI + q L⁴/8EI = 0.178 m, less what large
    // rotations take off.
    assert!((-0.178..-0.165).contains(&sag), "{sag}");
    let weight = 9.81 * (3.0 + 7850.0 * 0.01 * 0.05 * 2.0);
    assert!((beam.get("supports.wall.fy") - weight).abs() < 1e-6 * weight);
    // Rounding a position of 2 m changes the forces of so stiff a member by a micronewton.
    let restless = restlessness(&mut beam, 0.5);
    assert!(restless < 1e-9, "{restless:e}");
    assert!((beam.get("points.tip.y") - sag).abs() < 1e-10);
    assert!(beam.get("energy.balance").abs() < 1e-10);
}

#[test]
fn without_it_the_same_beam_swings_through_twice_the_sag() {
    let text = cantilever("").edit("equilibrium = true", "");
    let rest = Simulation::of(&cantilever("")).get("points.tip.y");
    let mut beam = Simulation::of(&text);
    let mut lowest = 0.0_f64;
    beam.run(1.0, 1e-3, |now| lowest = lowest.min(now.get("points.tip.y")));
    assert!((lowest / rest - 2.0).abs() < 0.1, "{lowest} {rest}");
}

/// A block of 2 kg on an elastic beam that slopes by 0.2, with `friction`.
fn block_on_a_slope(friction: &str, initial: &str) -> String {
    Mechanism::new("slope")
        .step(1e-3)
        .gravity(-9.81)
        .entry("initial", "equilibrium = true")
        .add(initial)
        .points("low = [0.0, 0.0], high = [2.0, 0.4], block = [1.0, 0.2]")
        .steel()
        .rectangle("strip", 0.01, 0.05)
        .member("beam", ["low", "high"], "elements = 4, material = 'steel', section = 'strip'")
        .mass("block", 2.0)
        .support("ends", "point = 'low', fix = ['x', 'y', 'rotation']")
        .support("top", "point = 'high', fix = ['x', 'y', 'rotation']")
        .slider("block", "block", "beam", "")
        .and(friction)
        .outputs("points.block.* energy.*")
        .text()
}

#[test]
fn a_block_that_friction_locks_on_a_sagging_slope_stays_at_rest() {
    for law in ["", ", transition = \"set_valued\""] {
        let friction = format!("friction.coulomb = {{ coefficient = 0.5 {law} }}");
        let mut block = Simulation::of(&block_on_a_slope(&friction, ""));
        let s = block.get("joints.block.position");
        assert!((s - 1.0_f64.hypot(0.2)).abs() < 1e-12, "held where drawn");
        assert!(block.get("points.block.y") < 0.199, "the beam sags");
        assert_eq!(block.get("joints.block.sticking"), 1.0);
        // What holds it is the weight along the slope.
        let force = block.get("joints.block.friction_force");
        let along = 2.0 * 9.81 * 0.4 / 2.0_f64.hypot(0.4);
        assert!((force.abs() - along).abs() < 0.02 * along, "{force} {along}");
        let restless = restlessness(&mut block, 0.2);
        assert!(restless < 1e-10, "{restless:e}");
    }
}

#[test]
fn bristles_start_bent_by_what_they_hold() {
    let friction = "friction.spring_friction = { stiffness = 1e5, coefficient = 0.5 }";
    let mut block = Simulation::of(&block_on_a_slope(friction, ""));
    let along = 2.0 * 9.81 * 0.4 / 2.0_f64.hypot(0.4);
    let bent = block.get("joints.block.micro_displacement");
    assert!((bent.abs() - along / 1e5).abs() < 0.02 * along / 1e5, "{bent}");
    let restless = restlessness(&mut block, 0.2);
    assert!(restless < 1e-10, "{restless:e}");
}

#[test]
fn held_or_free_sliders_as_the_file_says() {
    // Nothing but the ends of the path would stop a free one; a held one starts to slide.
    let text = block_on_a_slope("", "initial.fixed_sliders = \"all\"");
    let mut block = Simulation::of(&text);
    let s = block.state.q.len() - 1;
    assert_eq!(block.state.velocity[s], 0.0);
    // At the instant the elastic slope springs back from what it held; over some periods of that the block slides.
    block.run(0.05, 1e-3, |_| {});
    let a = block.state.velocity[s] / 0.05;
    assert!((-2.5..-1.5).contains(&a), "down the slope with about g sin: {a}");
    let refused = common::refusal(&block_on_a_slope("", ""));
    assert!(refused.contains("joints.block on its path"), "{refused}");
}

/// A rod of 1 m that hangs on a hinge, drawn at `angle` from straight down.
fn pendulum(angle: f64, support: &str) -> String {
    let (x, y) = (angle.sin(), -angle.cos());
    Mechanism::new("pendulum")
        .step(1e-3)
        .gravity(-9.81)
        .entry("initial", "equilibrium = true")
        .points(format!("top = [0.0, 0.0], end = [{x:?}, {y:?}]"))
        .steel()
        .section("rod", "circle = { diameter = 0.02 }")
        .mass("end", 1.0)
        .member("rod", ["top", "end"], "elements = 2, material = 'steel', section = 'rod'")
        .add(support)
        .outputs("points.end.*")
        .text()
}

#[test]
fn a_pendulum_that_only_its_weight_holds_starts_hanging_straight_down() {
    let hinge = "supports.top = { point = \"top\", fix = [\"x\", \"y\"] }";
    for angle in [0.0, 0.3, 1.5, 3.0] {
        let mut rod = Simulation::of(&pendulum(angle, hinge));
        assert!(rod.get("points.end.x").abs() < 1e-9, "{angle}");
        assert!((rod.get("points.end.y") + 1.0).abs() < 1e-6, "{angle}");
        assert_eq!(rod.state.unstable_modes, 0);
        let restless = restlessness(&mut rod, 0.1);
        assert!(restless < 1e-8, "{angle}: {restless:e}");
    }
}

#[test]
fn upright_it_stands_but_unstably() {
    let hinge = "supports.top = { point = \"top\", fix = [\"x\", \"y\"] }";
    let text = pendulum(0.0, hinge).edit("y = -9.81", "y = 9.81");
    assert_eq!(Simulation::of(&text).state.unstable_modes, 1);
}

#[test]
fn what_falls_has_no_equilibrium_and_the_message_says_what_moves() {
    let roller = "supports.top = { point = \"top\", fix = [\"x\", \"rotation\"] }";
    let refused = common::refusal(&pendulum(0.3, roller));
    assert!(refused.contains("has no static equilibrium"), "{refused}");
    assert!(refused.contains("member `rod` translates along y"), "{refused}");
}

#[test]
fn given_velocities_begin_at_the_equilibrium() {
    let start = "[initial.points.tip]\nvy = 1.0";
    let beam = Simulation::of(&cantilever(start));
    assert!(beam.get("points.tip.y") < -0.05);
    assert!((beam.get("points.tip.vy") - 1.0).abs() < 1e-12);
    assert!(beam.get("energy.balance").abs() < 1e-12);
}

#[test]
fn a_wheel_drawn_beside_the_lowest_place_of_a_beam_stands_at_that_place() {
    // Free to slide it has another equilibrium far beyond the end of the beam, on its tangent.
    let mut sim = Mechanism::new("wheel")
        .step(1e-3)
        .gravity(-9.81)
        .entry("initial", "equilibrium = true")
        .points("left = [0.0, 0.0], right = [10.0, 0.0], wheel = [2.0, 0.0]")
        .material("concrete", 20e9, 0.2, 2500.0)
        .rectangle("deck", 0.5, 1.0)
        .member("beam", ["left", "right"], "elements = 4, material = 'concrete'")
        .and("section = 'deck'")
        .pin("left")
        .roller("right")
        .mass("wheel", 100.0)
        .slider("wheel", "wheel", "beam", "")
        .outputs("points.wheel.*")
        .simulation();
    let middle = sim.get("joints.wheel.position");
    assert!((middle - 5.0).abs() < 1e-6, "{middle}");
    sim.run(0.1, 1e-2, |_| ());
    let moved = sim.get("joints.wheel.position") - middle;
    assert!(moved.abs() < 1e-9, "{moved}");
}

/// A mass of 1 kg that only its weight holds; a horizontal force goes up to m g in 1 s.
fn held_by_its_weight(what: &str) -> String {
    Mechanism::new("held")
        .step(0.05)
        .solver("analysis = 'quasi_static'")
        .outputs("points.b.x points.b.y")
        .gravity(-9.81)
        .add(what)
        .mass("b", 1.0)
        .load("h", "point = 'b', fx = 9.81, history.ramp = { duration = 1.0 }")
        .text()
}

fn in_a_bowl() -> String {
    Mechanism::part()
        .points("l = [-1.0, 0.0], r = [1.0, 0.0], b = [0.0, -1.0]")
        .guide("ring", ["l", "r"], "elements = 30, arc.angle = 'pi'")
        .slider("b", "b", "ring", "")
        .text()
}

fn on_a_bar() -> String {
    Mechanism::part()
        .points("o = [0.0, 0.0], b = [0.0, -1.0]")
        .material("m", 210e9, 0.3, 0.0)
        .section("s", "circle = { diameter = 0.02 }")
        .pin("o")
        .beam("p", ["o", "b"], [1, 1], "m s")
        .text()
}

#[test]
fn what_only_its_weight_holds_goes_where_its_forces_meet() {
    // The chain of 30 straight pieces is off the circle by 1 − cos(π/60); the bar of steel stretches by 2e-7.
    for (what, off) in [(&in_a_bowl(), 1.4e-3), (&on_a_bar(), 1e-6)] {
        let mut sim = Simulation::of(&held_by_its_weight(what));
        sim.run(1.0, 0.05, |sim| {
            let t = sim.time();
            let ramp = t.powi(3) * (10.0 - 15.0 * t + 6.0 * t * t);
            let angle = ramp.atan();
            let [x, y] = ["x", "y"].map(|axis| sim.get(&format!("points.b.{axis}")));
            assert!((x - angle.sin()).abs() < off, "{x} {angle}");
            assert!((y + angle.cos()).abs() < off, "{y} {angle}");
        });
    }
}

#[test]
fn what_nothing_holds_in_its_equilibrium_either_is_refused() {
    let weightless = held_by_its_weight(&on_a_bar()).edit("y = -9.81", "y = 0.0");
    let fault = common::refusal(&weightless);
    assert!(fault.contains("rigid-body mode, in which member `p` rotates"), "{fault}");
}

/// Two bars of 0.5 m and 46.2 N each that lean on each other; the foot of the second is driven on a rough guide.
fn leaning() -> String {
    Mechanism::new("bar")
        .step(2e-4)
        .gravity(-9.81)
        .points("A = [0.0, 0.0], B = [0.8, 0.0], M = [0.4, 0.3], left = [0.2, 0.0]")
        .and("right = [1.2, 0.0]")
        .steel()
        .rectangle("bar", 0.06, 0.02)
        .member("a", ["A", "M"], "elements = 2, material = 'steel', section = 'bar'")
        .member("b", ["M", "B"], "elements = 2, material = 'steel', section = 'bar'")
        .guide("base", ["left", "right"], "elements = 1")
        .pin("A")
        .joint("M", "hinge = { point = 'M', release = ['b'] }")
        .slider("B", "B", "base", "")
        .and("friction.coulomb = { coefficient = 0.1 }")
        .motion("B", "point = 'B', direction = 'x', amplitude = -0.1")
        .and("history.ramp = { duration = 1.0 }")
        .entry("initial", "equilibrium = true")
        .outputs("joints.B.* motions.B.*")
        .text()
}

#[test]
fn a_driven_slider_with_friction_starts_in_equilibrium_whichever_sliders_are_held() {
    let weight = 7850.0 * 0.06 * 0.02 * 0.5 * 9.81;
    for held in ["friction", "all", "none"] {
        let key = format!("equilibrium = true\nfixed_sliders = \"{held}\"");
        let mut sim = Simulation::of(&leaning().edit("equilibrium = true", &key));
        let first = sim.get("joints.B.normal_force");
        // The guide bears the weight of one bar; bending of the bars changes it by 1e-5.
        assert!((first / weight - 1.0).abs() < 1e-4, "{held}: {first} N, {weight} N");
        // Halfway along the ramp the motion pushes against thrust and friction.
        sim.run(0.5, 0.01, |_| {});
        let [x, height] = [0.375, (0.25_f64 - 0.375 * 0.375).sqrt()];
        let exact = -(0.5 * weight * x / height + 0.1 * weight);
        let seen = sim.get("motions.B.reaction");
        // 9.4 kg at 0.19 m/s on arcs of half a metre.
        assert!((seen - exact).abs() < 0.7, "{seen} N, {exact} N");
        println!("{held}: {first} N, {seen} N of {exact} N");
    }
}

/// A lever of 0.12 m on a pivot that a torsion spring of 3.2 N·m/rad, preloaded by 2.4 N·m, turns against an elastic stop at its tip.
fn lever_before_a_stop(member: &str, gap: f64) -> Mechanism {
    Mechanism::new("lever")
        .step(1e-4)
        .points(format!("pivot = [0.0, 0.0], tip = [0.0, 0.12], stop = [{gap:?}, 0.12]"))
        .steel()
        .rectangle("finger", 0.008, 0.01)
        .member("lever", ["pivot", "tip"], member)
        .pin("pivot")
        .entry("springs.closing", "to = 'pivot', direction = 'rotation', stiffness = 3.2")
        .and("preload = 2.4")
        .entry("springs.stop", "ground = 'stop', to = 'tip', direction = 'x'")
        .and("stop = { most = 0, stiffness = 2e6 }")
        .outputs("points.* springs.*")
}

#[test]
fn a_preloaded_lever_starts_in_balance_on_its_elastic_stop() {
    let elastic = "elements = 4, material = 'steel', section = 'finger'";
    let rigid = "rigid = true, mass = 0.1, inertia = 1e-4";
    for member in [elastic, rigid] {
        for gap in [0.0, 1e-3, 1e-2, 3e-2] {
            for analysis in ["", "analysis = 'quasi_static'"] {
                let lever = lever_before_a_stop(member, gap).solver(analysis);
                let lever = if analysis.is_empty() {
                    lever.entry("initial", "equilibrium = true")
                } else {
                    lever
                };
                let sim = Simulation::of(&lever.text());
                let [x, y] = ["x", "y"].map(|axis| sim.get(&format!("points.tip.{axis}")));
                let force = 2e6 * (x - gap);
                // Moments about the pivot; 64 roundings of a position times the stiffness of the lever along itself, 1.4e8 N/m, are 1e-7 N.
                let spring = 2.4 + 3.2 * sim.get("points.pivot.rotation");
                assert!(
                    (force * y - spring).abs() < 1e-6,
                    "{member} {gap}: {force} N, {spring} N m"
                );
                assert!((sim.get("springs.stop.force") - force).abs() < 1e-6, "{gap}");
                assert_eq!(sim.state.unstable_modes, 0, "{member} {gap}");
            }
        }
    }
}

/// Rigid rods of 1 m with bobs of 2 kg that hang on each other, drawn at these `angles` (°) from straight down.
fn rigid_pendulum(angles: &[f64], rod: &str) -> Simulation {
    let (mut at, mut points) = ([0.0, 0.0], "p0 = [0.0, 0.0]".to_string());
    let mut chain = Mechanism::new("pendulum")
        .step(1e-3)
        .gravity(-9.81)
        .entry("initial", "equilibrium = true")
        .pin("p0")
        .outputs("points.*");
    for (i, angle) in angles.iter().enumerate() {
        let (sine, cosine) = angle.to_radians().sin_cos();
        at = [at[0] + sine, at[1] - cosine];
        points += &format!(", p{} = [{:?}, {:?}]", i + 1, at[0], at[1]);
        let ends = [format!("p{i}"), format!("p{}", i + 1)];
        chain = chain
            .member(format!("rod{i}"), [&ends[0], &ends[1]], format!("rigid = true{rod}"))
            .mass(&ends[1], 2.0);
        if i > 0 {
            chain = chain.joint(&ends[0], format!("hinge = {{ point = '{}' }}", ends[0]));
        }
    }
    Simulation::of(&chain.points(points).text())
}

#[test]
fn rigid_pendulums_start_hanging_straight_down_wherever_they_are_drawn() {
    let mut cases: Vec<Vec<f64>> =
        (1..180).step_by(2).map(|degrees| vec![f64::from(degrees)]).collect();
    cases.extend((1..12).map(|i| vec![f64::from(15 * i), f64::from((70 * i) % 180)]));
    cases.push(vec![90.0, 90.0]);
    for angles in &cases {
        for rod in ["", ", mass = 0.5, inertia = 0.04"] {
            let sim = rigid_pendulum(angles, rod);
            for i in 1..=angles.len() {
                let [x, y] = ["x", "y"].map(|axis| sim.get(&format!("points.p{i}.{axis}")));
                assert!(x.abs() < 1e-9, "{angles:?}{rod}: x = {x}");
                assert!((y + i as f64).abs() < 1e-9, "{angles:?}{rod}: y = {y}");
            }
            assert_eq!(sim.state.unstable_modes, 0, "{angles:?}{rod}");
            let turned = sim.get("points.p0.rotation") + angles[0].to_radians();
            assert!(turned.abs() < 1e-9, "{angles:?}{rod}: it has turned by {turned} rad more");
        }
    }
}
