"""numba.misc: another place of names that the package has."""
