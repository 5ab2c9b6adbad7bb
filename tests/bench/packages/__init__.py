"""The packages suite: everyday programs over packages of PyPI."""
