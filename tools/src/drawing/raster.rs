//! A picture as pixels, without names: pictures of a motion, of which there are hundreds, and the small one of an FMU.

use anyhow::{Context, Result};
use tiny_skia::{
    Color, FillRule, LineCap, LineJoin, Paint, Path, PathBuilder, Pixmap, Stroke, StrokeDash,
    Transform,
};

use super::scene::{HAIRLINE, Ink, OUTLINE, Pixel, Scene, Shape};

/// A picture as pixels.
pub use tiny_skia::Pixmap as Raster;

/// The pixels of a picture, `scale` for each pixel of the drawing.
///
/// # Errors
/// When the picture is too large for memory; not in practice.
pub fn raster(scene: &Scene, scale: f32) -> Result<Raster> {
    let size = |length: f64| (f64::from(scale) * length).ceil().clamp(1.0, 4000.0) as u32;
    let map = Pixmap::new(size(scene.width), size(scene.height));
    let mut map = Canvas {
        map: map.context("the picture is too large")?,
        scale: Transform::from_scale(scale, scale),
    };
    map.map.fill(Color::WHITE);
    for shape in scene.shapes() {
        match shape {
            Shape::Line { points, width, ink, dashed } => {
                stroke(&mut map, path(std::slice::from_ref(points), false), *width, *ink, *dashed);
            }
            Shape::Area { loops, fill, outline } => {
                filled(&mut map, path(loops, true), *fill, *outline);
            }
            Shape::Hairlines { lines, ink } => {
                stroke(&mut map, path(lines, false), HAIRLINE, *ink, false);
            }
            Shape::Circle { centre: [x, y], radius, fill, outline } => {
                let circle = PathBuilder::from_circle(*x as f32, *y as f32, *radius as f32);
                filled(&mut map, circle, *fill, *outline);
            }
            Shape::Text { .. } => {}
        }
    }
    Ok(map.map)
}

struct Canvas {
    map: Pixmap,
    scale: Transform,
}

fn path(lines: &[Vec<Pixel>], closed: bool) -> Option<Path> {
    let mut path = PathBuilder::new();
    for line in lines {
        for (k, [x, y]) in line.iter().enumerate() {
            match k {
                0 => path.move_to(*x as f32, *y as f32),
                _ => path.line_to(*x as f32, *y as f32),
            }
        }
        if closed {
            path.close();
        }
    }
    path.finish()
}

fn paint(ink: Ink) -> Paint<'static> {
    let [r, g, b] = ink.colour();
    let mut paint = Paint::default();
    paint.set_color_rgba8(r, g, b, 255);
    paint
}

fn filled(map: &mut Canvas, path: Option<Path>, fill: Ink, outline: Ink) {
    if let Some(path) = &path {
        let paint = paint(fill);
        map.map.fill_path(path, &paint, FillRule::EvenOdd, map.scale, None);
    }
    stroke(map, path, OUTLINE, outline, false);
}

/// A path of no extent is none, and leaves no trace.
fn stroke(map: &mut Canvas, path: Option<Path>, width: f64, ink: Ink, dashed: bool) {
    let Some(path) = path else { return };
    let stroke = Stroke {
        width: width as f32,
        line_cap: LineCap::Round,
        line_join: LineJoin::Round,
        dash: if dashed { StrokeDash::new(vec![6.0, 5.0], 0.0) } else { None },
        ..Stroke::default()
    };
    map.map.stroke_path(&path, &paint(ink), &stroke, map.scale, None);
}
