with
behind as (
{behind}
),
kept as (
    select *
    from fct_rounds
    where
{filters}
        and ($verdict is null or verdict = $verdict)
        and ($code is null or round_key in (select f.round_key from fct_findings as f where f.code = $code))
        and round_key in (select b.round_key from behind as b)
),
final as (
    select
        k.round_id,
        k.platform,
        k.day,
        k.started_at,
        k.round_no,
        k.ruleset,
        k.players,
        k.dealer,
        k.verdict,
        k.winner,
        k.winner_name,
        k.win_source,
        k.huxi,
        list_transform(k.fan, lambda f: f.name) as fan,
        k.points,
        k.n_events,
        (select cast(count(*) as bigint) from fct_findings as f where f.round_key = k.round_key) as n_findings,
        cast(count(*) over () as bigint) as total
    from kept as k
    order by k.day desc, k.started_at desc, k.platform, k.round_no desc, k.round_id
    limit $limit offset $offset
)
select * from final
order by day desc, started_at desc, platform, round_no desc, round_id
