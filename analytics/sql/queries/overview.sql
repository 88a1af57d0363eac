with
kept as (
    select *
    from fct_rounds
    where
{filters}
),
final as (
    select
        cast(count(*) as bigint) as rounds,
        cast(coalesce(sum(n_events), 0) as bigint) as events,
        cast(coalesce(sum(replayed), 0) as bigint) as replayed,
        cast(coalesce(sum(decided), 0) as bigint) as decided,
        (
            select cast(count(distinct (s.platform, s.player)) as bigint)
            from fct_seats as s
            where s.round_key in (select k.round_key from kept as k)
        ) as players,
        min(nullif(day, '')) as first_day,
        max(nullif(day, '')) as last_day
    from kept
)
select * from final
