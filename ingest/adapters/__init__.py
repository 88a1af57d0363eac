"""One module a source format; ``adapters`` lists them."""

from __future__ import annotations

from ingest.adapters.registry import Adapter


def adapters() -> tuple[Adapter, ...]:
    """Every source format that can be read. Loaded on the first call: reading one format should not cost the others."""
    from ingest.adapters.csv_table import ADAPTER as CSV
    from ingest.adapters.guilin import ADAPTER as GUILIN
    from ingest.adapters.guilin_log import ADAPTER as GUILIN_LOG
    from ingest.adapters.h5 import ADAPTER as H5
    from ingest.adapters.huyoo import ADAPTER as HUYOO
    from ingest.adapters.jsonl import ADAPTER as JSONL
    from ingest.adapters.pandora import ADAPTER as PANDORA
    from ingest.adapters.parquet import ADAPTER as PARQUET
    from ingest.adapters.phz import ADAPTER as PHZ
    from ingest.adapters.sheet import ADAPTER as SHEET
    from ingest.adapters.sy599 import ADAPTER as SY599
    from ingest.adapters.woaiwyhty import ADAPTER as WOAIWYHTY

    return (PHZ, JSONL, CSV, GUILIN, GUILIN_LOG, H5, HUYOO, PANDORA, PARQUET, SHEET, SY599, WOAIWYHTY)
