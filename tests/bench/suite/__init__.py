"""What the suites of whole programs share: programs, peers, rounds, arithmetic, bars, reports and the command line."""
