select
    round_id,
    engine_version,
    idx,
    cast(seq as integer) as seq,
    code,
    cast(seat as integer) as seat,
    cast(severity as integer) as severity,
    clause,
    expected,
    actual,
    follows_from
from raw_findings
