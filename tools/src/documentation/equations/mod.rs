//! The equations that a model uses, with its numbers, as MathML.

use std::collections::BTreeSet;

use coulisse::elements::plane::density::Density;
use coulisse::laws::friction::Friction;
use coulisse::model::Checked;
use coulisse::model::checked::{Analysis, Behaviour, Body, Method};
use coulisse::solve::alpha::Weights;
use quick_xml::escape::escape;

use crate::number::short;
use crate::template::fill;

/// The section of the page.
pub fn section(model: &Checked) -> String {
    let parts = [
        "<h2>Equations in use</h2>\n".to_owned(),
        motion(model),
        element(model),
        body(model),
        sliding(model),
        friction(model),
    ];
    parts.concat()
}

fn motion(model: &Checked) -> String {
    let solver = &model.solver;
    if solver.analysis == Analysis::QuasiStatic {
        return include_str!("equilibrium.html").to_owned();
    }
    let method = match solver.method {
        Method::GeneralizedAlpha => include_str!("generalized_alpha.html"),
        Method::Index3GeneralizedAlpha => include_str!("index3_generalized_alpha.html"),
        Method::Newmark => include_str!("newmark.html"),
    };
    let weights = Weights::new(solver.method, solver.spectral_radius);
    let values = [
        ("step", solver.step),
        ("spectral_radius", solver.spectral_radius),
        ("alpha_m", weights.alpha_m),
        ("alpha_f", weights.alpha_f),
        ("beta", weights.beta),
        ("gamma", weights.gamma),
    ]
    .map(|(name, value)| (name, short(value)));
    let values = values.each_ref().map(|(name, value)| (*name, value.as_str()));
    let method = fill(method, &values);
    [include_str!("motion.html"), &method, include_str!("reported.html")].concat()
}

fn element(model: &Checked) -> String {
    let flexible = || model.members.iter().filter(|m| m.properties.is_some());
    let mut text = String::new();
    if flexible().any(|m| m.line.is_straight()) {
        text += include_str!("straight_element.html");
    }
    if flexible().any(|m| !m.line.is_straight()) {
        text += include_str!("curved_element.html");
    }
    text
}

fn body(model: &Checked) -> String {
    let law = |body: &Body| match body.behaviour {
        Behaviour::Elastic(Density::SaintVenantKirchhoff(_), _) => {
            Some(include_str!("saint_venant_kirchhoff.html"))
        }
        Behaviour::Elastic(Density::Polynomial(_), _) => Some(include_str!("polynomial.html")),
        Behaviour::Rigid(_) => None,
    };
    let laws: BTreeSet<&str> = model.bodies.iter().filter_map(law).collect();
    let mut text = String::new();
    if !laws.is_empty() {
        text += include_str!("body.html");
        text.extend(laws);
    }
    if model.bodies.iter().any(|body| body.rigid().is_some()) {
        text += include_str!("rigid_body.html");
    }
    text
}

fn sliding(model: &Checked) -> String {
    let mut text = String::new();
    if !model.sliders.is_empty() {
        text += include_str!("sliding.html");
    }
    if !model.sliding_edges.is_empty() {
        text += include_str!("sliding_edge.html");
    }
    text
}

fn friction(model: &Checked) -> String {
    let mut text = String::new();
    for slider in &model.sliders {
        if slider.friction == Friction::None {
            continue;
        }
        let lines = slider.friction.about().trim().lines().map(str::trim);
        let about: Vec<String> = lines.map(|line| escape(line.to_owned()).into_owned()).collect();
        // How all laws of velocity act, and what they do at rest.
        let action = match slider.friction.law() {
            Some(law) => fill(include_str!("friction.html"), &[("rest", law.rest().summary())]),
            None => String::new(),
        };
        let mut numbers = String::new();
        slider.friction.map(&mut |place, value| {
            numbers += &format!(
                "<tr><td>{}</td><td>{}</td><td>{}</td><td>{}</td></tr>\n",
                escape(place.to_string()),
                short(*value),
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
