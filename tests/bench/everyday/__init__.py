"""The everyday suite: plain programs over dicts, strings, generators, objects and recursion."""
