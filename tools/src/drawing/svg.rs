//! A picture as SVG, to stand inside a page.

use std::fmt::Write;

use quick_xml::escape::escape;

use super::scene::{Anchor, Group, HAIRLINE, Ink, LETTERS, OUTLINE, Pixel, Scene, Shape};

/// The element `svg`; `title` is for those who cannot see it. `data-scale` is in px/m, `data-origin` where the model's origin is in it.
pub fn svg(scene: &Scene, title: &str) -> String {
    let (w, h, scale, [x, y]) = (scene.width, scene.height, scene.scale, scene.origin);
    let mut out = format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {w:.0} {h:.0}\" width=\"{w:.0}\" \
         height=\"{h:.0}\" data-scale=\"{scale}\" data-origin=\"{x:.3} {y:.3}\" role=\"img\" font-family=\"sans-serif\" font-size=\"{LETTERS}\" \
         stroke-linecap=\"round\" stroke-linejoin=\"round\">\n<title>{}</title>\n",
        escape(title)
    );
    for shape in scene.shapes() {
        write(&mut out, shape, &coloured);
    }
    out.push_str("</svg>\n");
    out
}

/// The groups of a scene that move with something, each an element `g` in coordinates of its
/// anchor, which it names in `data-anchor`; colours are left to the style sheet of the page.
pub fn anchored(scene: &Scene) -> String {
    let mut out = String::new();
    for group in &scene.groups {
        let mut turns = String::new();
        let (kind, index) = match group.anchor {
            Anchor::Picture => continue,
            Anchor::Point(index) => ("point", index),
            Anchor::Section(index, unknown) => {
                turns = format!(" data-turns=\"{unknown}\"");
                ("section", index)
            }
            Anchor::Slider(index) => ("slider", index),
            Anchor::Member(index) => ("member", index),
        };
        // Writing to a string does not fail.
        let _ = writeln!(out, "<g data-anchor=\"{kind}\" data-index=\"{index}\"{turns}>");
        for shape in local(group) {
            write(&mut out, &shape, &styled);
        }
        out.push_str("</g>\n");
    }
    out
}

/// Shapes of a group as they look where its anchor is the origin and looks along x.
fn local(group: &Group) -> impl Iterator<Item = Shape> + '_ {
    let ([x, y], [cos, sin]) = (group.frame.at, group.frame.along);
    let to_local = move |[a, b]: Pixel| {
        let (u, v) = (a - x, b - y);
        [u * cos + v * sin, v * cos - u * sin]
    };
    group.shapes.iter().cloned().map(move |mut shape| {
        match &mut shape {
            Shape::Line { points, .. } => points.iter_mut().for_each(|p| *p = to_local(*p)),
            Shape::Area { loops: lines, .. } | Shape::Hairlines { lines, .. } => {
                (lines.iter_mut().flatten()).for_each(|p| *p = to_local(*p));
            }
            Shape::Circle { centre: at, .. } | Shape::Text { at, .. } => *at = to_local(*at),
        }
        shape
    })
}

/// Colours of the inside, if it has any, and of the line.
type Paint = dyn Fn(Option<Ink>, Ink) -> String;

fn coloured(fill: Option<Ink>, line: Ink) -> String {
    let fill = fill.map_or_else(|| "none".to_owned(), hex);
    format!("fill=\"{fill}\" stroke=\"{}\"", hex(line))
}

fn styled(fill: Option<Ink>, line: Ink) -> String {
    let fill = fill.map_or_else(|| "none".to_owned(), |ink| format!("var(--{})", ink.name()));
    format!("style=\"fill:{fill};stroke:var(--{})\"", line.name())
}

fn write(out: &mut String, shape: &Shape, paint: &Paint) {
    // Writing to a string does not fail.
    let _ = match shape {
        Shape::Line { points, width, ink, dashed } => {
            let dashes = if *dashed { " stroke-dasharray=\"6 5\"" } else { "" };
            writeln!(
                out,
                "<polyline points=\"{}\" {} stroke-width=\"{width}\"{dashes}/>",
                list(points),
                paint(None, *ink)
            )
        }
        Shape::Area { loops, fill, outline } => writeln!(
            out,
            "<path d=\"{}\" fill-rule=\"evenodd\" {} stroke-width=\"{OUTLINE}\"/>",
            path(loops, "Z"),
            paint(Some(*fill), *outline)
        ),
        Shape::Hairlines { lines, ink } => writeln!(
            out,
            "<path d=\"{}\" {} stroke-width=\"{HAIRLINE}\"/>",
            path(lines, ""),
            paint(None, *ink)
        ),
        Shape::Circle { centre: [x, y], radius, fill, outline } => writeln!(
            out,
            "<circle cx=\"{x:.1}\" cy=\"{y:.1}\" r=\"{radius}\" {} stroke-width=\"{OUTLINE}\"/>",
            paint(Some(*fill), *outline)
        ),
        // A rim of paper keeps letters readable on lines.
        Shape::Text { at: [x, y], text, ink } => writeln!(
            out,
            "<text x=\"{x:.1}\" y=\"{:.1}\" text-anchor=\"middle\" {} stroke-width=\"3\" \
             paint-order=\"stroke\">{}</text>",
            y + 0.35 * LETTERS,
            paint(Some(*ink), Ink::Paper),
            escape(text.as_str())
        ),
    };
}

fn list(points: &[Pixel]) -> String {
    let points = points.iter().map(|[x, y]| format!("{x:.1},{y:.1}"));
    points.collect::<Vec<_>>().join(" ")
}

/// Lines of a path, each with this end.
fn path(lines: &[Vec<Pixel>], end: &str) -> String {
    let lines = lines.iter().map(|line| format!("M{}{end}", list(line)));
    lines.collect()
}

fn hex(ink: Ink) -> String {
    let [r, g, b] = ink.colour();
    format!("#{r:02x}{g:02x}{b:02x}")
}
