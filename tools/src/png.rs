//! Drawings in SVG as PNG. Letters are those of a font inside the command, so that a drawing gives the same picture on every machine.

use std::sync::Arc;

use anyhow::{Context, Result};
use resvg::tiny_skia::{Color, Pixmap, Transform};
use resvg::usvg::fontdb::{Database, Source};
use resvg::usvg::{Options, Tree};

/// Pixels for each px of a drawing: letters stay sharp in print.
const SCALE: f32 = 2.0;
/// Name of the font by which all letters are drawn, whichever the drawing asks for.
const FONT: &str = "DejaVu Sans";

/// The bytes of a file with the drawing `svg` on white.
///
/// # Errors
/// When it is no SVG or too large for memory; not in practice.
pub fn png(svg: &str) -> Result<Vec<u8>> {
    let mut fonts = Database::new();
    fonts.load_font_source(Source::Binary(Arc::new(dejavu::sans::regular())));
    fonts.set_sans_serif_family(FONT);
    let options =
        Options { font_family: FONT.to_owned(), fontdb: Arc::new(fonts), ..Options::default() };
    let tree = Tree::from_str(svg, &options).context("the drawing cannot be read")?;
    let [width, height] =
        [tree.size().width(), tree.size().height()].map(|side| (SCALE * side).ceil() as u32);
    let mut map = Pixmap::new(width, height).context("the picture is too large")?;
    map.fill(Color::WHITE);
    resvg::render(&tree, Transform::from_scale(SCALE, SCALE), &mut map.as_mut());
    map.encode_png().context("the picture cannot be encoded")
}
