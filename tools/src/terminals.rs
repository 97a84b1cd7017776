//! `terminalsAndIcons.xml` of FMI 3.0: the picture of a mechanism, and its points that other plane mechanisms can be coupled to.
//!
//! A terminal is a frame as the connectors of Modelica's PlanarMechanics are: x, y, phi, and the forces fx, fy and the moment t that act on
//! the mechanism there, along fixed axes. In each direction either a load is an input and the motion an output, or a prescribed motion is
//! an input and its reaction an output. Velocities and prescribed displacements, which those frames lack, are in terminals inside.

use std::collections::HashSet;
use std::io;

use anyhow::{Context, Result};
use coulisse::checked::history::MotionLaw;
use coulisse::checked::{Checked, Direction, Moved, PointId, Target};
use coulisse::fmu::Interface;
use quick_xml::Writer;
use quick_xml::events::{BytesDecl, Event};

use crate::drawing::{Ink, Scene, raster};

/// Name of the file in an FMU.
pub const FILE: &str = "terminalsAndIcons/terminalsAndIcons.xml";
/// Name of the symbol of a terminal, without its ending.
const SYMBOL: &str = "frame";
/// Half the side of that symbol, px.
const HALF: f64 = 6.0;
/// Size of a pixel of the picture in a system's diagram, mm.
const MILLIMETRES: &str = "0.1";
/// What a terminal is; names of tools begin with an underscore.
const KIND: &str = "_coulisse_plane_frame";

type Xml = Writer<Vec<u8>>;

/// A variable of a terminal.
#[derive(Debug, PartialEq)]
struct Member {
    name: &'static str,
    variable: String,
    /// `signal` is equal in what is connected, `inflow` has the sum 0.
    kind: &'static str,
}

/// A point that can be coupled.
#[derive(Debug, Default)]
struct Terminal {
    point: PointId,
    frame: Vec<Member>,
    /// From the initial position.
    displacements: Vec<Member>,
    rates: Vec<Member>,
}

/// The three directions: names in a terminal, and those of inputs and outputs of a point.
const DIRECTIONS: [Direction; 3] = [Direction::X, Direction::Y, Direction::Rotation];
const POSITIONS: [&str; 3] = ["x", "y", "phi"];
const DISPLACEMENTS: [&str; 3] = ["ux", "uy", "phi"];
const RATES: [&str; 3] = ["vx", "vy", "w"];
const FORCES: [&str; 3] = ["fx", "fy", "t"];
const PLACES_OF_POINTS: [&str; 3] = ["x", "y", "rotation"];
const RATES_OF_POINTS: [&str; 3] = ["vx", "vy", "rotation_rate"];
const LOADS: [&str; 3] = ["fx", "fy", "moment"];

impl Terminal {
    /// The force or moment in a direction.
    fn force(&mut self, direction: usize, variable: String) {
        self.frame.push(Member { name: FORCES[direction], variable, kind: "inflow" });
    }

    /// Takes a prescribed motion in a direction and its reaction; whether both are there.
    fn moved(&mut self, model: &Checked, names: &HashSet<&str>, direction: usize) -> bool {
        let at = |of: &Moved| matches!(of, Moved::Target(Target::Point { point, .. }) if *point == self.point);
        let motions = model.motions.iter();
        let mut motions = motions.filter(|m| m.direction == DIRECTIONS[direction] && at(&m.moved));
        let found = motions.find_map(|motion| {
            let turns = motion.direction == Direction::Rotation;
            let key = match (&motion.law, turns) {
                (MotionLaw::Position(_), false) => "displacement",
                (MotionLaw::Position(_), true) => "angle",
                (MotionLaw::Rate(_), false) => "velocity",
                (MotionLaw::Rate(_), true) => "rate",
                _ => return None,
            };
            let [input, reaction] =
                [key, "reaction"].map(|key| format!("motions.{}.{key}", motion.name));
            let both = names.contains(input.as_str()) && names.contains(reaction.as_str());
            both.then_some((matches!(motion.law, MotionLaw::Rate(_)), turns, input, reaction))
        });
        let Some((is_rate, turns, variable, reaction)) = found else {
            return false;
        };
        let (list, name) = match (is_rate, turns) {
            (true, _) => (&mut self.rates, RATES[direction]),
            // Angles of points count from the initial direction, too.
            (false, true) => (&mut self.frame, DISPLACEMENTS[direction]),
            (false, false) => (&mut self.displacements, DISPLACEMENTS[direction]),
        };
        list.push(Member { name, variable, kind: "signal" });
        self.force(direction, reaction);
        true
    }

    /// Takes a load in a direction, and the motion of the point where it can be read.
    fn loaded(&mut self, model: &Checked, names: &HashSet<&str>, direction: usize) {
        let loads = model.loads.iter().filter(|load| load.point == self.point);
        let mut inputs = loads.map(|load| format!("loads.{}.{}", load.name, LOADS[direction]));
        let Some(load) = inputs.find(|name| names.contains(name.as_str())) else {
            return;
        };
        let point = &model.points[self.point].name;
        let [place, rate] = [PLACES_OF_POINTS, RATES_OF_POINTS]
            .map(|keys| format!("points.{point}.{}", keys[direction]))
            .map(|name| Some(name).filter(|name| names.contains(name.as_str())));
        if place.is_none() && rate.is_none() {
            return;
        }
        let signal = |name, variable| Member { name, variable, kind: "signal" };
        self.frame.extend(place.map(|variable| signal(POSITIONS[direction], variable)));
        self.rates.extend(rate.map(|variable| signal(RATES[direction], variable)));
        self.force(direction, load);
    }
}

/// The points of a model that can be coupled, in its order.
fn terminals(model: &Checked, interface: &Interface) -> Vec<Terminal> {
    let names: HashSet<&str> = interface.variables().iter().map(|v| v.name.as_str()).collect();
    let points = 0..model.points.len();
    let terminals = points.map(|point| {
        let mut terminal = Terminal { point, ..Terminal::default() };
        for direction in 0..DIRECTIONS.len() {
            if !terminal.moved(model, &names, direction) {
                terminal.loaded(model, &names, direction);
            }
        }
        terminal
    });
    terminals.filter(|terminal| !terminal.frame.is_empty()).collect()
}

/// The file, and the symbol of the terminals where there are any: names in the FMU and contents. `scene` is the picture of the FMU.
///
/// # Errors
/// Never in practice: memory does not refuse bytes.
pub fn files(
    model: &Checked, interface: &Interface, scene: &Scene,
) -> Result<Vec<(String, Vec<u8>)>> {
    let terminals = terminals(model, interface);
    let mut files = vec![(FILE.to_owned(), written(model, &terminals, scene)?)];
    if !terminals.is_empty() {
        let size = 2.0 * HALF;
        let mut symbol = Scene { width: size, height: size, ..Scene::default() };
        symbol.area(
            &[[1.0, 1.0], [size - 1.0, 1.0], [size - 1.0, size - 1.0], [1.0, size - 1.0]],
            Ink::Mass,
            Ink::Text,
        );
        let png = raster(&symbol, 2.0)?.encode_png().context("a symbol cannot be encoded")?;
        files.push((format!("terminalsAndIcons/{SYMBOL}.png"), png));
    }
    Ok(files)
}

fn written(model: &Checked, terminals: &[Terminal], scene: &Scene) -> io::Result<Vec<u8>> {
    let mut xml = Writer::new_with_indent(Vec::new(), b' ', 2);
    xml.write_event(Event::Decl(BytesDecl::new("1.0", Some("UTF-8"), None)))?;
    xml.create_element("fmiTerminalsAndIcons")
        .with_attribute(("fmiVersion", "3.0"))
        .write_inner_content(|xml| {
            graphics(xml, scene)?;
            if terminals.is_empty() {
                return Ok(());
            }
            xml.create_element("Terminals")
                .write_inner_content(|xml| {
                    terminals.iter().try_for_each(|t| terminal(xml, model, t, scene))
                })
                .map(drop)
        })?;
    let mut bytes = xml.into_inner();
    bytes.push(b'\n');
    Ok(bytes)
}

/// The picture, whose pixels are the units of the drawing.
fn graphics(xml: &mut Xml, scene: &Scene) -> io::Result<()> {
    let corners = corners([0.0; 2], [scene.width, scene.height]);
    let corners = || corners.iter().map(|(key, value)| (*key, value.as_str()));
    xml.create_element("GraphicalRepresentation")
        .write_inner_content(|xml| {
            xml.create_element("CoordinateSystem")
                .with_attributes(corners())
                .with_attribute(("suggestedScalingFactorTo_mm", MILLIMETRES))
                .write_empty()?;
            xml.create_element("Icon").with_attributes(corners()).write_empty().map(drop)
        })
        .map(drop)
}

fn corners(low: [f64; 2], high: [f64; 2]) -> [(&'static str, String); 4] {
    let values = [low[0], low[1], high[0], high[1]].map(|value| format!("{value:.0}"));
    let [x1, y1, x2, y2] = values;
    [("x1", x1), ("y1", y1), ("x2", x2), ("y2", y2)]
}

fn terminal(xml: &mut Xml, model: &Checked, terminal: &Terminal, scene: &Scene) -> io::Result<()> {
    let point = &model.points[terminal.point];
    let whole = terminal.frame.len() == POSITIONS.len() + FORCES.len();
    xml.create_element("Terminal")
        .with_attributes([
            ("name", point.name.as_str()),
            ("matchingRule", if whole { "plug" } else { "bus" }),
            ("terminalKind", KIND),
        ])
        .write_inner_content(|xml| {
            members(xml, &terminal.frame)?;
            let inside = [("displacements", &terminal.displacements), ("rates", &terminal.rates)];
            for (name, list) in inside.into_iter().filter(|(_, list)| !list.is_empty()) {
                xml.create_element("Terminal")
                    .with_attributes([("name", name), ("matchingRule", "bus")])
                    .write_inner_content(|xml| members(xml, list))?;
            }
            let [x, y] = point.position;
            // Upwards, as the drawing's y is not.
            let at = [
                scene.origin[0] + scene.scale * x,
                scene.height - scene.origin[1] + scene.scale * y,
            ];
            let corners = corners(at.map(|x| x - HALF), at.map(|x| x + HALF));
            xml.create_element("TerminalGraphicalRepresentation")
                .with_attributes(corners.iter().map(|(key, value)| (*key, value.as_str())))
                .with_attribute(("iconBaseName", SYMBOL))
                .write_empty()
                .map(drop)
        })
        .map(drop)
}

fn members(xml: &mut Xml, members: &[Member]) -> io::Result<()> {
    members.iter().try_for_each(|member| {
        xml.create_element("TerminalMemberVariable")
            .with_attributes([
                ("variableName", member.variable.as_str()),
                ("memberName", member.name),
                ("variableKind", member.kind),
            ])
            .write_empty()
            .map(drop)
    })
}
