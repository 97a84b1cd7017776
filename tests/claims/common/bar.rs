//! A stiff bar on many sliders.

use super::mechanism::Mechanism;
/// A steel bar of 0.1 m square along x, with sliders on a rigid guide and one load, whose components
/// are inputs.
#[derive(Debug, Clone)]
pub struct Bar<'a> {
    /// Places of the sliders, m.
    pub sliders: &'a [f64],
    /// Further points, m.
    pub points: &'a [f64],
    /// Place of the load, m.
    pub load: f64,
    /// Law of every joint, as in the model file.
    pub law: &'a str,
    /// Order of the joints in the file.
    pub order: Vec<usize>,
    /// `quasi_static` or `dynamic`.
    pub analysis: &'a str,
    /// Gravity, m/s².
    pub gravity: f64,
}

impl Bar<'_> {
    /// A weightless bar in statics, joints in the order of their places.
    pub fn new<'a>(sliders: &'a [f64], load: f64, law: &'a str) -> Bar<'a> {
        Bar {
            sliders,
            points: &[],
            load,
            law,
            order: (0..sliders.len()).collect(),
            analysis: "quasi_static",
            gravity: 0.0,
        }
    }

    /// The model file.
    pub fn text(&self) -> String {
        let mut places = [self.sliders, self.points, &[self.load]].concat();
        places.sort_by(f64::total_cmp);
        places.dedup_by_key(|x| (1e4 * *x).round());
        let mut bar = Mechanism::new("redundant")
            .step(1e-3)
            .solver(format!("analysis = '{}'", self.analysis))
            .gravity(-self.gravity)
            .steel()
            .rectangle("square", 0.1, 0.1)
            .guide("guide", ["left", "right"], "elements = 1, order = 1")
            .points("left = [-1.0, 0.0], right = [3.0, 0.0]");
        for x in &places {
            bar = bar.points(format!("{} = [{x}, 0.0]", name(*x)));
        }
        for pair in places.windows(2) {
            let ends = [name(pair[0]), name(pair[1])];
            let keys = "elements = 1, order = 3, material = 'steel', section = 'square'";
            bar = bar.member(ends.concat(), ends, keys);
        }
        for &i in &self.order {
            let slider = name(self.sliders[i]);
            bar = bar
                .slider(format!("j{i}"), slider, "guide", "")
                .and(format!("friction.{}", self.law));
        }
        bar.load("skew", format!("point = '{}', fx = 0.0, fy = 0.0", name(self.load)))
            .inputs("loads.skew.fx loads.skew.fy")
            .outputs("energy.*")
            .text()
    }
}

/// A heavy bar of 1 m and 20 elements whose first points are on sliders; its far end is held on the
/// guide's height.
#[allow(dead_code)] // of the benchmarks and of the counting allocator
pub fn long_bar(sliders: usize, law: &str) -> String {
    let points: Vec<f64> = (0..=20).map(|i| 0.05 * f64::from(i)).collect();
    let bar = Bar {
        points: &points,
        analysis: "dynamic",
        gravity: 9.81,
        ..Bar::new(&points[..sliders], 0.0, law)
    };
    bar.text() + "[supports.end]\npoint = \"p10000\"\nfix = [\"y\"]\n"
}

/// Name of the point at `x`, m.
fn name(x: f64) -> String {
    format!("p{}", (1e4 * x).round())
}
