"""An extension of Sphinx: cells of tables of keys get the class of their column, so that they can stand below each other on a
narrow screen, each with its heading (static/site.css)."""

from docutils import nodes


def classify(app, doctree):
    for table in doctree.findall(nodes.table):
        head = [entry.astext() for entry in next(table.findall(nodes.thead)).findall(nodes.entry)]
        if not head or head[0] != "key":
            continue
        table["classes"].append("keys")
        for row in next(table.findall(nodes.tbody)).findall(nodes.row):
            for name, entry in zip(head, row.findall(nodes.entry)):
                entry["classes"].append(f"column-{name}" if entry.astext().strip() else "empty")


def setup(app):
    app.connect("doctree-read", classify)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
