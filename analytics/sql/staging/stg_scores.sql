select
    round_id,
    engine_version,
    cast(winner as integer) as winner,
    cast(source as integer) as win_source,
    huxi,
    fan,
    points
from raw_scores
