//! Symbols of engineering drawings: supports, joints, arrows.

use std::f64::consts::TAU;

use super::scene::{Frame, Ink, Pixel, Scene};

/// Ground: a line and short strokes on its right, as one walks along it.
pub fn ground(scene: &mut Scene, line: &[Pixel], width: f64) {
    const STROKE: f64 = 8.0;
    scene.line(line, width, Ink::Ground);
    let length = |w: &[Pixel]| (w[1][0] - w[0][0]).hypot(w[1][1] - w[0][1]);
    let total: f64 = line.windows(2).map(length).sum();
    let step = total / (total / 10.0).round().max(2.0);
    // Where the next stroke stands, from the beginning of the present piece.
    let mut u = 0.5 * step;
    for piece in line.windows(2) {
        let frame = Frame::new(piece[0], [piece[1][0] - piece[0][0], piece[1][1] - piece[0][1]]);
        while step > 0.0 && u < length(piece) {
            let stroke = frame.places(&[[u, 0.0], [u - STROKE, -STROKE]]);
            scene.line(&stroke, 1.2, Ink::Ground);
            u += step;
        }
        u -= length(piece);
    }
}

/// Straight ground along a frame.
fn floor(scene: &mut Scene, frame: &Frame, half: f64, width: f64) {
    ground(scene, &frame.places(&[[-half, 0.0], [half, 0.0]]), width);
}

/// A support that holds both positions; `frame` points out of the ground.
pub fn pin(scene: &mut Scene, frame: &Frame) {
    triangle(scene, frame);
    floor(scene, &base(frame, -20.0), 19.0, 2.0);
}

/// A support that holds one position; `frame` points out of the ground.
pub fn roller(scene: &mut Scene, frame: &Frame) {
    triangle(scene, frame);
    for v in [-8.0, 8.0] {
        scene.circle(frame.place(-23.5, v), 3.5, Ink::Paper, Ink::Ground);
    }
    floor(scene, &base(frame, -27.0), 19.0, 2.0);
}

fn triangle(scene: &mut Scene, frame: &Frame) {
    let corners = frame.places(&[[0.0, 0.0], [-20.0, 13.0], [-20.0, -13.0]]);
    scene.area(&corners, Ink::Paper, Ink::Ground);
}

/// A wall that holds everything; `frame` points out of the wall.
pub fn clamp(scene: &mut Scene, frame: &Frame) {
    floor(scene, &base(frame, 0.0), 20.0, 4.0);
}

/// A wall that holds one position and the rotation; `frame` points out of the wall.
pub fn guided(scene: &mut Scene, frame: &Frame) {
    scene.line(&frame.places(&[[-1.0, -16.0], [-1.0, 16.0]]), 4.0, Ink::Ground);
    for v in [-10.0, 10.0] {
        scene.circle(frame.place(-6.5, v), 3.5, Ink::Paper, Ink::Ground);
    }
    floor(scene, &base(frame, -11.0), 20.0, 2.0);
}

/// A block that holds the rotation alone.
pub fn no_turn(scene: &mut Scene, frame: &Frame) {
    let corners = [[-8.0, -8.0], [8.0, -8.0], [8.0, 8.0], [-8.0, 8.0]];
    scene.area(&frame.places(&corners), Ink::Paper, Ink::Ground);
}

/// The surface of the ground behind a frame that points out of it: strokes go inwards.
fn base(frame: &Frame, depth: f64) -> Frame {
    let [x, y] = frame.along;
    Frame { at: frame.place(depth, 0.0), along: [-y, x] }
}

/// A slider; `frame` goes along its path.
pub fn slider(scene: &mut Scene, frame: &Frame, turns: bool, friction: bool) {
    const HALF: [f64; 2] = [19.0, 10.0];
    let [u, v] = HALF;
    let corners = frame.places(&[[-u, -v], [u, -v], [u, v], [-u, v]]);
    scene.area(&corners, Ink::Paper, Ink::Joint);
    // The path goes on inside, seen through the sleeve.
    scene.dashes(&frame.places(&[[-u, 0.0], [u, 0.0]]), 2.0, Ink::Ground);
    if friction {
        for side in [-1.0, 1.0] {
            for k in -2..=2 {
                let at = 7.5 * f64::from(k);
                let stroke = [[at - 2.0, side * (v + 6.0)], [at + 2.0, side * v]];
                scene.line(&frame.places(&stroke), 1.6, Ink::Joint);
            }
        }
    }
    if turns {
        scene.circle(frame.at, 4.5, Ink::Paper, Ink::Joint);
    } else {
        let corners = frame.places(&[[-4.5, -4.5], [4.5, -4.5], [4.5, 4.5], [-4.5, 4.5]]);
        scene.area(&corners, Ink::Joint, Ink::Joint);
    }
}

/// An arrow along the frame, `from` to `to`, its head at the end.
pub fn arrow(scene: &mut Scene, frame: &Frame, from: f64, to: f64, ink: Ink, dashed: bool) {
    const HEAD: f64 = 12.0;
    let shaft = frame.places(&[[from, 0.0], [to - HEAD, 0.0]]);
    if dashed {
        scene.dashes(&shaft, 2.5, ink);
    } else {
        scene.line(&shaft, 2.5, ink);
    }
    let head = frame.places(&[[to, 0.0], [to - HEAD, 4.5], [to - HEAD, -4.5]]);
    scene.area(&head, ink, ink);
}

/// An arrow around a place; `turn` is +1 counter-clockwise, −1 clockwise.
pub fn turning_arrow(scene: &mut Scene, frame: &Frame, turn: f64, ink: Ink, dashed: bool) {
    const RADIUS: f64 = 30.0;
    let on_circle = |share: f64| {
        let angle = turn * TAU * share;
        [RADIUS * angle.cos(), RADIUS * angle.sin()]
    };
    let arc: Vec<[f64; 2]> =
        (0..=24).map(|k| on_circle(0.1 + 0.55 * f64::from(k) / 24.0)).collect();
    let points = frame.places(&arc);
    if dashed {
        scene.dashes(&points, 2.5, ink);
    } else {
        scene.line(&points, 2.5, ink);
    }
    let tip = on_circle(0.72);
    let back = on_circle(0.655);
    let out = |scale: f64| [back[0] * scale, back[1] * scale];
    scene.area(&frame.places(&[tip, out(1.16), out(0.84)]), ink, ink);
}
