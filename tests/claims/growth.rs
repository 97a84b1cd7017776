//! Small motions about steady sliding grow or decay as independent implementations say.

use std::f64::consts::TAU;

use coulisse::joints::regime::Sense;
use coulisse::sliding::growth::{Growth, Outlook, growth};

use crate::surfaces::guided::{Guided, built};

fn of(text: &str, count: usize) -> Growth {
    let system = built(text);
    growth(&system, &[], (0, Sense::Forward), 1.0, count)
        .unwrap_or_else(|fault| panic!("{fault}\n{text}"))
}

/// Zhang and Wang's 27 nodes, the mass of each triangle (kg) in equal parts at its corners instead of distributed over it.
fn lumped(guided: &Guided) -> String {
    let mut masses = [[0.0; 3]; 9];
    let third = 7850.0 * 0.01 * 0.25 * 0.4 / 6.0;
    for i in 0..8 {
        for j in 0..2 {
            // Cut from lower left to upper right.
            for (x, y, parts) in
                [(i, j, 2.0), (i + 1, j, 1.0), (i + 1, j + 1, 2.0), (i, j + 1, 1.0)]
            {
                masses[x][y] += parts * third;
            }
        }
    }
    let (mut points, mut names, mut text) = (String::new(), String::new(), String::new());
    for (x, column) in masses.iter().enumerate() {
        for (y, mass) in column.iter().enumerate() {
            let name = match (x, y) {
                (0, 0) => "a".to_string(),
                (8, 0) => "b".to_string(),
                (8, 2) => "c".to_string(),
                (0, 2) => "d".to_string(),
                _ => {
                    let place = [0.25 * x as f64, 0.4 * y as f64];
                    points += &format!("n{x}{y} = {place:?}\n");
                    format!("n{x}{y}")
                }
            };
            names += &format!("\"{name}\", ");
            text += &format!("[masses.{name}]\npoint = \"{name}\"\nmass = {mass:?}\n");
        }
    }
    (guided.text())
        .replace("[points]\n", &format!("[points]\n{points}"))
        .replace("density = 7850.0", "density = 1e-6")
        .replace("[bodies.slider]\n", &format!("[bodies.slider]\npoints = [{names}]\n"))
        .replace("[gravity]", &format!("{text}[gravity]"))
}

fn slider(k: f64, mu: f64, damping: f64) -> Guided {
    let mut guided = Guided::of_nodes(k);
    guided.friction = format!("coefficient = {mu:?}");
    if damping > 0.0 {
        guided.more = format!("[damping.all]\nstiffness_coefficient = {damping:?}");
    }
    guided
}

/// What the reference says of the undamped slider under 1500 N at 1.2 m, with masses at the nodes: growth of 7, 87 and 187 1/s at μ = 0.3, none at
/// 0.05, and a stiffness-proportional damping of 1e-5 s that ends it for the two stiffer contact layers.
#[test]
fn undamped_sliding_grows_as_the_reference_says() {
    for (k, rate) in [(1.05e7, 7.0), (1.05e9, 87.0), (1.05e11, 187.0)] {
        let found = of(&lumped(&slider(k, 0.3, 0.0)), 10);
        println!("{k:e} N/m: {} 1/s", found.largest());
        assert!((found.largest() - rate).abs() < 0.5, "{}", found.largest());
        assert!(found.whole && found.neutral == 1 && found.list.len() == 53);
        let slow = of(&lumped(&slider(k, 0.05, 0.0)), 10);
        assert!(slow.list.iter().all(|m| m.outlook == Outlook::Stays));
        let damped = of(&lumped(&slider(k, 0.3, 1e-5)), 10);
        assert_eq!(damped.largest() > 0.0, k == 1.05e7, "{}", damped.largest());
        let grows = |m: &&coulisse::sliding::growth::Motion| m.outlook == Outlook::Grows;
        assert_eq!(damped.list.iter().filter(grows).count(), usize::from(k == 1.05e7));
    }
}

/// Rates (1/s) and frequencies (Hz) of the motions that grow, mass distributed over the triangles, by a program of its own in another
/// language: dense eigenvalues of M⁻¹(K + N). The slider with 20 × 8 cells has more motions than are looked for.
#[test]
fn growth_agrees_with_dense_eigenvalues_of_another_program() {
    let cases = [
        (([8, 2], 1.05e7, 10), vec![]),
        (([8, 2], 1.05e9, 10), vec![[400.818, 4494.3], [161.55, 9579.5], [159.855, 2721.4]]),
        (([8, 2], 1.05e11, 10), vec![[150.443, 8973.9]]),
        (
            ([20, 8], 1.05e9, 20),
            vec![[478.184, 3757.8], [303.852, 1197.6], [234.706, 2418.4], [206.14, 4140.1]],
        ),
    ];
    for ((cells, k, count), rates) in cases {
        let mut guided = slider(k, 0.3, 0.0);
        guided.cells = cells;
        let found = of(&guided.text(), count);
        assert_eq!(found.whole, cells == [8, 2]);
        let grows = found.list.iter().filter(|m| m.outlook == Outlook::Grows);
        assert_eq!(grows.count() == 0, rates.is_empty());
        for ([rate, hertz], motion) in rates.iter().zip(&found.list) {
            let frequency = motion.angular_frequency / TAU;
            println!("{cells:?} {k:e} N/m: {} 1/s at {frequency} Hz", motion.rate);
            assert!((motion.rate - rate).abs() < 3e-4 * rate, "{} {rate}", motion.rate);
            assert!((frequency - hertz).abs() < 0.1, "{frequency} {hertz}");
        }
    }
}
