//! The equations that a model uses, with its numbers, as MathML.

use coulisse::laws::friction::Friction;
use coulisse::model::Checked;
use coulisse::model::checked::{Analysis, Method};
use coulisse::solve::alpha::Weights;
use quick_xml::escape::escape;

use super::table::figure;

/// The section of the page.
pub fn section(model: &Checked) -> String {
    let parts = [
        "<h2>Equations in use</h2>\n".to_owned(),
        motion(model),
        element(model),
        sliding(model),
        friction(model),
    ];
    parts.concat()
}

fn block(inner: &str) -> String {
    format!("<math display=\"block\"><mrow>{inner}</mrow></math>\n")
}

/// A letter with an index.
fn sub(letter: &str, index: &str) -> String {
    format!("<msub>{}<mi>{index}</mi></msub>", id(letter))
}

fn id(letter: &str) -> String {
    format!("<mi>{letter}</mi>")
}

fn op(sign: &str) -> String {
    format!("<mo>{sign}</mo>")
}

fn num(value: &str) -> String {
    format!("<mn>{value}</mn>")
}

fn square(inner: &str) -> String {
    format!("<msup>{inner}<mn>2</mn></msup>")
}

fn half() -> String {
    "<mfrac><mn>1</mn><mn>2</mn></mfrac>".to_owned()
}

/// A derivative by time.
fn dot(letter: &str, dots: &str) -> String {
    format!(
        "<mover accent=\"true\">{}<mo>{dots}</mo></mover>",
        id(letter)
    )
}

fn motion(model: &Checked) -> String {
    let inner = sub("f", "int") + &op("(") + &id("q") + &op(")");
    let constraint =
        format!("<msup>{}<mi>T</mi></msup>", id("C")) + &op("(") + &id("q") + &op(")") + &id("λ");
    let outer = sub("f", "ext") + &op("(") + &id("t") + &op(")");
    if model.solver.analysis == Analysis::QuasiStatic {
        return format!(
            "<h3>Equilibrium</h3>\n<p>Positions q, at every step, with the force λ of the sliders on \
             their paths:</p>\n{}",
            block(&(inner + &op("+") + &constraint + &op("=") + &outer))
        );
    }
    let inertia = id("M") + &dot("q", "¨");
    let balance = inertia + &op("+") + &inner + &op("+") + &constraint + &op("=") + &outer;
    let weights = Weights::new(model.solver.method, model.solver.spectral_radius);
    let rho = sub("ρ", "∞");
    let list = |pairs: &[(String, f64)]| {
        let pairs = pairs.iter();
        let pairs = pairs.map(|(name, value)| format!("{name}{}{}", op("="), num(&figure(*value))));
        block(
            &pairs
                .collect::<Vec<_>>()
                .join("<mo>,</mo><mspace width=\"1em\"/>"),
        )
    };
    let mut numbers = vec![(rho, model.solver.spectral_radius)];
    let mut scheme = String::new();
    let name = match model.solver.method {
        Method::GeneralizedAlpha => {
            let weighted = |alpha: &str, vector: &str| {
                let weight = op("(") + &num("1") + &op("−") + &sub("α", alpha) + &op(")");
                let end =
                    format!("<msub>{vector}<mrow><mi>t</mi><mo>+</mo><mn>1</mn></mrow></msub>");
                let start = format!("<msub>{vector}<mi>t</mi></msub>");
                weight + &end + &op("+") + &sub("α", alpha) + &start
            };
            scheme = block(&(weighted("f", &dot("q", "¨")) + &op("=") + &weighted("m", &id("a"))));
            numbers.push((sub("α", "m"), weights.alpha_m));
            numbers.push((sub("α", "f"), weights.alpha_f));
            "generalized-α method"
        }
        Method::Newmark => "Newmark's method",
    };
    numbers.push((id("β"), weights.beta));
    numbers.push((id("γ"), weights.gamma));
    format!(
        "<h3>Motion</h3>\n<p>Positions q of the nodes, with the force λ of the sliders on their \
         paths:</p>\n{}<p>Integrated by the {name} in substeps of at most {} s:</p>\n{scheme}{}",
        block(&balance),
        figure(model.solver.step),
        list(&numbers)
    )
}

fn element(model: &Checked) -> String {
    let flexible = || model.members.iter().filter(|m| m.properties.is_some());
    let mut text = String::new();
    if flexible().any(|m| m.axis.is_straight()) {
        text += &straight_element();
    }
    if flexible().any(|m| !m.axis.is_straight()) {
        text += &curved_element();
    }
    text
}

fn straight_element() -> String {
    let e0 = sub("e", "0");
    let kappa = square(&id("κ"));
    let bracket = id("A")
        + &square(&e0)
        + &op("+")
        + &id("I")
        + &kappa
        + &op("(")
        + &square(&id("P"))
        + &op("+")
        + &e0
        + &op(")")
        + &op("+")
        + "<mfrac><mn>1</mn><mn>4</mn></mfrac>"
        + &sub("J", "4")
        + "<msup><mi>κ</mi><mn>4</mn></msup>";
    let energy = id("W")
        + &op("=")
        + "<mfrac><mi>E</mi><mn>2</mn></mfrac>"
        + &op("[")
        + &bracket
        + &op("]")
        + &op("+")
        + &half()
        + &id("G")
        + &id("A")
        + &square(&id("Q"));
    let strain = e0
        + &op("=")
        + &half()
        + &op("(")
        + &square(&id("P"))
        + &op("+")
        + &square(&id("Q"))
        + &op("−")
        + &num("1")
        + &op(")");
    format!(
        "<h3>Members</h3>\n<p>Strain energy per length of a geometrically exact frame element, from \
         the stretch P across the section, the shear Q and the curvature κ:</p>\n{}{}",
        block(&energy),
        block(&strain)
    )
}

fn curved_element() -> String {
    let initial = |letter: &str| format!("<msup>{}<mn>0</mn></msup>", id(letter));
    let c = |index: &str| sub("c", index);
    let integral = |n: &str| sub("K", n);
    let bracket = integral("0")
        + &square(&c("0"))
        + &op("+")
        + &(num("2") + &integral("1") + &c("0") + &c("1"))
        + &op("+")
        + &(integral("2") + &op("(") + &square(&c("1")) + &op("+"))
        + &(num("2") + &c("0") + &c("2") + &op(")"))
        + &op("+")
        + &(num("2") + &integral("3") + &c("1") + &c("2"))
        + &op("+")
        + &(integral("4") + &square(&c("2")));
    let shear = op("(") + &id("Q") + &op("−") + &initial("Q") + &op(")");
    let energy = id("W")
        + &op("=")
        + "<mfrac><mi>E</mi><mn>2</mn></mfrac>"
        + &(op("[") + &bracket + &op("]"))
        + &op("+")
        + &(half() + &id("G") + &sub("A", "s") + &square(&shear));
    let strains = [
        c("0")
            + &(op("=") + &half() + &op("("))
            + &(square(&id("P")) + &op("+") + &square(&shear))
            + &(op("−") + &square(&initial("P")) + &op(")")),
        c("1") + &(op("=") + &initial("P") + &initial("κ")) + &(op("−") + &id("P") + &id("κ")),
        c("2")
            + &(op("=") + &half() + &op("("))
            + &(square(&id("κ")) + &op("−") + &square(&initial("κ")) + &op(")")),
    ];
    format!(
        "<h3>Curved members</h3>\n<p>Strain energy per length from stretch P, shear Q and curvature \
         κ and from those of the drawn member, with the integrals K<sub>n</sub> of \
         η<sup>n</sup>/(P⁰ − ηκ⁰)³ and A<sub>s</sub> of 1/(P⁰ − ηκ⁰) over the section:</p>\n{}{}",
        block(&energy),
        strains.map(|strain| block(&strain)).concat()
    )
}

fn sliding(model: &Checked) -> String {
    if model.sliders.is_empty() {
        return String::new();
    }
    let slider = "<mover accent=\"true\"><mi>Y</mi><mo>^</mo></mover>";
    let on_path = id("Y") + &op("(") + &id("s") + &op(")");
    let hold = slider.to_owned() + &op("=") + &on_path;
    let along =
        id("λ") + &op("·") + "<msup><mi>Y</mi><mo>′</mo></msup>" + &op("=") + &sub("F", "f");
    format!(
        "<h3>Sliding joints</h3>\n<p>The slider Ŷ stays on its path Y(s); along the path, friction \
         alone holds it. s is the arc length of the path as drawn.</p>\n{}",
        block(&(hold + &op(",") + "<mspace width=\"1em\"/>" + &along))
    )
}

fn friction(model: &Checked) -> String {
    let mut text = String::new();
    for slider in &model.sliders {
        if slider.friction == Friction::None {
            continue;
        }
        let lines = slider.friction.about().trim().lines().map(str::trim);
        let about: Vec<String> = lines
            .map(|line| escape(line.to_owned()).into_owned())
            .collect();
        // How all laws of velocity act, and what they do at rest.
        let action = match slider.friction.law() {
            Some(law) => {
                let speed = "<mo>|</mo><mi>v</mi><mo>|</mo>";
                let force = sub("F", "f")
                    + &op("=")
                    + &sub("F", "N")
                    + &id("μ")
                    + &op("(")
                    + speed
                    + &op(")")
                    + "<mi>sgn</mi><mspace width=\"0.2em\"/>"
                    + &id("v")
                    + &op("+")
                    + &id("η")
                    + &id("v");
                format!(
                    "{}<p>Near rest: {}.</p>\n",
                    block(&force),
                    law.rest().summary()
                )
            }
            None => String::new(),
        };
        let mut numbers = String::new();
        slider.friction.map(&mut |place, value| {
            numbers += &format!(
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                escape(place.to_string()),
                figure(*value),
                place.key.quantity.unit(),
                escape(place.key.meaning.trim())
            );
            *value
        });
        text += &format!(
            "<h3>Friction of joint {}: {}</h3>\n<p>{}</p>\n{action}\
             <table>\n<tr><th>number</th><th>value</th><th>unit</th><th>meaning</th></tr>\n\
             {numbers}</table>\n",
            escape(&slider.name),
            slider.friction.name(),
            about.join("<br>\n"),
        );
    }
    text
}
