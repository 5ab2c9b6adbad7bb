"""Werkzeug: URLs matched and built, headers and forms parsed, responses made."""

import hashlib
import sys

from werkzeug.exceptions import HTTPException
from werkzeug.http import parse_accept_header, parse_options_header
from werkzeug.routing import Map, Rule
from werkzeug.test import EnvironBuilder
from werkzeug.wrappers import Request, Response

BENCH = {"size": 1800, "small": 5}


def make_map():
    rules = [Rule("/", endpoint="index"), Rule("/static/<path:name>", endpoint="static"),
             Rule("/user/<name>/", endpoint="user"), Rule("/user/<name>/<int:page>", endpoint="page", methods=["GET"]),
             Rule("/<any(en,de):lang>/<float:score>", endpoint="score")]
    return Map(rules + [Rule(f"/part{k}/<int(min=3):number>", endpoint=f"part{k}") for k in range(40)])


def run(size):
    routes = make_map()
    digest = hashlib.sha256()
    for k in range(size):
        path = ("/", f"/static/a/{k}.css", f"/user/u{k}/", f"/user/u/{k}", f"/de/{k}.5",
                f"/part{k % 45}/{k % 9}")[k % 6]
        builder = EnvironBuilder(path, method="POST" if k % 2 else "GET", query_string={"q": f"a b {k}", "n": k},
                                 headers={"Accept": "text/html;q=0.5, application/json", "Cookie": f"id={k}; x=y"})
        request = Request(builder.get_environ())
        adapter = routes.bind_to_environ(request.environ)
        try:
            endpoint, values = adapter.match()
            text = f"{endpoint} {sorted(values.items())} {adapter.build(endpoint, values)}"
        except HTTPException as error:
            text = f"{error.code} {error.name}"
        text += f" {request.args['q']} {request.cookies['id']} {request.accept_mimetypes.best}"
        response = Response(text, mimetype="text/plain", headers={"X-Number": str(k)})
        response.set_cookie("seen", str(k), max_age=60 * k)
        accepted = parse_accept_header("en;q=0.8, de, *;q=0.1").best
        options = parse_options_header(f'form-data; name="f{k}"; filename="a b.txt"')[1]
        digest.update(f"{response.status} {text} {response.headers['X-Number']} {accepted} {options['name']}".encode())
    return digest.hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
