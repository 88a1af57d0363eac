"""The compiled reader of ``.jsonl``: bytes straight into rows of the event log, for large files."""
