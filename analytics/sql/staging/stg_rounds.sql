-- one row a recorded round; a partition value of '' is stored as null
select
    round_id,
    coalesce(platform, '') as platform,
    coalesce(day, '') as day,
    coalesce(room, '') as room,
    coalesce(session, '') as session,
    round_no,
    started_at,
    ruleset,
    players,
    cast(sitter as integer) as sitter,
    cast(dealer as integer) as dealer,
    cast(n_events as bigint) as n_events,
    points as reported
from raw_rounds
