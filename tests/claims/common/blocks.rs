//! Blocks that slide along a bar, of plane solids.

/// Blocks along the bar, above and below it in turn.
const BLOCKS: usize = 5;

const SIDES: [&str; 4] = ["bottom", "right", "top", "left"];

/// A steel bar of 1 m × 60 mm, clamped at its left end, on whose sides aluminium blocks of 120 mm × 40 mm slide with all nodes of
/// an edge, each pushed along by 150 N; cubic triangles, `fineness` cells over the height of each.
pub fn blocks_on_a_bar(fineness: usize, step: f64) -> String {
    let (mut points, mut rest) = (String::new(), String::new());
    let mut add = |name: &str, material: &str, [x, y]: [f64; 2], [w, h]: [f64; 2], columns| {
        for (k, [x, y]) in [[x, y], [x + w, y], [x + w, y + h], [x, y + h]].into_iter().enumerate()
        {
            points += &format!("{name}{k} = [{x:?}, {y:?}]\n");
        }
        let edge = |k: usize| {
            let (side, next) = (SIDES[k], (k + 1) % 4);
            format!("{{ name = \"{side}\", from = \"{name}{k}\", to = \"{name}{next}\" }}, ")
        };
        let edges: String = (0..4).map(edge).collect();
        rest += &format!(
            "[bodies.{name}]\nmaterial = \"{material}\"\nthickness = 0.02\nstate = \"plane_stress\"\n\
             patch = {{ cells = [{columns}, {fineness}], edges = [{edges}] }}\n"
        );
    };
    add("bar", "steel", [0.0, 0.0], [1.0, 0.06], 26 * fineness);
    for b in 0..BLOCKS {
        // No node stands where two sides of the bar's triangles meet.
        let corner = [0.053 + 0.15 * b as f64, [0.06, -0.04][b % 2]];
        let name = format!("block{b}_");
        add(&name, "aluminium", corner, [0.12, 0.04], 6 * fineness);
    }
    for b in 0..BLOCKS {
        let (own, other) = [("bottom", "top"), ("top", "bottom")][b % 2];
        rest += &format!(
            "[joints.j{b}]\nsliding = {{ edge = \"block{b}_.{own}\", path = [\"bar.{other}\"], nodes = \"all\" }}\n\
             [loads.push{b}]\npoint = \"block{b}_1\"\nfx = 150.0\n"
        );
    }
    format!(
        "name = \"blocks\"\n[solver]\nstep = {step:?}\n[points]\n{points}\
         [materials.steel]\nyoung_modulus = 210e9\npoisson_ratio = 0.3\ndensity = 7850.0\n\
         [materials.aluminium]\nyoung_modulus = 70e9\npoisson_ratio = 0.3\ndensity = 2700.0\n\
         {rest}[supports.clamp]\nedge = \"bar.left\"\nfix = [\"x\", \"y\"]\n\
         [loads.tip]\npoint = \"bar1\"\nfy = -5e3\n\
         [interface]\noutputs = [\"points.bar1.y\", \"points.block0_1.x\", \"energy.*\"]\n"
    )
}
