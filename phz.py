"""The command line ``phz``."""
