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
        and {is_behind}
),
page as (
    select *
    from kept
    order by day desc, started_at desc, platform, round_no desc, round_id
    limit $limit offset $offset
),
final as (
    select
        p.round_id,
        p.platform,
        p.day,
        p.started_at,
        p.round_no,
        p.ruleset,
        p.players,
        p.sitter,
        p.dealer,
        p.verdict,
        p.winner,
        p.special,
        p.winner_name,
        p.win_source,
        p.huxi,
        list_transform(p.fan, lambda f: f.name) as fan,
        p.points,
        p.n_events,
        (select cast(count(*) as bigint) from fct_findings as f where f.round_key = p.round_key) as n_findings,
        (select cast(count(*) as bigint) from kept) as total
    from page as p
)
select * from final
order by day desc, started_at desc, platform, round_no desc, round_id
