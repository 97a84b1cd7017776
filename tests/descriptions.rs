//! The model description of each bundled model, kept in `modelDescription/`.
//!
//! `COULISSE_BLESS=1 cargo test --test descriptions` writes them again.

use std::path::Path;

use coulisse::fmu::Blueprint;
use coulisse::model::Model;

#[test]
fn every_bundled_model_has_its_description_on_file() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let bless = std::env::var_os("COULISSE_BLESS").is_some();
    let mut models = 0;
    for entry in std::fs::read_dir(root.join("resources/models")).expect("bundled models") {
        let file = entry.expect("bundled models").path();
        if file.extension().is_none_or(|e| e != "toml") {
            continue;
        }
        models += 1;
        let model = Model::load(&file).unwrap_or_else(|faults| panic!("{faults}"));
        let blueprint = Blueprint::of(model).unwrap_or_else(|fault| panic!("{fault}"));
        let now = blueprint.description(None).expect("memory takes all bytes");
        let name = file.with_extension("xml");
        let kept = root
            .join("modelDescription")
            .join(name.file_name().expect("a file"));
        if bless {
            std::fs::write(&kept, &now).expect("modelDescription is writable");
        }
        let then = std::fs::read_to_string(&kept).unwrap_or_default();
        assert!(
            then == now,
            "{} is not what the library writes now; \
             run COULISSE_BLESS=1 cargo test --test descriptions and look at the difference",
            kept.display()
        );
    }
    assert!(models > 0, "resources/models holds no model");
}
