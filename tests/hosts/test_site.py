"""The site of the documentation: it builds without a warning, its links lead somewhere, it asks no other host for anything; and the
language of the pages."""

import json
import os
import re
import subprocess
from functools import cache
from html.parser import HTMLParser
from urllib.parse import unquote

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import sync_playwright

import harness
from prose import bare, sentences, words_of
from test_pictures import CHROMIUM, FLAGS, needs_browser

SITE = harness.TARGET / "site"
ROOT_PAGES = [harness.ROOT / name for name in ("README.md", "CHANGELOG.md", "CONTRIBUTING.md", "SECURITY.md", "CODE_OF_CONDUCT.md")]
PAGES = [*ROOT_PAGES, *sorted((harness.ROOT / "docs").rglob("*.md"))]
# Pages for users are what stands in docs/ itself, without the reference of the model file, tutorials, and what is for engineers of the
# method and of the program. They may have this many words together.
NOT_FOR_USERS = ("model-file.md", "theory.md", "results.md", "design.md")
MAX_WORDS = 22_000
# All rules of proselint but those for other kinds of text: quotes of Markdown are straight, spaces stay where formulas were, and "for
# every" counts as the archaic "for ever".
RULES = {"typography": {"symbols": False}, "archaism": False}
# What makes the pictures of each folder in docs/.
MAKERS = {
    "gallery": "docs/pictures",
    "tutorials": "docs/pictures --tutorials",
    "second-model": "docs/pictures --tutorials second-model",
    "bridge": "figures -- bridge docs/bridge",
    "friction": "figures -- friction docs/friction",
    "fmu": "figures -- sampling docs/fmu",
    "precision": "figures -- precision target/precision/points.csv docs/precision",
    "quick_return": "figures -- quick-return docs/quick_return",
}
# Of the work of a build, s.
LONGEST = 60.0
# What a browser fetches by itself.
FETCHED = {"script": "src", "img": "src", "link": "href", "iframe": "src", "source": "src", "video": "src", "object": "data", "use": "href"}


class Page(HTMLParser):
    """Anchors of a page, its links, and what it fetches."""

    def __init__(self, file):
        super().__init__()
        self.anchors, self.links, self.fetched = set(), [], []
        self.feed(file.read_text())

    def handle_starttag(self, tag, attributes):
        given = dict(attributes)
        self.anchors.update(filter(None, [given.get("id"), given.get("name") if tag == "a" else None]))
        if tag == "a" and given.get("href"):
            self.links.append(given["href"])
        if tag in FETCHED and given.get(FETCHED[tag]):
            self.fetched.append(given[FETCHED[tag]])


@pytest.fixture(scope="module")
def site():
    """Built anew. Held is the work, Python packages of the first time aside: how long it takes depends on what runs beside it."""
    build = [harness.ROOT / "docs" / "build", "--fresh"]
    environment = {**os.environ, "COULISSE": str(harness.COMMAND)}
    if not (harness.TARGET / "venv-site" / "requirements.txt").exists():
        subprocess.run(build, env=environment, capture_output=True)
    begun = os.times()
    done = subprocess.run(build, env=environment, capture_output=True, text=True)
    ended = os.times()
    assert done.returncode == 0, done.stdout + done.stderr
    work = ended.children_user + ended.children_system - begun.children_user - begun.children_system
    print(f"built with {work:.0f} s of work in {ended.elapsed - begun.elapsed:.0f} s")
    assert work < LONGEST
    return SITE


def pages_of(site):
    return [file for file in site.rglob("*.html") if "_static" not in file.parts]


def test_every_link_of_the_site_leads_to_a_page_and_an_anchor(site):
    read = cache(Page)
    files = pages_of(site)
    assert len(files) > 50
    broken = []
    for file in files:
        for link in read(file).links + read(file).fetched:
            path, _, anchor = unquote(link).partition("#")
            if re.match(r"[a-z]+:", path):
                continue
            target = (file.parent / path.partition("?")[0]).resolve() if path else file
            exists = target.is_file()
            if not exists or (anchor and target.suffix == ".html" and anchor not in read(target).anchors):
                broken.append(f"{file.relative_to(site)}: {link}")
    assert broken == []


def test_the_site_asks_no_other_host_for_anything(site):
    asked = [f"{file.relative_to(site)}: {what}" for file in pages_of(site) for what in Page(file).fetched if re.match(r"(https?:)?//", what)]
    for style in (site / "_static").rglob("*.css"):
        found = re.findall(r"(?:url\(|@import\s+)[\"']?((?:https?:)?//[^\"')\s]+)", style.read_text())
        asked += [f"{style.relative_to(site)}: {what}" for what in found]
    assert asked == []


def test_every_formula_of_the_site_is_one(site):
    """One that Markdown misreads leaves its signs in the text, or takes the text behind it for mathematics."""
    broken = []
    for file in pages_of(site):
        article = re.search(r"<article.*?</article>", file.read_text(), re.S)
        if article is None or "source" in file.relative_to(site).parts:
            continue
        formulas = re.compile(r'<(span|div) class="math[^>]*>(.*?)</\1>', re.S)
        text = re.sub(r"<(pre|code).*?</\1>|<[^>]+>", "", formulas.sub("", article[0]), flags=re.S)
        broken += [f"{file.relative_to(site)}: {found}" for found in re.findall(r".*(?:\$|\\[a-z]).*", text)]
        broken += [f"{file.relative_to(site)}: {found}" for _, found in formulas.findall(article[0]) if re.search(r"\b(the|with|of)\b[^}]*$", found)]
    assert broken == []


# Contrast of the first paragraph with what is behind it, as WCAG 2 has it.
CONTRAST = """() => {
    const numbers = colour => (colour.match(/[0-9.]+/g) || []).map(Number);
    const luminance = ([r, g, b]) => [r, g, b].map(c => c / 255).map(c => c <= 0.03928 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    const text = document.querySelector("article p, article li");
    let behind = text;
    if (!text) return 21;
    const is_clear = node => { const c = numbers(getComputedStyle(node).backgroundColor); return c.length === 4 && c[3] === 0; };
    while (behind.parentElement && is_clear(behind)) behind = behind.parentElement;
    const both = [getComputedStyle(text).color, getComputedStyle(behind).backgroundColor].map(c => luminance(numbers(c)) + 0.05);
    return Math.max(...both) / Math.min(...both);
}"""


@pytest.mark.skipif(CHROMIUM is None, reason="no Chromium (Debian: apt-get install chromium)")
@pytest.mark.parametrize("colours", ["dark", pytest.param("light", marks=needs_browser)])
def test_every_page_can_be_read_on_a_telephone_and_by_keyboard_and_fetches_only_what_is_there(site, colours):
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=CHROMIUM, args=[*FLAGS, "--allow-file-access-from-files"])
        page = browser.new_page(viewport={"width": 390, "height": 844}, color_scheme=colours)
        faults = []
        page.on("request", lambda request: request.url.startswith(("file:", "data:", "blob:")) or faults.append(request.url))
        page.on("requestfailed", lambda request: faults.append(request.url))
        page.on("pageerror", lambda error: faults.append(str(error)))
        for file in pages_of(site):
            # The studio needs a server, and has its own tests.
            if {"source", "studio"} & set(file.relative_to(site).parts):
                continue
            page.goto(file.as_uri())
            page.wait_for_function("!window.MathJax || MathJax.startup.promise !== undefined")
            page.evaluate("window.MathJax && MathJax.startup.promise")
            width = page.evaluate("document.documentElement.scrollWidth")
            if width > 390:
                faults.append(f"{file.name} is {width} px wide")
            contrast = page.evaluate(CONTRAST)
            if contrast < 4.5:
                faults.append(f"{file.name} has a contrast of {contrast:.1f}")
            # The first stop of the keyboard leads past the navigation, and the next one is behind it.
            page.keyboard.press("Tab")
            if file.name == "search.html":
                continue
            if page.evaluate("document.activeElement.tagName") != "A":
                faults.append(f"{file.name} has no first link")
            page.keyboard.press("Enter")
            page.keyboard.press("Tab")
            if page.evaluate("!!document.activeElement.closest('nav, header, .sidebar-drawer')"):
                faults.append(f"{file.name}: its first link does not lead past the navigation")
        browser.close()
    assert faults == []


def test_the_readme_is_one_screen_to_the_first_success():
    words = len((harness.ROOT / "README.md").read_text().split())
    assert words <= 900, words


def test_the_pages_for_users_are_short_enough_to_be_read():
    docs = (page for page in (harness.ROOT / "docs").glob("*.md") if page.name not in NOT_FOR_USERS)
    counts = {page.name: words_of(page.read_text()) for page in [harness.ROOT / "README.md", *sorted(docs)]}
    print("\n".join(f"{count:6} {name}" for name, count in counts.items()), f"{sum(counts.values()):6} words", sep="\n")
    assert sum(counts.values()) <= MAX_WORDS, counts


@pytest.mark.parametrize("page", PAGES, ids=[str(page.relative_to(harness.ROOT)) for page in PAGES])
def test_no_sentence_has_more_than_35_words(page):
    long = [f"{line}: {words} words: {text}" for line, words, text in sentences(page.read_text()) if words > 35]
    assert long == []


def test_sentences_are_short_in_the_mean():
    lengths = [words for page in PAGES for _, words, _ in sentences(page.read_text())]
    mean = sum(lengths) / len(lengths)
    print(f"{len(lengths)} sentences, {mean:.1f} words in the mean")
    assert mean < 18.0


def test_pages_are_spelt_as_dictionaries_do(site):
    command = harness.TARGET / "venv-site" / "bin" / "codespell"
    call = [command, "--ignore-words", harness.ROOT / "docs" / "site" / "words.txt", *PAGES]
    done = subprocess.run(call, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr


def test_pages_are_written_as_proselint_advises(site, tmp_path):
    command = harness.TARGET / "venv-site" / "bin" / "proselint"
    rules = tmp_path / "rules.json"
    rules.write_text(json.dumps({"checks": RULES}))
    for page in PAGES:
        (tmp_path / f"{page.parent.name}_{page.name}").write_text(bare(page.read_text()))
    (tmp_path / "fault.md").write_text("It is the the word that is written twice.\n")
    done = subprocess.run([command, "check", "--config", rules, *sorted(tmp_path.glob("*.md"))], capture_output=True, text=True)
    found = done.stdout.strip().split("\n")
    assert [line for line in found if "fault.md" not in line] == [], done.stderr
    assert len(found) == 1


def test_the_paper_has_the_length_that_the_journal_asks_for_and_cites_what_is_in_its_bibliography():
    folder = harness.ROOT / "docs" / "paper"
    text = (folder / "paper.md").read_text().split("---\n", 2)[2]
    assert 750 <= words_of(text) <= 1750, words_of(text)
    cited = set(re.findall(r"(?<![\w.])@(\w+)", text))
    listed = re.findall(r"^@\w+\{(\w+),$", (folder / "paper.bib").read_text(), re.M)
    assert sorted(cited) == sorted(listed)


def test_the_paper_compares_by_the_numbers_of_the_results():
    paper = (harness.ROOT / "docs" / "paper" / "paper.md").read_text()
    results = (harness.ROOT / "docs" / "results.md").read_text()
    ratios = re.findall(r"^\| (.+?) \| ([\d.]+ to [\d.]+) \| ([\d.]+ to [\d.]+) \|$", paper, re.M)
    assert len(ratios) == 6
    for mechanism, positions, forces in ratios:
        part = results.lower().split(f"### {mechanism.lower()}\n")[1].split("### ")[0]
        assert f"ratio at equal error of positions: {positions}; of forces: {forces}." in part, mechanism
    for found, reference in re.findall(r"\| (\d+\.\d+) [^|]*\| (\d+\.\d+) \S+, ", paper):
        assert f"| {found} | {reference} |" in results, found


def gallery():
    """Names of the models of the gallery, each with the lines that are shown of it."""
    text = (harness.ROOT / "docs" / "gallery.md").read_text()
    return re.findall(r"\(\.\./resources/models/(\w+)\.toml\)\.\n\n```toml\n(.*?)```", text, re.S)


def test_the_gallery_shows_every_bundled_model_and_lines_that_are_in_it():
    assert sorted(name for name, _ in gallery()) == [model.stem for model in harness.MODELS]
    for name, shown in gallery():
        lines = (harness.ROOT / "resources" / "models" / f"{name}.toml").read_text().split("\n")
        assert [line for line in shown.split("\n") if line and line not in lines] == [], name


def test_every_picture_is_made_by_a_command_and_shown_on_a_page():
    docs = harness.ROOT / "docs"
    pictures = [file.relative_to(docs) for file in docs.rglob("*") if file.suffix in (".png", ".svg", ".gif")]
    assert [str(picture) for picture in pictures if picture.parts[0] not in MAKERS] == []
    figures = (harness.ROOT / "tools" / "examples" / "figures" / "main.rs").read_text()
    for folder, command in MAKERS.items():
        assert command.startswith("docs/pictures") or command in figures, folder
    shown = {(page.parent / target).resolve() for page in PAGES for target in re.findall(r"!\[[^\]]*\]\(([^)\s]+)\)", page.read_text())}
    assert [str(picture) for picture in pictures if (docs / picture).resolve() not in shown] == []


@needs_browser
def test_the_picture_of_the_page_is_the_page_as_it_is(tmp_path):
    environment = {**os.environ, "COULISSE": str(harness.COMMAND), "CHROMIUM": CHROMIUM}
    subprocess.run([harness.ROOT / "docs" / "pictures", tmp_path, "page"], env=environment, check=True, capture_output=True)
    now, kept = (Image.open(folder / "page.png").convert("RGB") for folder in (tmp_path, harness.ROOT / "docs" / "gallery"))
    assert now.size == kept.size
    # Letters are drawn a little differently by another Chromium.
    assert max(ImageStat.Stat(ImageChops.difference(now, kept)).mean) < 4.0


@harness.full_tier("half a minute: runs every bundled model")
def test_pictures_of_the_gallery_are_those_that_the_command_makes(tmp_path):
    environment = {**os.environ, "COULISSE": str(harness.COMMAND)}
    subprocess.run([harness.ROOT / "docs" / "pictures", tmp_path], env=environment, check=True, capture_output=True)
    kept = harness.ROOT / "docs" / "gallery"
    for picture in sorted(tmp_path.glob("*.gif")):
        assert picture.read_bytes() == (kept / picture.name).read_bytes(), picture.name
