"""The version of the engine, apart from the table schemas so that small commands need not load Polars."""

ENGINE_VERSION = "5"
"""Bumped whenever behaviour changes; in every row that replay writes, named by every figure in docs/validation.md."""
