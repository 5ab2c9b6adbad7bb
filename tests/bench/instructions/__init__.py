"""How many instructions programs take."""
