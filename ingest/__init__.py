"""Turn any recorded game into rows of the event log; knows no rule of play."""
