//! Drawings in SVG as PNG. Letters are those of a font inside the command, so that a drawing gives the same picture on every machine.

use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};

use crate::files;

/// Pixels for each px of a drawing: letters stay sharp in print.
const SCALE: f32 = 2.0;
/// Name of the font by which all letters are drawn, whichever the drawing asks for.
const FONT: &str = "DejaVu Sans";

/// The bytes of a file with the drawing `svg` on white.
///
/// # Errors
/// When it is no SVG or too large for memory; not in practice.
pub fn png(svg: &str) -> Result<Vec<u8>> {
    let tree = tree(svg)?;
    let [width, height] =
        [tree.size().width(), tree.size().height()].map(|side| (SCALE * side).ceil() as u32);
    let mut map = Pixmap::new(width, height).context("the picture is too large")?;
    map.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut map.as_mut());
    map.encode_png().context("the picture cannot be encoded")
}

/// Whether the ending of a name is that of a drawing, `.svg` or `.png`.
pub fn is_named(file: &Path) -> bool {
    ["svg", "png"].into_iter().any(|ending| ends_in(file, ending))
}

/// Writes the drawing `svg` as the ending of the name has it: SVG or PNG.
///
/// # Errors
/// When it cannot be drawn or written.
pub fn write_drawing(file: &Path, svg: &str) -> Result<()> {
    match ends_in(file, "png") {
        true => files::write(file, &png(svg)?),
        false => files::write(file, svg.as_bytes()),
    }
}

fn ends_in(file: &Path, ending: &str) -> bool {
    file.extension().is_some_and(|own| own.eq_ignore_ascii_case(ending))
}

/// A drawing with its letters set.
fn tree(svg: &str) -> Result<Tree> {
    let mut fonts = Database::new();
    fonts.load_font_source(Source::Binary(Arc::new(dejavu::sans::regular())));
    fonts.set_sans_serif_family(FONT);
    let options =
        Options { font_family: FONT.to_owned(), fontdb: Arc::new(fonts), ..Options::default() };
    Tree::from_str(svg, &options).context("the drawing cannot be read")
}

#[cfg(test)]
mod tests {
    use resvg::usvg::{Group, Node, Rect};

    use super::*;
    use crate::svg::{Curve, Plot, drawing};

    fn collect(group: &Group, found: &mut Vec<Rect>) {
        for node in group.children() {
            match node {
                Node::Group(inside) => collect(inside, found),
                Node::Text(text) => found.push(text.abs_bounding_box()),
                _ => {}
            }
        }
    }

    fn plot(x: [f64; 2], y: [f64; 2], name: &str) -> Plot {
        let points = vec![(x[0], y[0]), (x[1], y[1])];
        let curve = Curve { label: name.to_owned(), points, dashed: false };
        Plot {
            to_scale: false,
            title: name.to_owned(),
            x: name.to_owned(),
            y: "N.m".to_owned(),
            curves: vec![curve],
        }
    }

    #[test]
    fn every_text_of_a_plot_lies_in_its_picture() {
        let long = "joints.friction_pendulum_on_the_left_side.normal_force_of_the_leading_end";
        for name in ["joints.N.friction_force", long, ""] {
            for high in [1.0, 0.04, 1.25e-3, 3.2e6, 7.3e-12, 0.123456] {
                for low in [0.0, -1.0, 0.9995] {
                    let range = [low * high, high];
                    let plots = [plot(range, range, name), plot([0.0, 0.97 * high], range, name)];
                    let tree = tree(&drawing(&plots)).expect("a drawing");
                    let mut found = Vec::new();
                    collect(tree.root(), &mut found);
                    assert!(found.len() > 8, "{} texts with {name} {range:?}", found.len());
                    for text in found {
                        let within = text.left() >= 0.0 && text.right() <= tree.size().width();
                        let below = text.top() >= 0.0 && text.bottom() <= tree.size().height();
                        assert!(within && below, "{text:?} with {name} {range:?}");
                    }
                }
            }
        }
    }
}
