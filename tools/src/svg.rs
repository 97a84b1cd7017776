//! Curves as SVG, small enough to be kept in the documents.

use std::fmt::Write;

use quick_xml::escape::escape;

/// A curve of a plot.
pub struct Curve {
    pub label: String,
    pub points: Vec<(f64, f64)>,
    pub dashed: bool,
}

/// Curves over common axes.
pub struct Plot {
    pub title: String,
    pub x: String,
    pub y: String,
    pub curves: Vec<Curve>,
    /// Whether a unit is as long along one axis as along the other.
    pub to_scale: bool,
}

/// Size of a plot with its margins, in px.
const SIZE: (f64, f64) = (420.0, 300.0);
/// Left, top, right and bottom margin; left and right more where the numbers at the axes need it.
const MARGIN: [f64; 4] = [58.0, 28.0, 12.0, 40.0];
/// Between the axis and its numbers, and between these and the end of the picture, px.
const GAP: f64 = 6.0;
const EDGE: f64 = 2.0;
/// Height of a line of text and about the width of a letter, px.
const LINE: f64 = 14.0;
const LETTER: f64 = 6.2;
/// Width of a digit of the widest font in use, that of PNG, px. Letters of names are as wide on average.
const DIGIT: f64 = 7.7;
/// Dark enough on white, light enough on black.
const COLOURS: [&str; 6] = ["#0b74c8", "#c2571a", "#3c8f3c", "#8a56b8", "#a08010", "#b83c6c"];

const STYLE: &str = "<style>text{font:12px system-ui,sans-serif;fill:#808890}.t{font-weight:600}\
     .g{stroke:#8888;stroke-width:.5}.c{fill:none;stroke-width:1.6;stroke-linejoin:round}</style>";

/// One drawing with the plots side by side.
pub fn drawing(plots: &[Plot]) -> String {
    let width = SIZE.0 * plots.len() as f64;
    let mut svg = opening(width, SIZE.1);
    for (place, plot) in plots.iter().enumerate() {
        plot.draw(SIZE.0 * place as f64, ticks, crate::number::short, &mut svg);
    }
    svg.push_str("</svg>\n");
    svg
}

/// One drawing with the plots below each other, whose x are decimal logarithms and drawn as what they are of.
pub fn over_decades(plots: &[Plot]) -> String {
    let mut svg = opening(SIZE.0, SIZE.1 * plots.len() as f64);
    for (place, plot) in plots.iter().enumerate() {
        let _ = writeln!(svg, "<g transform=\"translate(0 {})\">", SIZE.1 * place as f64);
        plot.draw(0.0, decades, |power| crate::number::short(10.0_f64.powf(power)), &mut svg);
        svg.push_str("</g>\n");
    }
    svg.push_str("</svg>\n");
    svg
}

fn opening(width: f64, height: f64) -> String {
    format!(
        "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 {width} {height}\" \
         width=\"{width}\" height=\"{height}\">\n{STYLE}\n"
    )
}

impl Plot {
    /// Smallest and largest x and y, widened where they are the same.
    fn range(&self) -> [(f64, f64); 2] {
        let points = || self.curves.iter().flat_map(|curve| &curve.points);
        let of = |value: fn(&(f64, f64)) -> f64| {
            let (low, high) = points()
                .map(value)
                .filter(|v| v.is_finite())
                .fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), v| {
                    (low.min(v), high.max(v))
                });
            if low < high { (low, high) } else { (low.min(0.0) - 1.0, high.max(0.0) + 1.0) }
        };
        let (low, high) = of(|p| p.1);
        let pad = 0.05 * (high - low);
        let low = if low == 0.0 { 0.0 } else { low - pad };
        [of(|p| p.0), (low, high + pad)]
    }

    /// What has to be added to the largest y so that no curve runs through the names.
    fn headroom(&self, (x0, x1): (f64, f64), (y0, y1): (f64, f64)) -> f64 {
        let named = self.curves.iter().filter(|curve| !curve.label.is_empty());
        let letters = named.clone().map(|curve| curve.label.chars().count()).max();
        let size = (SIZE.0 - MARGIN[0] - MARGIN[2], SIZE.1 - MARGIN[1] - MARGIN[3]);
        let width = (12.0 + LETTER * letters.unwrap_or(0) as f64) / size.0;
        let height = (8.0 + LINE * named.count() as f64) / size.1;
        let points = self.curves.iter().flat_map(|curve| &curve.points);
        let below = points.filter(|p| p.0 > x1 - width * (x1 - x0));
        let highest = below.map(|p| p.1).fold(y0, f64::max);
        ((highest - y0) / (1.0 - height) - (y1 - y0)).max(0.0)
    }

    /// Draws the plot from `left` on, with lines and words at these x.
    fn draw(
        &self, left: f64, marks: fn(f64, f64) -> Vec<f64>, word: fn(f64) -> String,
        svg: &mut String,
    ) {
        let [(x0, x1), (y0, y1)] = self.range();
        let y1 = y1 + self.headroom((x0, x1), (y0, y1));
        let [before, behind] = sides((x0, x1), &marks(x0, x1), word, (y0, y1));
        let (from, to) = (left + before, left + SIZE.0 - behind);
        let (top, bottom) = (MARGIN[1], SIZE.1 - MARGIN[3]);
        let [(x0, x1), (y0, y1)] = match self.to_scale {
            false => [(x0, x1), (y0, y1)],
            true => {
                let lengths = [to - from, bottom - top];
                let by_pixel = ((x1 - x0) / lengths[0]).max((y1 - y0) / lengths[1]);
                let widened = |(low, high): (f64, f64), length: f64| {
                    let more = 0.5 * (by_pixel * length - (high - low));
                    (low - more, high + more)
                };
                [widened((x0, x1), lengths[0]), widened((y0, y1), lengths[1])]
            }
        };
        let x = |v: f64| from + (v - x0) / (x1 - x0) * (to - from);
        let y = |v: f64| bottom - (v - y0) / (y1 - y0) * (bottom - top);
        // The ranges let a reader, or a test, take numbers off the curves.
        let _ = writeln!(
            svg,
            "<g data-x=\"{x0:.6} {x1:.6} {from:.1} {to:.1}\" \
             data-y=\"{y0:.6} {y1:.6} {bottom:.1} {top:.1}\">"
        );
        for tick in marks(x0, x1) {
            let _ = writeln!(
                svg,
                "<path class=\"g\" d=\"M{0:.1} {top}V{bottom}\"/><text x=\"{0:.1}\" y=\"{1}\" \
                 text-anchor=\"middle\">{2}</text>",
                x(tick),
                bottom + 16.0,
                word(tick)
            );
        }
        for tick in ticks(y0, y1) {
            let _ = writeln!(
                svg,
                "<path class=\"g\" d=\"M{from} {0:.1}H{to}\"/><text x=\"{1}\" y=\"{2:.1}\" \
                 text-anchor=\"end\">{3}</text>",
                y(tick),
                from - GAP,
                y(tick) + 4.0,
                crate::number::short(tick)
            );
        }
        let unit = fitted(&self.y, to - from, Cut::Front);
        let title = fitted(&self.title, to - from - width(&unit) - GAP, Cut::Back);
        let _ = writeln!(
            svg,
            "<text class=\"t\" x=\"{from}\" y=\"16\">{}</text><text x=\"{to}\" y=\"{}\" \
             text-anchor=\"end\">{}</text><text x=\"{}\" y=\"16\" text-anchor=\"end\">{}</text>",
            escape(&title),
            bottom + 33.0,
            escape(fitted(&self.x, to - left - EDGE, Cut::Front)),
            to,
            escape(&unit),
        );
        for (curve, colour) in self.curves.iter().zip(COLOURS.iter().cycle()) {
            let mut path = String::new();
            for (i, point) in curve.points.iter().enumerate() {
                let letter = if i == 0 { 'M' } else { 'L' };
                let _ = write!(path, "{letter}{:.1} {:.1}", x(point.0), y(point.1));
            }
            let dash = if curve.dashed { " stroke-dasharray=\"5 4\"" } else { "" };
            let _ = writeln!(
                svg,
                "<path class=\"c\" stroke=\"{colour}\"{dash} d=\"{path}\"><title>{}</title></path>",
                escape(&curve.label)
            );
        }
        let named = self.curves.iter().zip(COLOURS.iter().cycle());
        let named = named.filter(|(curve, _)| !curve.label.is_empty());
        for (line, (curve, colour)) in named.enumerate() {
            let _ = writeln!(
                svg,
                "<text x=\"{}\" y=\"{}\" text-anchor=\"end\" style=\"fill:{colour}\">{}</text>",
                to - GAP,
                top + LINE * (1.0 + line as f64),
                escape(fitted(&curve.label, to - GAP - left - EDGE, Cut::Front))
            );
        }
        svg.push_str("</g>\n");
    }
}

/// Left and right margin for the numbers at axes of these ranges, px.
fn sides(
    (x0, x1): (f64, f64), marks: &[f64], word: fn(f64) -> String, (y0, y1): (f64, f64),
) -> [f64; 2] {
    let wide = |tick: f64| width(&crate::number::short(tick));
    let widest = ticks(y0, y1).into_iter().map(wide).fold(0.0, f64::max);
    let left = MARGIN[0].max(widest + GAP + EDGE);
    // The last number is centred at its share of the axis: right + (1 − share)(size − left − right) is half of it at least.
    let last = marks.last().map_or(0.0, |&tick| {
        let share = (tick - x0) / (x1 - x0);
        (0.5 * width(&word(tick)) + EDGE - (1.0 - share) * (SIZE.0 - left)) / share
    });
    [left, MARGIN[2].max(last)]
}

/// Width of a text, px.
fn width(text: &str) -> f64 {
    DIGIT * text.chars().count() as f64
}

/// Where a text that is too long is cut: what a name of an output is stands at its end, what a title is at its beginning.
enum Cut {
    Front,
    Back,
}

/// A text within a `room`, px: cut where it is longer.
fn fitted(text: &str, room: f64, cut: Cut) -> String {
    let (count, most) = (text.chars().count(), (room / DIGIT).max(1.0) as usize);
    match cut {
        _ if count <= most => text.to_owned(),
        Cut::Front => format!("…{}", text.chars().skip(count + 1 - most).collect::<String>()),
        Cut::Back => format!("{}…", text.chars().take(most - 1).collect::<String>()),
    }
}

/// Round numbers that divide the range into about five parts.
fn ticks(low: f64, high: f64) -> Vec<f64> {
    let raw = (high - low) / 5.0;
    let power = 10.0_f64.powf(raw.log10().floor());
    let steps = [1.0, 2.0, 5.0, 10.0].map(|m| m * power);
    let step = steps.into_iter().find(|s| *s >= raw).unwrap_or(raw);
    let first = (low / step).ceil() as i64;
    let last = (high / step + 1e-9).floor() as i64;
    (first..=last).map(|i| i as f64 * step).collect()
}

/// Logarithms of 1, 2 and 5 times powers of 10 within the range; of the powers alone where these are enough.
fn decades(low: f64, high: f64) -> Vec<f64> {
    let within = |of: &[f64]| -> Vec<f64> {
        let powers = low.floor() as i64..=high.ceil() as i64;
        let all = powers.flat_map(|power| of.iter().map(move |m| power as f64 + m.log10()));
        all.filter(|x| (low - 1e-9..=high + 1e-9).contains(x)).collect()
    };
    let found = within(if high - low > 2.5 { &[1.0] } else { &[1.0, 2.0, 5.0] });
    if found.len() < 2 { ticks(low, high) } else { found }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn frequencies_are_marked_at_round_numbers() {
        let marks = |from: f64, to: f64| -> Vec<f64> {
            let marks = decades(from.log10(), to.log10());
            marks.into_iter().map(|x| (10.0_f64.powf(x) * 1e6).round() / 1e6).collect()
        };
        assert_eq!(marks(0.1, 50.0), [0.1, 1.0, 10.0]);
        assert_eq!(marks(0.8, 30.0), [1.0, 2.0, 5.0, 10.0, 20.0]);
    }

    #[test]
    fn a_name_keeps_its_end_and_a_title_its_beginning() {
        let room = 10.0 * DIGIT;
        assert_eq!(fitted("points.a.x", room, Cut::Front), "points.a.x");
        assert_eq!(fitted("points.tip.x", room, Cut::Front), "…nts.tip.x");
        assert_eq!(fitted("A long title", room, Cut::Back), "A long ti…");
    }
}
