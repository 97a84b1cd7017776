//! Entities as curves.

use std::collections::BTreeMap;
use std::f64::consts::PI;

use super::content::{Content, Entity};
use super::fault::{Shown, listed};
use super::{Drawn, DxfFault, Point};
use crate::axis::{Arc, Axis, Ellipse, EllipseArc, Nurbs};
use crate::message::shown as printed;
use crate::numerics::hypot::hypot;
use crate::numerics::plane::extent;

/// Largest difference in height, beside the drawing.
const FLAT: f64 = 1e-9;

/// What makes an arc of an ellipse the whole of it, rad.
const WHOLE: f64 = 1e-9;

/// Most control points of a spline.
const MAX_POINTS: usize = 10_000;

/// Curves and points of the chosen layers, m.
pub(super) fn read(
    content: &Content, layers: &[&str], shown: &Shown,
) -> Result<(Vec<Drawn>, Vec<Point>), DxfFault> {
    for layer in layers {
        let mut own = content.entities.iter();
        if !own.any(|entity| entity.layer == *layer) {
            return Err(DxfFault::Entity(format!(
                "no layer `{}` with something in model space; there are: {}",
                printed(layer),
                content.layers()
            )));
        }
    }
    let mut reader =
        Reader { scale: shown.scale, curves: Vec::new(), points: Vec::new(), heights: Vec::new() };
    let mut others: BTreeMap<String, (usize, String)> = BTreeMap::new();
    let mut rest = content.entities.iter().peekable();
    while let Some(entity) = rest.next() {
        let mut vertices = Vec::new();
        if entity.kind == "POLYLINE" {
            while let Some(vertex) = rest.next_if(|next| next.kind == "VERTEX") {
                vertices.push(vertex);
            }
        }
        let chosen = layers.is_empty() || layers.contains(&entity.layer.as_str());
        // It ends a polyline.
        if !chosen || entity.kind == "SEQEND" {
            continue;
        }
        if !reader.read(entity, &vertices)? {
            let described = entity.origin.described(&entity.layer);
            let other = others.entry(entity.kind.clone()).or_insert((0, described));
            other.0 += 1;
        }
    }
    if !others.is_empty() {
        let all: Vec<String> = (others.values())
            .map(|(count, first)| match count {
                1 => first.clone(),
                _ => format!("{first} and {} more of the kind", count - 1),
            })
            .collect();
        return Err(DxfFault::Entity(format!(
            "{} {} no curve of an outline; allowed: LINE, ARC, CIRCLE, ELLIPSE, LWPOLYLINE, POLYLINE, SPLINE and POINT; choose the \
             layers of the body with `layers`, or explode blocks (INSERT) in the CAD program",
            listed(&all),
            if all.len() == 1 { "is" } else { "are" }
        )));
    }
    reader.flat(shown)?;
    Ok((reader.curves, reader.points))
}

struct Reader {
    scale: f64,
    curves: Vec<Drawn>,
    points: Vec<Point>,
    /// Heights z, m, and what has them.
    heights: Vec<(f64, String)>,
}

impl Reader {
    /// `false` where it is no curve or point.
    fn read(&mut self, entity: &Entity, vertices: &[&Entity]) -> Result<bool, DxfFault> {
        match entity.kind.as_str() {
            "LINE" => {
                let ends = [[10, 20, 30], [11, 21, 31]];
                let [from, to] = [self.place(entity, ends[0])?, self.place(entity, ends[1])?];
                self.straight(entity, from, to);
            }
            "POINT" => {
                let at = self.place(entity, [10, 20, 30])?;
                let layer = entity.layer.clone();
                self.points.push(Point { at, layer });
            }
            "CIRCLE" | "ARC" => self.round(entity)?,
            "ELLIPSE" => self.ellipse(entity)?,
            "LWPOLYLINE" => self.light_polyline(entity)?,
            "POLYLINE" => self.polyline(entity, vertices)?,
            "SPLINE" => self.spline(entity)?,
            _ => return Ok(false),
        }
        Ok(true)
    }

    fn add(&mut self, entity: &Entity, curve: Axis) {
        self.curves.push(Drawn {
            curve,
            layer: entity.layer.clone(),
            origin: entity.origin.clone(),
        });
    }

    fn straight(&mut self, entity: &Entity, from: [f64; 2], to: [f64; 2]) {
        if from != to {
            self.add(entity, Axis::Straight { from, to });
        }
    }

    /// A place in the plane by its group codes, m.
    fn place(&mut self, entity: &Entity, [x, y, z]: [i32; 3]) -> Result<[f64; 2], DxfFault> {
        self.height(entity, entity.real_or(z, 0.0)?);
        Ok([entity.needed(x)?, entity.needed(y)?].map(|c| self.scale * c))
    }

    fn height(&mut self, entity: &Entity, z: f64) {
        let z = self.scale * z;
        if self.heights.last().is_none_or(|(last, _)| *last != z) {
            let described = entity.origin.described(&entity.layer);
            self.heights.push((z, described));
        }
    }

    /// −1 where the plane of an entity is seen from below, which turns x round.
    fn side(&self, entity: &Entity) -> Result<f64, DxfFault> {
        let normal =
            [entity.real_or(210, 0.0)?, entity.real_or(220, 0.0)?, entity.real_or(230, 1.0)?];
        match normal {
            [x, y, z] if x.abs().max(y.abs()) <= FLAT && z > 0.0 => Ok(1.0),
            [x, y, z] if x.abs().max(y.abs()) <= FLAT && z < 0.0 => Ok(-1.0),
            _ => Err(entity.fault("does not lie in the x-y plane; draw it in this plane")),
        }
    }

    fn round(&mut self, entity: &Entity) -> Result<(), DxfFault> {
        let side = self.side(entity)?;
        let [x, y, radius] = [entity.needed(10)?, entity.needed(20)?, entity.needed(40)?]
            .map(|length| self.scale * length);
        self.height(entity, side * entity.real_or(30, 0.0)?);
        if radius.is_nan() || radius <= 0.0 {
            return Err(entity.fault("has a radius of 0 or below"));
        }
        // Counter-clockwise from one angle to the other, in degrees, of which whole turns are exact.
        let [from, to] = match entity.kind.as_str() {
            "CIRCLE" => [0.0; 2],
            _ => [entity.needed(50)?, entity.needed(51)?],
        };
        let turn = (to - from).rem_euclid(360.0);
        let (whole, turn) = if turn == 0.0 { (true, 360.0) } else { (false, turn) };
        // An arc is the less exact the nearer its ends come to each other.
        let parts = if turn > 270.0 { 2 } else { 1 };
        let at = |k: usize| {
            let k = if whole { k % parts } else { k };
            let (sin, cos) = (from + turn * k as f64 / parts as f64).to_radians().sin_cos();
            [side * (x + radius * cos), y + radius * sin]
        };
        for k in 0..parts {
            let angle = side * turn.to_radians() / parts as f64;
            self.add(entity, Axis::Arc(Arc::new(at(k), at(k + 1), angle)));
        }
        Ok(())
    }

    fn ellipse(&mut self, entity: &Entity) -> Result<(), DxfFault> {
        let side = self.side(entity)?;
        let centre = self.place(entity, [10, 20, 30])?;
        let [x, y] = [entity.needed(11)?, entity.needed(21)?].map(|c| self.scale * c);
        if entity.real_or(31, 0.0)? != 0.0 {
            return Err(entity.fault("does not lie in the x-y plane; draw it in this plane"));
        }
        let ratio = entity.needed(40)?;
        let [from, to] = [entity.real_or(41, 0.0)?, entity.real_or(42, 2.0 * PI)?];
        if !(ratio > 0.0 && hypot(x, y) > 0.0) {
            return Err(entity.fault("has an axis without length"));
        }
        let ellipse =
            Ellipse { centre, half_axes: [[x, y], [-side * ratio * y, side * ratio * x]] };
        let turn = (to - from).rem_euclid(2.0 * PI);
        let range = [from, from + turn];
        if turn <= WHOLE || 2.0 * PI - turn <= WHOLE {
            for half in EllipseArc::halves(ellipse) {
                self.add(entity, Axis::Ellipse(half));
            }
        } else {
            let arc = EllipseArc::new_between(ellipse, range);
            self.add(entity, Axis::Ellipse(arc));
        }
        Ok(())
    }

    fn light_polyline(&mut self, entity: &Entity) -> Result<(), DxfFault> {
        let side = self.side(entity)?;
        self.height(entity, side * entity.real_or(38, 0.0)?);
        // Each vertex begins with its x.
        let mut vertices: Vec<[f64; 3]> = Vec::new();
        for number in entity.numbers() {
            let (code, value) = number?;
            if code == 10 {
                vertices.push([value, f64::NAN, 0.0]);
            }
            match (code, vertices.last_mut()) {
                (20, Some(vertex)) => vertex[1] = value,
                (42, Some(vertex)) => vertex[2] = value,
                _ => {}
            }
        }
        if vertices.iter().any(|[_, y, _]| y.is_nan()) {
            return Err(entity.fault("has a vertex without y"));
        }
        self.chain(entity, side, &vertices)
    }

    fn polyline(&mut self, entity: &Entity, vertices: &[&Entity]) -> Result<(), DxfFault> {
        let flags = entity.int(70)?.unwrap_or(0);
        if flags & (4 | 16 | 64) != 0 {
            return Err(entity.fault(
                "is a mesh or was smoothed to a spline, of which only a polygon is left; convert it into a SPLINE or a 2D polyline",
            ));
        }
        let side = match flags & 8 {
            0 => self.side(entity)?,
            _ => 1.0,
        };
        let mut places = Vec::new();
        for vertex in vertices {
            self.height(vertex, side * vertex.real_or(30, 0.0)?);
            places.push([vertex.needed(10)?, vertex.needed(20)?, vertex.real_or(42, 0.0)?]);
        }
        self.chain(entity, side, &places)
    }

    /// Lines and arcs from vertex to vertex; a bulge is the tangent of a quarter of the angle of the arc that follows.
    fn chain(&mut self, entity: &Entity, side: f64, vertices: &[[f64; 3]]) -> Result<(), DxfFault> {
        let closed = entity.int(70)?.unwrap_or(0) & 1 != 0;
        if vertices.len() < 2 {
            return Err(entity.fault("has fewer than two vertices"));
        }
        let count = vertices.len() - usize::from(!closed);
        for k in 0..count {
            let ([x, y, bulge], [u, v, _]) = (vertices[k], vertices[(k + 1) % vertices.len()]);
            let place = |x: f64, y: f64| [side * self.scale * x, self.scale * y];
            let (from, to) = (place(x, y), place(u, v));
            if bulge == 0.0 {
                self.straight(entity, from, to);
            } else if from != to {
                let arc = Axis::Arc(Arc::new(from, to, 4.0 * side * bulge.atan()));
                self.add(entity, arc);
            }
        }
        Ok(())
    }

    fn spline(&mut self, entity: &Entity) -> Result<(), DxfFault> {
        let places = entity.all(10)?.into_iter().zip(entity.all(20)?);
        let points: Vec<[f64; 2]> = places.map(|(x, y)| [x, y].map(|c| self.scale * c)).collect();
        for z in entity.all(30)? {
            self.height(entity, z);
        }
        if points.is_empty() {
            return Err(entity.fault(
                "has fit points alone, through which programs lay different curves; save it with control points",
            ));
        }
        if points.len() > MAX_POINTS {
            let message = format!("has {} control points; allowed: {MAX_POINTS}", points.len());
            return Err(entity.fault(&message));
        }
        let degree = entity.int(71)?.unwrap_or(3).clamp(0, 100) as usize;
        if degree == 1 {
            for pair in points.windows(2) {
                self.straight(entity, pair[0], pair[1]);
            }
            return Ok(());
        }
        let parts = Nurbs::parts(degree, &entity.all(40)?, &points, &entity.all(41)?)
            .map_err(|fault| entity.fault(&format!("has a {fault}")))?;
        for part in parts {
            // A part whose control points lie upon each other has no length.
            if part.length() > 0.0 {
                self.add(entity, Axis::Nurbs(part));
            }
        }
        Ok(())
    }

    /// That everything lies in one plane.
    fn flat(&self, shown: &Shown) -> Result<(), DxfFault> {
        let places = self.curves.iter().map(|drawn| drawn.curve.at(0.0).position);
        let size = extent(places.chain(self.points.iter().map(|point| point.at)));
        let Some((first, _)) = self.heights.first() else {
            return Ok(());
        };
        let far = |(z, _): &&(f64, String)| (z - first).abs() > FLAT * size.max(first.abs());
        match self.heights.iter().find(far) {
            Some((z, described)) => Err(DxfFault::Entity(format!(
                "{described} lies at z = {}, and others at z = {}; allowed: one plane",
                shown.length(*z),
                shown.length(*first)
            ))),
            None => Ok(()),
        }
    }
}
