//! Two kinds of elements in one mechanism: frames and bars without rotations.

use crate::checked::Checked;
use crate::checked::Subject;
use crate::elements::bar::BarKernel;
use crate::elements::group::{Block, Elements, TangentRoom};
use crate::model::Model;
use crate::numerics::positions::Positions;
use crate::system::outputs::OfEnergy;
use crate::system::{Bodies, Group, Iterate, Owner, RigidMotions, State, System, Workspace};

/// A cantilever of three elements from O to A, and a mass at B, which bars are to hold.
const MODEL: &str = r#"
name = "Mixed"
[solver]
step = 1e-3
[points]
O = [0.0, 0.0]
A = [1.0, 0.0]
B = [1.2, 0.9]
C = [-0.1, 0.8]
[materials.soft]
young_modulus = 2e5
poisson_ratio = 0.3
density = 1000.0
[sections.strip]
rectangle = { height = 0.05, width = 0.04 }
[members.beam]
from = "O"
to = "A"
elements = 3
order = 2
material = "soft"
section = "strip"
[supports.O]
point = "O"
fix = ["x", "y", "rotation"]
[supports.C]
point = "C"
fix = ["x", "y"]
[masses.B]
point = "B"
mass = 2.0
[gravity]
y = -9.81
"#;

/// Mass per length of the bars, kg/m.
const BAR: f64 = 0.7;

fn checked() -> Checked {
    let none = |name: &str| Err::<String, _>(std::io::Error::other(name.to_string()));
    let model = Model::parse(MODEL, "mixed.toml", &none).unwrap_or_else(|f| panic!("{f}"));
    model.check().unwrap_or_else(|f| panic!("{f}"))
}

/// The mechanism with a bar between each of these pairs of points.
fn with_bars(pairs: &[[&str; 2]]) -> System {
    let model = checked();
    let nodes = model.nodes();
    let id = |name: &str| model.points.iter().position(|p| p.name == name);
    let ends = |pair: &[&str; 2]| pair.map(|name| id(name).expect("a point"));
    let kernel = |pair: &[&str; 2]| {
        let [[a, b], [c, d]] = ends(pair).map(|point| model.points[point].position);
        BarKernel { stiffness: 300.0, length: (c - a).hypot(d - b), density: BAR }
    };
    let kernels = pairs.iter().map(kernel).collect();
    let unknowns = pairs.iter().flat_map(ends).flat_map(|p| nodes.of_place(p));
    let bars = Block::new(kernels, 4, unknowns.collect());
    let mut groups: Vec<Group> =
        (0..model.members.len()).filter_map(|id| Group::of_member(&model, id, &nodes)).collect();
    groups.push(Group { owner: Owner::Bars, elements: Elements::Bar(bars) });
    System::of(&model, &[], nodes, groups).unwrap_or_else(|f| panic!("{f}"))
}

fn mixed() -> System {
    with_bars(&[["A", "B"], ["C", "B"], ["O", "B"]])
}

/// Bent and stretched.
fn deformed(system: &System) -> Vec<f64> {
    let moved = |(i, q): (usize, &f64)| q + 0.02 * (1.7 * i as f64).sin();
    system.initial().iter().enumerate().map(moved).collect()
}

fn strain_energy(system: &System, q: &[f64]) -> f64 {
    let mut state = State::initial(system, &[]);
    state.q = Positions::from(q);
    system.read(&state, OfEnergy::Strain.of(Subject::Energy))
}

/// The internal forces at `q`, and the matrix of the tangent there.
fn evaluate(system: &System, q: &[f64]) -> Workspace {
    let (mut at, mut work) = (Iterate::new(system), Workspace::new(system));
    at.q = Positions::from(q);
    system.residual_and_tangent(&at, &mut work, None);
    work
}

/// The derivative of `f` by unknown `u` at `q`: of fourth order, so that 1e-3 of a metre errs by 1e-10.
fn derivative(q: &[f64], u: usize, f: impl Fn(&[f64]) -> f64) -> f64 {
    let at = |h: f64| {
        let mut moved = q.to_vec();
        moved[u] += h;
        f(&moved)
    };
    let slope = |h: f64| (at(h) - at(-h)) / (2.0 * h);
    (4.0 * slope(1e-3) - slope(2e-3)) / 3.0
}

#[test]
fn forces_of_all_kinds_are_the_gradient_of_the_strain_energy() {
    let system = mixed();
    let q = deformed(&system);
    let force = evaluate(&system, &q).residual;
    let largest = force.iter().fold(0.0_f64, |a, f| a.max(f.abs()));
    for (u, force) in force.iter().enumerate() {
        let slope = derivative(&q, u, |q| strain_energy(&system, q));
        assert!((slope - force).abs() < 1e-7 * largest, "{u}: {slope} {force}");
    }
}

#[test]
fn the_tangent_of_all_kinds_is_that_of_their_forces_and_symmetric() {
    let system = mixed();
    let q = deformed(&system);
    let work = evaluate(&system, &q);
    let stiffest = work.stiffness.iter().fold(0.0_f64, |a, k| a.max(*k));
    let matrix = &work.matrix.interior;
    let unit = |u: usize| (0..system.nodal).map(move |w| f64::from(u8::from(u == w)));
    for (e, &u) in system.unknown.iter().enumerate() {
        let column: Vec<f64> = unit(u).collect();
        let mut product = vec![0.0; system.nodal];
        let room = &mut TangentRoom::default();
        system.tangent_times(&Positions::from(&q[..]), &column, 0.0, &mut product, room);
        for (f, &w) in system.unknown.iter().enumerate() {
            let slope = derivative(&q, u, |q| evaluate(&system, q).residual[w]);
            let entry = matrix.layout.find(e, f);
            let entry = entry.map_or(0.0, |place| matrix.values[place]);
            for seen in [entry, product[w]] {
                assert!((slope - seen).abs() < 1e-7 * stiffest, "{u} {w}: {slope} {seen}");
            }
        }
    }
}

#[test]
fn mass_and_weight_are_those_of_beam_bars_and_what_is_lumped() {
    let system = mixed();
    let bars = [0.2_f64.hypot(0.9), 1.3_f64.hypot(0.1), 1.2_f64.hypot(0.9)];
    let whole = 1000.0 * 0.05 * 0.04 + 2.0 + BAR * bars.iter().sum::<f64>();
    for direction in 0..2 {
        let mut motion = vec![0.0; system.nodal];
        for position in system.nodes.positions() {
            motion[position[direction]] = 1.0;
        }
        let mut momentum = vec![0.0; system.nodal];
        system.mass.forces(&motion, &mut momentum);
        let weight: f64 = system.loads.gravity.weight[direction].iter().map(|(_, m)| m).sum();
        for mass in [momentum.iter().sum(), weight] {
            assert!((mass - whole).abs() < 1e-12 * whole, "{mass} {whole}");
        }
    }
}

#[test]
fn the_most_crushed_element_is_named_in_the_words_of_its_kind() {
    let system = mixed();
    let mut q = deformed(&system);
    assert_eq!(evaluate(&system, &q).crushed, None);
    let point = |name: &str| {
        let points = &system.model.points;
        let id = points.iter().position(|p| p.name == name);
        system.nodes.of_place(id.expect("a point"))
    };
    for (b, c) in point("B").into_iter().zip(point("C")) {
        q[b] = q[c];
    }
    let crushed = evaluate(&system, &q).crushed.expect("a crushed bar");
    let words = system.groups[crushed.group].describe_crushed(&system.model, crushed.element);
    assert_eq!(words, "element 2 of the bars has less than a tenth of its length");
}

#[test]
fn the_mobility_that_bars_leave_is_found_and_named() {
    let one = with_bars(&[["A", "B"]]);
    let said = RigidMotions::of(&one).in_statics().expect("a free part");
    assert_eq!(said, "the bars rotates about point `A`");
    // Two bars hold a point.
    assert_eq!(RigidMotions::of(&mixed()).in_statics(), None);
    assert_eq!(RigidMotions::of(&with_bars(&[["A", "B"], ["C", "B"]])).in_statics(), None);
}

#[test]
fn elements_that_share_two_nodes_are_one_body_and_those_that_share_one_are_hinged() {
    let count = |pairs: &[[&str; 2]]| Bodies::of(&with_bars(pairs)).list.len();
    // The beam and the lone point C are two more.
    assert_eq!(count(&[["A", "B"]]), 3);
    assert_eq!(count(&[["A", "B"], ["B", "A"]]), 3);
    assert_eq!(count(&[["A", "B"], ["B", "O"]]), 4);
    // A, O and the beam between them are shared with all of a triangle.
    assert_eq!(count(&[["A", "O"], ["B", "O"]]), 3);
}
