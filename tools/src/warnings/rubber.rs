//! Laws of large strains that lose their stability.

use coulisse::elements::plane::density::Density;
use coulisse::message::rounded;
use coulisse::model::Checked;
use coulisse::model::checked::Behaviour;

/// Bodies whose nominal stress does not grow with their stretch.
pub fn unstable(model: &Checked) -> Vec<String> {
    let bodies = model.bodies.iter().filter_map(|body| {
        let Behaviour::Elastic(Density::Polynomial(law), _) = &body.behaviour else {
            return None;
        };
        let (stretch, way) = law.coefficients().loses_stability()?;
        let what = if stretch > 1.0 { "tension" } else { "compression" };
        Some(format!(
            "bodies.{}.material: in {way} {what} its law is unstable from a stretch of {} on, where the nominal stress does not grow any more; \
             fit its coefficients to tests up to the strains of the body, or keep its strains smaller",
            body.name,
            rounded(stretch, 3)
        ))
    });
    bodies.collect()
}
