"""Sentences of pages of Markdown: the length of each, and where it stands.

    python tests/hosts/prose.py PAGE...      prints the mean and the longest of each page
"""

import itertools
import re
import sys
from pathlib import Path

# What is no prose: comments, blocks of code, formulas on their own, tables, headings, pictures.
FENCE = re.compile(r"^\s*(```|\$\$\s*$)")
NO_PROSE = re.compile(r"^\s*(\||#|<!--|!\[)")
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
# Code, a formula, or a letter that stands for a quantity, perhaps with an index.
SYMBOL = re.compile(r"`[^`]*`|\$[^$]+\$|(?<![\w'])([b-zB-HJ-Zα-ω]|\d+)(_\w+)?(?![\w'])")
ITEM = re.compile(r"^\s*([-*]|\d+\.) ")
# A sentence ends with its mark, perhaps inside of brackets or quotes, before a capital letter, a sign of Markdown or the name of the program.
END = re.compile(r"(?<=[.!?])[)\"*]* +(?=[A-Z`*\"\[(0-9]|coulisse\b)")
ABBREVIATIONS = re.compile(r"\b(e\.g|i\.e|etc|Sec|Secs|Eq|Eqs|Fig|Figs|Chap|No|vs|approx|al)\.")


def paragraphs(text):
    """Each with the number of its first line; items of lists are paragraphs of their own."""
    found, fenced, begun = [], False, None
    for number, line in enumerate(text.split("\n"), 1):
        fence = bool(FENCE.match(line))
        fenced ^= fence
        if fenced or fence or not line.strip() or NO_PROSE.match(line):
            begun = None
        elif begun is None or ITEM.match(line):
            begun = [number, line]
            found.append(begun)
        else:
            begun[1] += " " + line
    return found


def plain(text):
    """Inline code and formulas as one word, links as what they show."""
    text = re.sub(r"`[^`]*`", "Code", ITEM.sub("", text))
    text = re.sub(r"\$[^$]+\$", "formula", text)
    text = LINK.sub(r"\1", text)
    return ABBREVIATIONS.sub(lambda found: found[1], text)


def bare(text):
    """A page with nothing but its prose, each paragraph in the line where it begins. Code, formulas and symbols are words with
    numbers, so that no two in a row look like a word that is written twice."""
    lines, count = [""] * (text.count("\n") + 1), itertools.count(1)
    for number, paragraph in paragraphs(text):
        named = SYMBOL.sub(lambda found: f"symbol{next(count)}", LINK.sub(r"\1", ITEM.sub("", paragraph)))
        lines[number - 1] = named
    return "\n".join(lines)


def words_of(text):
    """How many words a page has, those of its tables, models and commands too."""
    return sum(1 for word in text.split() if re.search(r"\w", word))


def sentences(text):
    """Line, number of words, and words of every sentence."""
    for number, paragraph in paragraphs(text):
        for sentence in END.split(plain(paragraph)):
            words = [word for word in sentence.split() if re.search(r"\w", word)]
            if words:
                yield number, len(words), sentence.strip()


if __name__ == "__main__":
    for name in sys.argv[1:]:
        found = list(sentences(Path(name).read_text()))
        mean = sum(one[1] for one in found) / max(len(found), 1)
        long = [one for one in found if one[1] > 35]
        print(f"{name}: {len(found)} sentences, mean {mean:.1f}, {len(long)} above 35 words")
        for line, words, sentence in long:
            print(f"  {name}:{line}: {words} words: {sentence[:150]}")
