//! One self-contained page: the mechanism in motion, and curves that are linked to it.

mod curves;

use anyhow::Result;
use quick_xml::escape::escape;
use serde::Serialize;

use crate::animation::Animation;
use crate::film::Film;
use crate::results::Results;
use crate::template::fill;
use curves::Curves;
pub use curves::seen;

/// `{{NAME}}` stands where a text is filled in.
const TEMPLATE: &str = include_str!("page.html");
const STYLE: &str = include_str!("page.css");
/// In the order in which they need each other. `tsc` checks their types, by tsconfig.json beside
/// them and in tests/hosts/test_scripts.py.
const SCRIPTS: [&str; 7] = [
    include_str!("clock.js"),
    include_str!("curves.js"),
    include_str!("transport.js"),
    include_str!("mechanism.js"),
    include_str!("solids.js"),
    include_str!("view.js"),
    include_str!("animation.js"),
];

/// All numbers of the page, which data.d.ts declares for the scripts.
#[derive(Serialize)]
pub struct Data {
    curves: Curves,
    animation: Option<Animation>,
}

impl Data {
    /// Curves of the columns `panels` behind `loops` of one column over another, and the film where there is one.
    pub fn of(
        results: &Results, loops: &[[usize; 2]], panels: &[usize], film: Option<&Film>,
    ) -> Data {
        Data { curves: Curves::of(results, loops, panels), animation: film.map(Animation::of) }
    }

    /// Symbols of the mechanism, as SVG.
    pub fn symbols(&self) -> &str {
        self.animation.as_ref().map_or("", |animation| animation.symbols.as_str())
    }
}

/// A page with `loops` of one column over another, a curve for each of the columns `panels` and, where there is a
/// film, the mechanism in motion.
///
/// # Errors
/// Never in practice: numbers have a text.
pub fn page(
    title: &str, text: &str, results: &Results, loops: &[[usize; 2]], panels: &[usize],
    film: Option<&Film>,
) -> Result<String> {
    let data = Data::of(results, loops, panels, film);
    // `</script>` in a description would end the script.
    let numbers = serde_json::to_string(&data)?.replace('<', "\\u003c");
    let values = [
        ("title", &*escape(title)),
        ("text", &escape(text)),
        ("style", STYLE),
        ("symbols", data.symbols()),
        ("data", &numbers),
        ("scripts", &SCRIPTS.join("\n")),
    ];
    Ok(fill(TEMPLATE, &values))
}
