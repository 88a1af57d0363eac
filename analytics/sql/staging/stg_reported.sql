-- one row a round: who played and the points that were reported, null where none were
select
    coalesce(platform, '') as platform,
    coalesce(session, '') as session,
    players,
    points
from raw_rounds
