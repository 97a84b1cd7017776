"""How Sphinx builds the site; docs/build calls it."""

import sys
from pathlib import Path

HERE = Path(__file__).parent
sys.path[:0] = [str(HERE), str(HERE.parents[1] / "tools" / "python")]

project = "coulisse"
copyright = "the authors of coulisse"
extensions = ["myst_parser", "sphinx_external_toc", "sphinx.ext.autodoc", "sphinx.ext.mathjax", "sphinx-mathjax-offline", "docstrings", "keys", "sources"]
external_toc_path = str(HERE / "toc.yml")

myst_enable_extensions = ["dollarmath"]
# Anchors as GitHub makes them of headings.
myst_heading_anchors = 4
myst_url_schemes = {"http": None, "https": None, "mailto": None, "source": "source:{{path}}"}
# Blocks of `text` are outputs; names of languages that Pygments does not know would be warnings.
highlight_language = "text"

autodoc_mock_imports = ["numpy", "pandas", "xarray", "tqdm"]
autodoc_typehints = "signature"
autodoc_typehints_format = "short"
python_maximum_signature_line_length = 80

html_theme = "furo"
html_title = "coulisse"
html_static_path = ["static"]
html_css_files = ["site.css"]
# Pictures of models move where the studio is in the site.
html_js_files = [("../studio/live.js", {"type": "module"})] if (HERE.parents[1] / "target/studio/live.js").exists() else []
html_show_sphinx = False
html_copy_source = False
