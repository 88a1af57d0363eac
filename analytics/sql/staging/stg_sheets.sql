-- one row a score sheet
select sheet_id, platform, room, session, started_at, cast(n_rounds as bigint) as n_rounds, players, points, raw
from raw_sheets
