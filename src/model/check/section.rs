//! Sections of members: their shape and moments.

use std::f64::consts::PI;

use super::Checker;
use crate::checked::SectionShape;
use crate::message::figure;
use crate::model::de::{Located, Name, Scalar};
use crate::model::file::Section;

/// Area A, second moment I = ∫η² dA and fourth moment J₄ = ∫η⁴ dA.
type Moments = [f64; 3];

impl Section {
    /// Shape of the section `name`, and A, I, J₄ and the shear area A_v.
    pub(super) fn check(&self, check: &mut Checker<'_>, name: &Name) -> (SectionShape, [f64; 4]) {
        let (shape, [a, i, j]) = self.moments(check, name);
        let (written, key, usual, sizes) = match self {
            Section::Properties { area, shear_area, .. } => {
                (shear_area, "properties", a, vec![area])
            }
            Section::Rectangle { height, width, shear_area } => {
                (shear_area, "rectangle", a, vec![height, width])
            }
            Section::Rolled { height, width, web, flange, fillet, shear_area } => {
                let sizes = [height, width, web, flange].into_iter().chain(fillet);
                let web_area = check.number(height) * check.number(web);
                (shear_area, "i_section", web_area, sizes.collect())
            }
            _ => return (shape, [a, i, j, a]),
        };
        let path = name.key(&format!("{key}.shear_area"));
        let shear = check.number_or(written.as_ref(), path, usual);
        if let Some(written) = written
            && shear > a
            && check.are_known(sizes.into_iter().chain([written]))
        {
            let message = format!(
                "{} is {} m2; allowed: at most the area, {} m2",
                written.path,
                figure(shear),
                figure(a)
            );
            check.report(written, message);
        }
        (shape, [a, i, j, shear])
    }

    /// Shape and moments.
    fn moments(&self, check: &mut Checker<'_>, name: &Name) -> (SectionShape, Moments) {
        match self {
            Section::Rectangle { height, width, .. } => {
                let size = [height, width].map(|length| check.number(length));
                (SectionShape::Rectangle, rectangle(size))
            }
            Section::Circle { diameter } => {
                let d = check.number(diameter);
                (SectionShape::Ring, ring(d / 2.0, 0.0))
            }
            Section::Tube { outer_diameter, thickness } => {
                let d = check.number(outer_diameter);
                let t = check.number(thickness);
                at_most(
                    check,
                    thickness,
                    (d / 2.0, "half of the outer diameter"),
                    [outer_diameter],
                );
                (SectionShape::Ring, ring(d / 2.0, d / 2.0 - t))
            }
            Section::HollowRectangle { height, width, thickness } => {
                let [h, b, t] = [height, width, thickness].map(|length| check.number(length));
                let smaller = (h.min(b) / 2.0, "half of the height and of the width");
                at_most(check, thickness, smaller, [height, width]);
                let hole = rectangle([h - 2.0 * t, b - 2.0 * t]);
                (known(h), less(rectangle([h, b]), hole))
            }
            Section::Rolled { height, width, web, flange, fillet, .. } => {
                let written = [height, width, web, flange];
                let [h, b, web_thickness, t] = written.map(|length| check.number(length));
                let r = check.usual(fillet.as_ref(), name.key("i_section.fillet"));
                at_most(check, web, (b, "the width"), [width]);
                at_most(check, flange, (h / 2.0, "half of the height"), [height]);
                if let Some(fillet) = fillet {
                    let room = (h / 2.0 - t).min((b - web_thickness) / 2.0).max(0.0);
                    at_most(check, fillet, (room, "the room between web and flanges"), written);
                }
                (known(h), i_section([h, b, web_thickness, t], r))
            }
            Section::Properties { area, second_moment, fourth_moment, height, .. } => {
                let a = check.number(area);
                let i = check.number(second_moment);
                let least = i * i / a;
                let path = name.key("properties.fourth_moment");
                let j = check.number_or(fourth_moment.as_ref(), path.clone(), 1.8 * least);
                let written = [Some(area), Some(second_moment), fourth_moment.as_ref()];
                if j < least && check.are_known(written.into_iter().flatten()) {
                    let span = fourth_moment.as_ref().map_or(0..0, |s| s.span.clone());
                    let message = format!(
                        "{path} is {} m6; allowed: at least I²/A = {} m6",
                        figure(j),
                        figure(least)
                    );
                    check.report(&Located::at(path, span), message);
                }
                let height = height
                    .as_ref()
                    .map(|height| at_least_radius(check, height, area, second_moment));
                (SectionShape::Moments { outermost: height.map(|h| h / 2.0) }, [a, i, j])
            }
        }
    }
}

/// The height of a section by its moments. No fibre lies as far out as the outermost one, so that it is at least twice the radius of
/// gyration √(I/A).
fn at_least_radius(
    check: &mut Checker<'_>, height: &Scalar, area: &Scalar, second_moment: &Scalar,
) -> f64 {
    let [h, a, i] = [height, area, second_moment].map(|number| check.number(number));
    let least = 2.0 * (i / a).sqrt();
    if h < least && check.are_known([height, area, second_moment]) {
        let message = format!(
            "{} is {} m; allowed: at least 2 √(I/A) = {} m",
            height.path,
            figure(h),
            figure(least)
        );
        check.report(height, message);
    }
    h
}

/// Reports a `length` above the `limit`, which is so much and follows from `others`.
fn at_most<const N: usize>(
    check: &mut Checker<'_>, length: &Scalar, (limit, what): (f64, &str), others: [&Scalar; N],
) {
    let value = check.number(length);
    if value > limit && check.are_known(others.into_iter().chain([length])) {
        let message = format!(
            "{} is {} m; allowed: at most {what}, {} m",
            length.path,
            figure(value),
            figure(limit)
        );
        check.report(length, message);
    }
}

/// A section with this height whose fibres are not those of a rectangle or ring.
fn known(height: f64) -> SectionShape {
    SectionShape::Moments { outermost: Some(height / 2.0) }
}

/// Moments of a section with a hole.
fn less(whole: Moments, hole: Moments) -> Moments {
    [0, 1, 2].map(|k| whole[k] - hole[k])
}

fn rectangle([h, b]: [f64; 2]) -> Moments {
    [b * h, b * h.powi(3) / 12.0, b * h.powi(5) / 80.0]
}

fn ring(outer: f64, inner: f64) -> Moments {
    [
        PI * (outer.powi(2) - inner.powi(2)),
        PI * (outer.powi(4) - inner.powi(4)) / 4.0,
        PI * (outer.powi(6) - inner.powi(6)) / 8.0,
    ]
}

/// Moments of an I-section: height h over the flanges, their width b, thickness of the web and t of either flange, fillets of radius r.
fn i_section([h, b, web, t]: [f64; 4], r: f64) -> Moments {
    let chambers = rectangle([h - 2.0 * t, b - web]);
    let plates = less(rectangle([h, b]), chambers);
    let fillets = fillets(h / 2.0 - t - r, r);
    [0, 1, 2].map(|k| plates[k] + fillets[k])
}

/// Moments of four fillets of radius r whose circles have their centres `c` above and below the axis.
///
/// At the height c + u a fillet is r − √(r² − u²) wide, u from 0 to r. With ∫uᵏ r du = rᵏ⁺²/(k + 1) and
/// ∫uᵏ √(r² − u²) du = rᵏ⁺² (π/4, 1/3, π/16, 2/15, π/32) for k = 0 to 4, the powers of c + u follow from those of u.
fn fillets(c: f64, r: f64) -> Moments {
    let under_the_arc = [PI / 4.0, 1.0 / 3.0, PI / 16.0, 2.0 / 15.0, PI / 32.0];
    let m: [f64; 5] =
        std::array::from_fn(|k| r.powi(k as i32 + 2) * (1.0 / (k + 1) as f64 - under_the_arc[k]));
    [
        4.0 * m[0],
        4.0 * (c * c * m[0] + 2.0 * c * m[1] + m[2]),
        4.0 * (c.powi(4) * m[0]
            + 4.0 * c.powi(3) * m[1]
            + 6.0 * c * c * m[2]
            + 4.0 * c * m[3]
            + m[4]),
    ]
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moments by layers, to 1e-9 of their size.
    fn by_layers(height: f64, width: impl Fn(f64) -> f64) -> Moments {
        let count = 200_000;
        let layer = height / f64::from(count);
        let mut sums = [0.0; 3];
        for k in 0..count {
            let eta = (f64::from(k) + 0.5) * layer - height / 2.0;
            let area = width(eta) * layer;
            sums[0] += area;
            sums[1] += area * eta * eta;
            sums[2] += area * eta.powi(4);
        }
        sums
    }

    #[test]
    fn rolled_sections_have_the_numbers_of_the_tables() {
        // Tables of European sections (EN 10365): h, b, t_w, t_f, r in mm; A in cm², I_y in cm⁴, W_y in cm³.
        for (sizes, r, [area, second, modulus]) in [
            ([300.0, 150.0, 7.1, 10.7], 15.0, [53.81, 8356.0, 557.1]),
            ([200.0, 200.0, 9.0, 15.0], 18.0, [78.08, 5696.0, 569.6]),
            ([80.0, 46.0, 3.8, 5.2], 5.0, [7.64, 80.14, 20.03]),
            ([600.0, 220.0, 12.0, 19.0], 24.0, [156.0, 92080.0, 3069.0]),
        ] {
            let found = i_section(sizes.map(|mm: f64| mm * 1e-3), r * 1e-3);
            // Tables round to four digits.
            let close = |seen: f64, table: f64| (seen / table - 1.0).abs() < 6e-4;
            assert!(close(found[0] * 1e4, area), "{sizes:?}: {found:?}");
            assert!(close(found[1] * 1e8, second), "{sizes:?}: {found:?}");
            assert!(close(found[1] / (0.5e-3 * sizes[0]) * 1e6, modulus), "{sizes:?}: {found:?}");
        }
    }

    #[test]
    fn moments_are_those_of_layers() {
        let ([h, b, web, t], r) = ([0.3, 0.15, 0.0071, 0.0107], 0.015);
        let centre = h / 2.0 - t - r;
        let width = |eta: f64| {
            let u = eta.abs() - centre;
            match u {
                _ if eta.abs() > h / 2.0 - t => b,
                _ if u > 0.0 => web + 2.0 * (r - (r * r - u * u).sqrt()),
                _ => web,
            }
        };
        let hollow = less(rectangle([0.2, 0.1]), rectangle([0.19, 0.09]));
        let wall = |eta: f64| if eta.abs() > 0.095 { 0.1 } else { 0.01 };
        for (found, layers) in
            [(i_section([h, b, web, t], r), by_layers(h, width)), (hollow, by_layers(0.2, wall))]
        {
            for (a, b) in found.into_iter().zip(layers) {
                // A layer may lie across the face of a flange.
                assert!((a / b - 1.0).abs() < 5e-5, "{found:?} {layers:?}");
            }
        }
    }
}
