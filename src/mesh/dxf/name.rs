//! Names of edges and points, by layers.

use std::collections::BTreeMap;

use super::chain::Loop;
use super::{Drawing, Drawn, Point};
use crate::axis::turn;
use crate::mesh::Side;
use crate::message::rounded;
use crate::numerics::plane::extent;

/// How far a point may be from the curve that it is on, beside the drawing.
const ON_CURVE: f64 = 1e-6;

/// A run of curves of one layer.
struct Run {
    layer: String,
    /// Loop and index of its first curve, and how many there are.
    first: [usize; 2],
    count: usize,
}

/// The loops as sides, each run of curves of a layer as an edge.
pub(super) fn sides(mut loops: Vec<Loop>, points: &[Point], corner: Option<f64>) -> Drawing {
    let mut drawing = Drawing {
        outer: Vec::new(),
        holes: Vec::new(),
        places: Vec::new(),
        no_edges: Vec::new(),
        no_points: Vec::new(),
    };
    let begins = begin_at_points(&mut loops, points, &mut drawing);
    let runs: Vec<Run> = (loops.iter().enumerate())
        .flat_map(|(index, own)| runs(index, &own.curves, corner))
        .collect();
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for run in &runs {
        *counts.entry(&run.layer).or_default() += 1;
    }
    let mut names: Vec<Vec<String>> =
        (loops.iter()).map(|own| vec![String::new(); own.curves.len()]).collect();
    let mut numbers: BTreeMap<&str, usize> = BTreeMap::new();
    for run in &runs {
        let number = numbers.entry(&run.layer).or_default();
        *number += 1;
        let name = match counts[run.layer.as_str()] {
            1 => run.layer.clone(),
            _ => format!("{}.{number}", run.layer),
        };
        let [index, first] = run.first;
        let own = &mut names[index];
        let length = own.len();
        for k in first..first + run.count {
            own[k % length] = name.clone();
        }
    }
    for (layer, count) in counts {
        if count > 1 {
            let why = format!(
                "is {count} edges, `{layer}.1` to `{layer}.{count}`; name one, or draw what you need on a layer of its own"
            );
            drawing.no_edges.push((layer.to_string(), why));
        }
    }
    let all = loops.into_iter().zip(names).zip(begins);
    let mut sides = all.map(|((own, names), begins)| {
        let each = own.curves.into_iter().zip(names).zip(begins);
        each.map(|((drawn, name), begins)| Side { name, curve: drawn.curve, size: None, begins })
            .collect()
    });
    drawing.outer = sides.next().unwrap_or_default();
    drawing.holes = sides.collect();
    drawing
}

/// The runs of a loop; one that goes all the way round begins where the loop does.
fn runs(index: usize, curves: &[Drawn], corner: Option<f64>) -> Vec<Run> {
    let count = curves.len();
    let ends_before = |k: usize| {
        let (before, own) = (&curves[(k + count - 1) % count], &curves[k]);
        let angle = turn(before.curve.at(1.0).angle, own.curve.at(0.0).angle);
        before.layer != own.layer || corner.is_some_and(|corner| angle.abs() > corner)
    };
    let mut starts: Vec<usize> = (0..count).filter(|&k| ends_before(k)).collect();
    if starts.is_empty() {
        starts.push(0);
    }
    (0..starts.len())
        .map(|i| {
            let (first, next) = (starts[i], starts[(i + 1) % starts.len()]);
            let own = (next + count - first - 1) % count + 1;
            Run { layer: curves[first].layer.clone(), first: [index, first], count: own }
        })
        .collect()
}

/// Parts curves where a point lies on them; the name of the point at which each curve begins.
fn begin_at_points(
    loops: &mut [Loop], points: &[Point], drawing: &mut Drawing,
) -> Vec<Vec<Option<String>>> {
    let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
    for point in points {
        *counts.entry(&point.layer).or_default() += 1;
    }
    let mut begins: Vec<Vec<Option<String>>> =
        (loops.iter()).map(|own| vec![None; own.curves.len()]).collect();
    let all = || loops.iter().flat_map(|own| &own.curves);
    let size = extent(all().map(|drawn| drawn.curve.at(0.5).position));
    let near = ON_CURVE * size;
    for point in points {
        let name = point.layer.clone();
        let count = counts[point.layer.as_str()];
        if count > 1 {
            let why = format!("is a layer of {count} points; draw each on a layer of its own");
            if !drawing.no_points.iter().any(|(own, _)| *own == name) {
                drawing.no_points.push((name, why));
            }
            continue;
        }
        let curves = (loops.iter().enumerate())
            .flat_map(|(i, own)| (0..own.curves.len()).map(move |k| [i, k]));
        let nearest = curves
            .map(|[i, k]| ([i, k], loops[i].curves[k].curve.nearest(point.at)))
            .min_by(|a, b| a.1.1.total_cmp(&b.1.1));
        let Some(([i, k], (share, _))) = nearest.filter(|(_, (_, distance))| *distance <= near)
        else {
            drawing.places.push((name, point.at));
            continue;
        };
        let own = &mut loops[i].curves;
        let length = own[k].curve.length();
        let at = match [share * length, (1.0 - share) * length].map(|way| way <= near) {
            [true, _] => k,
            [_, true] => (k + 1) % own.len(),
            _ => {
                let mut rest = own[k].clone();
                rest.curve = own[k].curve.part([share, 1.0]);
                own[k].curve = own[k].curve.part([0.0, share]);
                own.insert(k + 1, rest);
                begins[i].insert(k + 1, None);
                k + 1
            }
        };
        match &begins[i][at] {
            Some(other) => {
                let [x, y] = point.at.map(|x| rounded(x, 6));
                let why = format!("lies at ({x}, {y}) m, as `{other}` does");
                drawing.no_points.push((name, why));
            }
            None => begins[i][at] = Some(name),
        }
    }
    begins
}
