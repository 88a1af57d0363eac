select
    round_id,
    engine_version,
    cast(winner as integer) as winner,
    coalesce(special, '') as special,
    cast(source as integer) as win_source,
    huxi,
    fan,
    points
from raw_scores
