with
platforms as (
    select 'platform' as field, platform as value, count(*) as n from fct_rounds group by platform
),
rulesets as (
    select 'ruleset' as field, ruleset as value, count(*) as n from fct_rounds group by ruleset
),
codes as (
    select 'code' as field, code as value, count(*) as n from fct_findings group by code
),
players as (
    select 'player' as field, player as value, count(*) as n
    from fct_seats
    group by player
    order by n desc, value
    limit 1000
),
final as (
    from platforms
    union all
    from rulesets
    union all
    from codes
    union all
    from players
)
select field, value, cast(n as bigint) as n
from final
order by field, n desc, value
