//! A picture as SVG, to stand inside a page.

use std::fmt::Write;

use quick_xml::escape::escape;

use super::scene::{Ink, LETTERS, OUTLINE, Pixel, Scene, Shape};

/// The element `svg`; `title` is for those who cannot see it.
pub fn svg(scene: &Scene, title: &str) -> String {
    let (w, h) = (scene.width, scene.height);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w:.0} {h:.0}\" width=\"{w:.0}\" \
         height=\"{h:.0}\" role=\"img\" font-family=\"sans-serif\" font-size=\"{LETTERS}\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\">\n<title>{}</title>\n",
        escape(title)
    );
    for shape in &scene.shapes {
        // Writing to a string does not fail.
        let _ = match shape {
            Shape::Line {
                points,
                width,
                ink,
                dashed,
            } => {
                let dashes = if *dashed {
                    " stroke-dasharray=\"6 5\""
                } else {
                    ""
                };
                writeln!(
                    out,
                    "<polyline points=\"{}\" fill=\"none\" stroke=\"{}\" stroke-width=\"{width}\"{dashes}/>",
                    list(points),
                    hex(*ink)
                )
            }
            Shape::Area {
                points,
                fill,
                outline,
            } => writeln!(
                out,
                "<polygon points=\"{}\" fill=\"{}\" stroke=\"{}\" stroke-width=\"{OUTLINE}\"/>",
                list(points),
                hex(*fill),
                hex(*outline)
            ),
            Shape::Circle {
                centre: [x, y],
                radius,
                fill,
                outline,
            } => writeln!(
                out,
                "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" fill=\"{}\" stroke=\"{}\" \
                 stroke-width=\"{OUTLINE}\"/>",
                hex(*fill),
                hex(*outline)
            ),
            // A rim of paper keeps letters readable on lines.
            Shape::Text {
                at: [x, y],
                text,
                ink,
            } => writeln!(
                out,
                "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" fill=\"{}\" stroke=\"#ffffff\" \
                 stroke-width=\"3\" paint-order=\"stroke\">{}</text>",
                y + 0.35 * LETTERS,
                hex(*ink),
                escape(text.as_str())
            ),
        };
    }
    out.push_str("</svg>\n");
    out
}

fn list(points: &[Pixel]) -> String {
    let points = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}"));
    points.collect::<Vec<_>>().join(" ")
}

fn hex(ink: Ink) -> String {
    let [r, g, b] = ink.colour();
    format!("#{r:02x}{g:02x}{b:02x}")
}
