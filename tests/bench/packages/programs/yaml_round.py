"""PyYAML's Python loader and dumper: documents with anchors, blocks and tags."""

import hashlib
import sys

import yaml

BENCH = {"size": 260, "small": 2}

ENTRY = """
- id: {n}
  name: "entry \\u00e9 {n}"
  base: &b{n} {{x: 1, y: [1, 2.5, ~, true]}}
  copy: {{<<: *b{n}, z: 3}}
  text: |
    line one of {n}
      line two
  folded: >-
    words that
    are folded
  when: 2024-01-02
  'quoted key': [a, 'b c', "d\\te"]
"""


def run(size):
    text = "".join(ENTRY.format(n=n) for n in range(size))
    data = yaml.load(text, Loader=yaml.SafeLoader)
    written = yaml.dump(data, Dumper=yaml.SafeDumper, sort_keys=True)
    total = sum(entry["copy"]["z"] + entry["id"] for entry in data)
    return len(data), total, hashlib.sha256(written.encode()).hexdigest()


if __name__ == "__main__":
    print(run(int(sys.argv[1])))
