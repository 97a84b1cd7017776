//! Builds a [`System`] from a checked model.

use std::f64::consts::TAU;

mod path;
mod pattern;
mod surface_pieces;
mod surfaces;

use nalgebra_sparse::coo::CooMatrix;
use nalgebra_sparse::csr::CsrMatrix;

use self::pattern::{cliques, floating};
use super::followers;
use super::motions::bearers;
use super::stress::Around;
use super::terms::gravity::Gravity;
use super::terms::hinges::HingePressures;
use super::terms::line_loads::{BodyLoad, LineLoads};
use super::terms::loads::Loads;
use super::terms::measure::{Measure, Measured};
use super::terms::pins::{Pin, Pins, PlacedCoupling};
use super::terms::point_loads::PointLoads;
use super::terms::springs::{PlacedSpring, Springs};
use super::{
    Damping, ElementGroups, Equations, Given, Group, Mass, Motion, Motions, Owner, Slider,
    SliderJoints, System, SystemFault, Until,
};
use crate::checked::{
    Analysis, Bearing, Carrier, Checked, Coupling, Direction, MemberLine, PathEnds, SliderKind,
    Target,
};
use crate::joints::path::Path;
use crate::laws::rayleigh::Rayleigh;
use crate::linear::{Bordered, Follower, Layout};
use crate::nodes::Nodes;
use crate::numerics::plane;
use crate::numerics::positions::Positions;

/// Most entries of the factors: beyond, memory would end before the first step does.
const MOST_ENTRIES: usize = 200_000_000;

/// Most entries of all elements' tangents, for the same reason.
const MOST_COUPLINGS: usize = 50_000_000;

/// Share of a displacement that a spring or coupling has to measure to act on it; less is rounding of its direction.
const ACROSS: f64 = 1e-9;

impl System {
    /// Numbers the unknowns, assembles the mass and places the joints; each entry of the model's
    /// damping has its law in `damping`.
    ///
    /// # Errors
    /// When friction acts on a slider without mass, or an element of a body is turned inside out, or the matrix has no
    /// room.
    pub fn with_damping(model: &Checked, damping: &[Rayleigh]) -> Result<System, SystemFault> {
        let nodes = model.nodes();
        let members = 0..model.members.len();
        let mut groups: Vec<Group> =
            members.filter_map(|id| Group::of_member(model, id, &nodes)).collect();
        for id in 0..model.bodies.len() {
            groups.extend(Group::of_body(model, id, &nodes)?);
        }
        System::of(model, damping, nodes, groups)
    }

    /// The system of a model whose elements are `groups`.
    pub(crate) fn of(
        model: &Checked, damping: &[Rayleigh], nodes: Nodes, mut groups: Vec<Group>,
    ) -> Result<System, SystemFault> {
        let nodal = nodes.initial.len();
        let elements = groups.iter().flat_map(|group| group.elements.unknowns());
        let entries = elements.map(|unknowns| unknowns.len().pow(2)).sum();
        if entries > MOST_COUPLINGS {
            return Err(too_large(nodal, "elements", [entries, MOST_COUPLINGS]));
        }
        let bearers = bearers(model, &nodes);
        let mut prescribed: Vec<bool> = bearers.iter().map(Option::is_some).collect();
        let acted = acted_on(model, &nodes);
        for point in (0..model.points.len()).filter(|&p| !is_used(model, p)) {
            for u in nodes.of_place(point).into_iter().filter(|u| !acted[*u]) {
                prescribed[u] = true;
            }
        }
        let mut fixed: Vec<usize> = (0..nodal).filter(|&u| prescribed[u]).collect();
        let inputs = Given::of(model);
        let mut motions = Vec::new();
        for (motion, &input) in model.motions.iter().zip(&inputs.motions) {
            let unknowns = model.prescribed_by(motion, &nodes);
            // A support that moves fixes nothing.
            fixed.retain(|u| !unknowns.contains(u));
            // What is released moves then, also where it was not used by anything but springs.
            for &unknown in &unknowns {
                prescribed[unknown] = motion.release.is_none();
            }
            let at_rest = unknowns.iter().map(|&u| nodes.initial[u]).collect();
            let law = motion.law.clone();
            motions.push(Motion {
                name: motion.name.clone(),
                turns: unknowns.iter().any(|&u| nodes.is_rotation[u]),
                initial: at_rest,
                unknowns,
                law,
                input,
                release: None,
            });
        }

        let mass = mass_matrix(model, &nodes, &groups, |_| true);
        let size = extent(model);
        let dynamic = model.solver.analysis == Analysis::Dynamic;
        let rest = (0..nodal).filter(|&u| prescribed[u]).map(|u| (u, nodes.initial[u])).collect();
        let (sliders, border, coordinates) = sliders(model, &nodes, (&mass, &prescribed), size)?;
        let mut pins = Pins::of(model, &nodes, border);
        let border = border + pins.rows();
        let contacts = surfaces::of(model, &nodes, sliders.len(), |u| !prescribed[u])?;
        let mut cliques = cliques(&prescribed, &groups, &sliders, BodyLoad::bodies(model, &nodes));
        let hinges = HingePressures::of(model, &nodes, &mut pins);
        let springs = Springs::of(model, &nodes, &inputs);
        cliques.extend(springs.list.iter().map(|spring| {
            let unknowns = spring.measure.unknowns();
            unknowns.filter(|&u| !prescribed[u]).collect()
        }));
        let mut line_loads = LineLoads::of(model, &nodes, &inputs.line_loads);
        for (load, described) in line_loads.list.iter().zip(&model.line_loads) {
            // Elements couple the nodes of elastic members.
            if let Some(Carrier::Member(id)) = described.carrier()
                && model.members[id].rigid.is_some()
            {
                let parts = load.cliques().map(|mut unknowns| {
                    unknowns.retain(|&u| !prescribed[u]);
                    unknowns
                });
                cliques.extend(parts);
            }
        }
        let coupled = pins.list.iter().filter_map(Pin::coupled);
        cliques.extend(coupled.flat_map(PlacedCoupling::cliques).map(|mut unknowns| {
            unknowns.retain(|&u| !prescribed[u]);
            unknowns
        }));
        cliques.append(&mut surfaces::couplings(&contacts, |u| !prescribed[u]));
        let numbering = Numbering::of(&prescribed);
        let free = |u: usize| numbering.equation.of(u);
        let tied = followers::of(&[], &pins.list, free, |_| 0.0);
        let (layout, factors) = numbering.layout(&cliques, (border, &tied))?;
        for Group { elements, .. } in &mut groups {
            elements.connect(|u, w| Some(layout.position(free(u)?, free(w)?)));
        }
        let Numbering { equation, unknown } = numbering;
        let damping = Damping::of(model, damping, &nodes, &groups, (&equation, &layout));
        let weighs = |owner: Owner| !owner.is_among(&model.weightless);
        let heavy =
            (!model.weightless.is_empty()).then(|| mass_matrix(model, &nodes, &groups, weighs));
        let heavy = heavy.as_ref().unwrap_or(&mass);
        let gravity = Gravity {
            written: model.gravity,
            inputs: inputs.gravity,
            weight: [0, 1].map(|component| row_sums(heavy, &nodes, component)),
            initial: nodes.initial.clone(),
        };
        let mut beside = surfaces::beside(&contacts, |u| equation.has(u));
        beside += springs.list.iter().map(PlacedSpring::beside).sum::<usize>();
        beside += damping.as_ref().map_or(0, |own| own.beside(&groups));
        for load in &mut line_loads.list {
            beside += load.connect(&equation, &layout);
        }
        let loads = PointLoads::of(model, &nodes, &inputs.loads);
        let mut initial = nodes.initial.clone();
        initial.extend(coordinates);
        for (motion, described) in motions.iter_mut().zip(&model.motions) {
            let first = initial.len() - sliders.len();
            motion.release = (described.release).map(|r| Until::of(r, &initial[first..]));
        }
        let followers = followers::of(
            &sliders,
            &pins.list,
            |u| equation.of(u),
            |slider| initial[slider.coordinate],
        );
        let mass = Mass::of(mass, &equation, &layout);
        Ok(System {
            nodal,
            floating: floating(&cliques, &prescribed),
            equation,
            initial,
            scales: (unknown.iter())
                .map(|&u| if nodes.is_rotation[u] { 1.0 } else { size })
                .collect(),
            unknown,
            is_rotation: nodes.is_rotation.clone(),
            around: Around::points(model, &groups),
            places: Around::places(model, &groups, &nodes),
            groups: ElementGroups(groups),
            mass,
            damping,
            sliders: SliderJoints(sliders),
            pins,
            hinges,
            followers,
            surfaces: contacts,
            springs,
            motions: Motions { list: motions, prescribed: rest, fixed, bearers, dynamic },
            loads: Loads::of(model, gravity, line_loads, loads),
            beside,
            layout,
            factors,
            border,
            size,
            nodes,
            model: model.clone(),
        })
    }
}

/// Which unknowns springs and couplings act on in the initial configuration.
fn acted_on(model: &Checked, nodes: &Nodes) -> Vec<bool> {
    let initial = Positions::from(nodes.initial.as_slice());
    let mut acted = vec![false; nodes.initial.len()];
    let coordinates = model.couplings.iter().flat_map(Coupling::coordinates);
    let between = model.springs.iter().map(|spring| &spring.between);
    for between in between.chain(coordinates) {
        let measured = Measure::of(between, model, nodes).map(|measure| measure.at(&initial));
        for (u, slope) in measured.iter().flat_map(Measured::entries) {
            acted[u] |= slope.abs() > ACROSS;
        }
    }
    acted
}

/// Whether anything but probes, springs, couplings, supports and motions refers to a point; the others only mark a place.
fn is_used(model: &Checked, point: usize) -> bool {
    !model.members_at(point).is_empty()
        || model.bodies_at(point).next().is_some()
        || model.masses.iter().any(|m| m.point == point)
        || model.sliders.iter().any(|s| s.point == point)
        || model.pins.iter().any(|pin| pin.on == Bearing::Point(point))
        || model.loads.iter().any(|l| l.point == point)
        || (model.start.given.iter())
            .any(|(target, _, _)| matches!(target, Target::Point { point: p, .. } if *p == point))
}

/// The free unknowns in the order of the nodes.
struct Numbering {
    equation: Equations,
    /// Unknown of each equation.
    unknown: Vec<usize>,
}

impl Numbering {
    fn of(prescribed: &[bool]) -> Numbering {
        let unknown: Vec<usize> = (0..prescribed.len()).filter(|&u| !prescribed[u]).collect();
        Numbering { equation: Equations::new(prescribed.len(), &unknown), unknown }
    }

    /// The entries of the matrix in which the unknowns of `cliques` meet, and how many its factors have.
    ///
    /// # Errors
    /// When there is no room for its factors, beside a border of which the multipliers of `tied` are eliminated with the unknowns.
    fn layout(
        &self, cliques: &[Vec<usize>], (border, tied): (usize, &[Follower]),
    ) -> Result<(Layout, usize), SystemFault> {
        let equation = |&u: &usize| self.equation.of(u).map(|e| e as u32);
        let of = |clique: &Vec<usize>| clique.iter().filter_map(equation).collect();
        let layout = Layout::of(self.unknown.len(), cliques.iter().map(of).collect());
        let cost = Bordered::cost(&layout, border, tied);
        if cost.entries > MOST_ENTRIES {
            return Err(too_large(layout.order(), "factors", [cost.entries, MOST_ENTRIES]));
        }
        Ok((layout, cost.entries))
    }
}

fn too_large(equations: usize, what: &str, [entries, most]: [usize; 2]) -> SystemFault {
    SystemFault(format!(
        "{equations} equations whose {what} have {:.1e} entries; allowed: {:.0e}; take fewer elements or a lower order",
        entries as f64, most as f64,
    ))
}

/// Consistent mass of the groups whose owner `counts`, and all lumped masses.
fn mass_matrix(
    model: &Checked, nodes: &Nodes, groups: &[Group], counts: impl Fn(Owner) -> bool,
) -> CsrMatrix<f64> {
    let n = nodes.initial.len();
    let mut coo = CooMatrix::new(n, n);
    for group in groups.iter().filter(|group| counts(group.owner)) {
        group.add_mass(1.0, &mut coo);
    }
    for (id, body) in model.bodies.iter().enumerate() {
        let (Some(rigid), Some(node)) = (body.rigid(), nodes.of_rigid_body(id)) else {
            continue;
        };
        if counts(Owner::Body(id)) {
            for (u, value) in
                node.unknowns().into_iter().zip([rigid.mass, rigid.mass, rigid.inertia])
            {
                coo.push(u, u, value);
            }
        }
    }
    for mass in &model.masses {
        for direction in [Direction::X, Direction::Y, Direction::Rotation] {
            let value =
                if direction == Direction::Rotation { mass.rotary_inertia } else { mass.mass };
            if let Some(u) = nodes.of_point(mass.point, mass.member, direction)
                && value > 0.0
            {
                coo.push(u, u, value);
            }
        }
    }
    CsrMatrix::from(&coo)
}

/// M·1 on the unknowns of one translation.
fn row_sums(mass: &CsrMatrix<f64>, nodes: &Nodes, component: usize) -> Vec<(usize, f64)> {
    let along = nodes.positions().map(|position| position[component]);
    along
        .map(|u| (u, mass.row(u).values().iter().sum::<f64>()))
        .filter(|(_, sum)| *sum != 0.0)
        .collect()
}

/// Mass that goes with unknown `u`, kg: the sum of its row, or its diagonal where that is more. The rows of corners of
/// triangles of order 2 and 4 add up to nothing.
fn mass_of_node(mass: &CsrMatrix<f64>, u: usize) -> f64 {
    let row = mass.row(u);
    let diagonal = row.get_entry(u).map_or(0.0, |entry| entry.into_value());
    diagonal.max(row.values().iter().sum())
}

/// The sliding joints, the size of the border, and the initial s of each slider.
fn sliders(
    model: &Checked, nodes: &Nodes, (mass, prescribed): (&CsrMatrix<f64>, &[bool]), size: f64,
) -> Result<(Vec<Slider>, usize, Vec<f64>), SystemFault> {
    let (mut list, mut initial) = (Vec::<Slider>::new(), Vec::<f64>::new());
    let mut surfaces = Vec::new();
    let mut border = 0;
    // Where nothing slides but what is without mass, any mass scales the return map of a law that is set-valued.
    let whole: f64 = row_sums(mass, nodes, 0).iter().map(|(_, sum)| sum).sum();
    let whole = if whole > 0.0 { whole } else { 1.0 };
    for (id, slider) in model.sliders.iter().enumerate() {
        let directions: &[Direction] = match slider.kind {
            SliderKind::Cylindrical | SliderKind::Corner => &[Direction::X, Direction::Y],
            SliderKind::Prismatic => &[Direction::X, Direction::Y, Direction::Rotation],
            SliderKind::Edge | SliderKind::Hinge | SliderKind::Stop => &[],
        };
        let unknowns: Vec<usize> = directions
            .iter()
            .filter_map(|&d| match (d, slider.turning) {
                (Direction::Rotation, Some(turns)) => turns.rotation(slider.point, nodes),
                _ => nodes.of_point(slider.point, None, d),
            })
            .collect();
        let mut unknowns = unknowns;
        let mut hinges = model.friction_hinges.iter();
        let hinge = hinges.position(|hinge| hinge.slider == id);
        let mut stops = model.rigid_stops.iter();
        let stop = stops.position(|stop| stop.slider == id);
        let way = hinge.or(stop.map(|stop| model.friction_hinges.len() + stop));
        unknowns.extend(way.iter().flat_map(|&way| nodes.of_travel(way)));
        let friction = slider.friction.kind();
        let shares = model.shares_of_friction(id);
        // A point of a rigid body has no mass of its own.
        let of_body = model.rigid_bodies_at(slider.point).next();
        let of_body = of_body.and_then(|id| nodes.of_rigid_body(id));
        let heavy = of_body.map(|node| node.position[0]);
        let sliding_mass = (slider.sliding_mass).unwrap_or_else(|| {
            let nodes = shares.iter().map(|(k, _)| list[*k].mass);
            match unknowns.first() {
                Some(&u) => mass_of_node(mass, heavy.unwrap_or(u)),
                None => nodes.sum(),
            }
        });
        if friction.feels_inertia && sliding_mass <= 0.0 {
            return Err(SystemFault(format!(
                "joints.{}: friction in the form of Siqueira and Coda (2023) needs a sliding mass, and point `{}` has \
                 none; give it a mass or set `sliding_mass` (kg)",
                slider.name, model.points[slider.point].name
            )));
        }
        let (path, s) = if let Some(hinge) = hinge {
            let around = TAU * model.friction_hinges[hinge].radius;
            (Path::without_nodes(around), 0.0)
        } else if let Some(stop) = stop.map(|stop| &model.rigid_stops[stop]) {
            (Path::without_nodes(stop.length), stop.initial)
        } else if shares.is_empty() {
            path::of(model, slider, nodes, prescribed, &mut surfaces)
        } else {
            let mean = shares.iter().map(|(k, share)| share * initial[*k]).sum();
            let nodes = shares.first().map(|(k, _)| list[*k].path.length());
            (Path::without_nodes(nodes.unwrap_or_default()), mean)
        };
        initial.push(s);
        let (_, before) = path.elements().split_last().unzip();
        let mut slider = Slider {
            index: id,
            kind: slider.kind,
            unknowns,
            shares,
            kinks: before.is_some_and(|before| before.iter().any(|element| element.ends_member)),
            path,
            ends: slider.ends,
            bare: slider.ends == PathEnds::Leave && model.is_bare(slider),
            side: slider.side,
            restitution: slider.restitution,
            impact_friction: slider.impact_friction,
            bearing: slider.bearing,
            cuts: friction.set_valued && model.solver.analysis == Analysis::Dynamic,
            creeps: friction.acts && !friction.sticks && !friction.remembers,
            friction,
            mass: if sliding_mass > 0.0 { sliding_mass } else { whole },
            inertia: [Vec::new(), Vec::new()],
            coordinate: nodes.initial.len() + id,
            border,
            size,
        };
        slider.take_inertia(mass);
        border += 1 + slider.conditions();
        list.push(slider);
    }
    Ok((list, border, initial))
}

/// Diagonal of the box around all points, curved members and bodies, m.
fn extent(model: &Checked) -> f64 {
    let bulges = model.members.iter().flat_map(|member| match &member.line {
        MemberLine::Axis(axis) if !axis.is_straight() => {
            axis.places(member.elements * member.order)
        }
        MemberLine::Axis(_) | MemberLine::Edge(_) => Vec::new(),
    });
    let points = model.points.iter().map(|p| p.position);
    let meshes = model.bodies.iter().flat_map(|body| body.mesh.nodes.iter().copied());
    let initial = points.chain(bulges.map(|place| place.position)).chain(meshes);
    let size = plane::extent(initial);
    if size > 0.0 && size.is_finite() { size } else { 1.0 }
}
