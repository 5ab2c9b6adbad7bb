# constants of a class, by the class and by an instance
from _harness import drive


class Settings:
    factor = 3
    offset = 0.5


def work(n):
    settings = Settings()
    total = 0.0
    for i in range(n):  # kiln-native
        total += Settings.factor * i + settings.offset
    return total


drive(work)
