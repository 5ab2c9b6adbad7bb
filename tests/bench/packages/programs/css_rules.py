"""tinycss2 and cssselect: a style sheet tokenised, its selectors translated to XPath, and written again."""

import hashlib
import sys

import cssselect
import tinycss2

BENCH = {"size": 700, "small": 2}

RULES = """
/* rule {n} */
#main{n} > ul.nav li:nth-child(2n+{n}), a[href^="http"]:not(.x{n}):hover::before {{
    color: rgba({n}, 12, 255, .5) !important; margin: -{n}px 1.5em 0 auto;
    background: url("img/{n}.png") no-repeat, linear-gradient(45deg, #fff{n:03d}, calc(100% - {n}px));
}}
@media screen and (max-width: {n}px) {{ .c{n} + .d ~ p[lang|="en"] {{ content: "a\\201C b"; }} }}
"""


def run(size):
    text = "".join(RULES.format(n=n) for n in range(size))
    sheet = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    translator = cssselect.GenericTranslator()
    lines = []
    for rule in sheet:
        if rule.type != "qualified-rule":
            lines.append(tinycss2.serialize(rule.prelude))
            continue
        selectors = cssselect.parse(tinycss2.serialize(rule.prelude))
        for selector in selectors:
            lines.append(f"{selector.specificity()} {selector.pseudo_element}")
        lines.append(translator.selector_to_xpath(selectors[0]))
        for declaration in tinycss2.parse_declaration_list(rule.content, skip_whitespace=True):
            lines.append(f"{declaration.lower_name} {declaration.important} {tinycss2.serialize(declaration.value)}")
    return len(lines), hashlib.sha256("\n".join(lines).encode()).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
