"""pyparsing: a configuration language parsed by combinators."""

import sys

import pyparsing as pp

BENCH = {"size": 430, "small": 2}


def make_grammar():
    value = pp.Forward()
    name = pp.Word(pp.alphas, pp.alphanums + "_")
    number = pp.Regex(r"-?[0-9]+(\.[0-9]+)?").set_parse_action(lambda tokens: float(tokens[0]))
    string = pp.QuotedString('"', esc_char="\\")
    items = pp.Group(pp.Suppress("[") + pp.Optional(pp.DelimitedList(value)) + pp.Suppress("]"))
    pair = pp.Group(name + pp.Suppress("=") + value + pp.Suppress(";"))
    block = pp.Group(name + pp.Suppress("{") + pp.Dict(pp.ZeroOrMore(pair)) + pp.Suppress("}"))
    value <<= number | string | items | name
    return pp.OneOrMore(block).ignore(pp.python_style_comment)


def run(size):
    text = "\n".join(f"""
# the server {k}
server_{k} {{
    port = {8000 + k}; host = "host \\"{k}\\""; weights = [1, 2.5, {k}, [3, low, "x"]];
    mode = {'fast' if k % 3 else 'slow'}; limits = [{k % 5}, -{k}];
}}""" for k in range(size))
    blocks = make_grammar().parse_string(text, parse_all=True)
    total = sum(block["port"] + sum(value for value in block["limits"]) for block in blocks)
    return len(blocks), total, str(blocks[-1].as_list())


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
