"""Jinja: templates compiled and pages rendered from them, with inheritance, loops, macros and filters."""

import hashlib
import sys

import jinja2

BENCH = {"size": 200, "small": 2}

LAYOUT = """<html><head><title>{% block title %}shop{% endblock %}</title></head>
<body>{% block body %}{% endblock %}<p>{{ items|length }} items</p></body></html>"""
PAGE = """{% extends "layout" %}
{% macro price(item) %}<b>{{ "%.2f"|format(item.price) }}</b>{% if item.price > 50 %} !{% endif %}{% endmacro %}
{% block title %}{{ super() }}: {{ name|title|escape }}{% endblock %}
{% block body %}<ul>{% for item in items|sort(attribute="price") %}
<li class="{{ loop.cycle('odd', 'even') }}">{{ loop.index }}. {{ item.name|upper|escape }} {{ price(item) }}
{% for tag in item.tags if tag != "none" %}<i>{{ tag|replace("a", "&") }}</i>{% else %}no tags{% endfor %}</li>
{% endfor %}</ul>{{ items|map(attribute="price")|sum|round(2) }}{% endblock %}"""


def run(size):
    environment = jinja2.Environment(loader=jinja2.DictLoader({"layout": LAYOUT, "page": PAGE}), autoescape=False)
    digest = hashlib.sha256()
    for number in range(size):
        items = [{"name": f"thing <{k}>", "price": (k * 37 + number) % 101 + 0.5,
                  "tags": ["none", "sale", "a b"][: k % 4]}
                 for k in range(150)]
        page = environment.get_template("page").render(name=f"page {number}", items=items)
        digest.update(page.encode())
    return digest.hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
