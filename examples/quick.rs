use coulisse::laws::friction::*;
use coulisse::model::checked::*;
use coulisse::model::history::MotionLaw;
use coulisse::solve::{Stepper, start};
use coulisse::system::System;

fn prop(e: f64) -> Option<Properties> {
    let a: f64 = 0.0598;
    Some(Properties { young_modulus: e, shear_modulus: e / 2.0, density: 1724.82, area: a * a,
        second_moment: a.powi(4) / 12.0, fourth_moment: a.powi(6) / 80.0, rotary_inertia: false })
}
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let friction = args.get(1).map_or("on", |s| s) == "on";
    let dt: f64 = args.get(2).map_or(1e-4, |s| s.parse().unwrap());
    let tend: f64 = args.get(3).map_or(1.6, |s| s.parse().unwrap());
    let nel: usize = args.get(4).map_or(10, |s| s.parse().unwrap());
    let pi = std::f64::consts::PI;
    let phi = -(0.4f64).asin();
    let r = [0.0, 0.5];
    let s = [0.2 * phi.cos(), 0.5 + 0.2 * phi.sin()];
    let bs = s[0].hypot(s[1]);
    let a = [s[0] / bs, s[1] / bs];
    let ny = 1.05;
    let n = [a[0] - (0.25f64 * 0.25 - (ny - a[1]) * (ny - a[1])).sqrt(), ny];
    eprintln!("# S {s:?} A {a:?} N {n:?}");
    let pt = |name: &str, p: [f64; 2]| Point { name: name.into(), position: p };
    let mem = |name: &str, from, to, elements, p| Member { name: name.into(), from, to, elements, order: 3, properties: p };
    let law = Friction::Stribeck(Stribeck { static_coefficient: 0.35, kinetic_coefficient: 0.30, decay_velocity: 0.1, decay_exponent: 1.0, viscous_coefficient: 0.0, transition: match args.get(5).map_or("r", |s| s.as_str()) {"p"=>Transition::SiqueiraCoda2023,"m"=>Transition::Multiplier,_=>Transition::ReturnMap} });
    let m = Checked {
        name: "q".into(), description: String::new(),
        solver: Solver { analysis: Analysis::Dynamic, method: Method::GeneralizedAlpha, step: dt, spectral_radius: 0.9, max_iterations: 25, position_tolerance: 1e-10, force_tolerance: 1e-8, max_halvings: 10 },
        experiment: Experiment { stop_time: tend, communication_step: 1e-3 },
        points: vec![pt("B", [0., 0.]), pt("A", a), pt("R", r), pt("S", s), pt("N", n), pt("G0", [-1.0, ny]), pt("G1", [1.0, ny])],
        members: vec![mem("arm", 0, 1, nel, prop(47.04e9)), mem("crank", 2, 3, 2, prop(47.04e15)), mem("link", 4, 1, 2, prop(47.04e15)), mem("guide", 5, 6, 1, None)],
        hinges: vec![Hinge { name: "A".into(), point: 1, released: vec![0, 2] }],
        masses: vec![Mass { name: "S".into(), point: 3, mass: 0.31, rotary_inertia: 0.0, member: None }, Mass { name: "N".into(), point: 4, mass: 2.5, rotary_inertia: 0.0, member: None }],
        supports: vec![
            Support { name: "B".into(), target: Target::Point { point: 0, member: None }, fixed: vec![Direction::X, Direction::Y] },
            Support { name: "R".into(), target: Target::Point { point: 2, member: None }, fixed: vec![Direction::X, Direction::Y] },
            Support { name: "guide".into(), target: Target::Member(3), fixed: vec![Direction::X, Direction::Y, Direction::Rotation] }],
        sliders: vec![
            Slider { name: "S".into(), kind: SliderKind::Cylindrical, point: 3, member: None, path: vec![PathMember { member: 0, reversed: false }], ends: PathEnds::Error, friction: Friction::None, sliding_mass: None },
            Slider { name: "N".into(), kind: SliderKind::Cylindrical, point: 4, member: None, path: vec![PathMember { member: 3, reversed: false }], ends: PathEnds::Error, friction: if friction { law } else { Friction::None }, sliding_mass: Some(2.5) }],
        motions: vec![Motion { name: "crank".into(), target: Target::Point { point: 2, member: None }, direction: Direction::Rotation, law: MotionLaw::Rate(5.0 * pi) }],
        loads: vec![], gravity: [0.0; 2],
        start: Start { velocities: StartVelocities::RigidMechanism, given: vec![] },
        probes: vec![Probe { name: "tip".into(), kind: ProbeKind::Deflection { point: 1, from: 0, member: None } }],
        parameters: vec![], inputs: vec![], outputs: vec![],
    };
    let system = System::build(&m).unwrap();
    eprintln!("equations {} border {}", system.equations(), system.border());
    let mut st = start(&system, &[]).unwrap();
    let mut stepper = Stepper::new(&system);
    let outs = [Output::Probe(0), Output::PointPosition { point: 4, direction: Direction::X }, Output::SliderVelocity(1), Output::SliderPosition(0), Output::NormalForce(1), Output::FrictionForce(1), Output::Energy(Energy::Balance), Output::MotionReaction(0)];
    let h = if dt > 2e-4 { dt } else { 2e-4 };
    let nsteps = (tend / h).round() as usize;
    println!("t,defl_A,xN,vN,sS,FN,Ff,bal,M");
    let mut spent = 0.0;
    for i in 0..=nsteps {
        print!("{}", st.time);
        for o in outs { print!(",{:.9e}", system.read(&st, o)); }
        println!();
        if i < nsteps {
            let t0 = std::time::Instant::now();
            if let Err(e) = stepper.advance(&system, &mut st, i as f64 * h, h) { eprintln!("{e}"); break; }
            spent += t0.elapsed().as_secs_f64();
        }
    }
    eprintln!("steps {:?} {:.2} us/step, {:.2} iterations/step", st.counters, spent / st.counters.steps as f64 * 1e6, st.counters.iterations as f64 / st.counters.steps as f64);
}
