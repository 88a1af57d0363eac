-- one row a person of a round whose points were reported
select
    coalesce(platform, '') as platform,
    coalesce(session, '') as session,
    unnest(players) as player,
    cast(unnest(points) as bigint) as points
from raw_rounds
where len(points) = len(players)
