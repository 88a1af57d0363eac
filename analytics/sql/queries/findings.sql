with
kept as (
    select *
    from fct_findings
    where
{filters}
        and ($code is null or code = $code)
),
final as (
    select
        r.round_id,
        k.platform,
        k.day,
        r.round_no,
        k.ruleset,
        k.idx,
        k.seq,
        k.code,
        k.seat,
        k.player,
        k.severity,
        k.clause,
        k.expected,
        k.actual,
        k.root,
        cast(count(*) over () as bigint) as total
    from kept as k
    inner join fct_rounds as r using (round_key)
    order by k.day desc, r.round_id, k.idx
    limit $limit offset $offset
)
select * from final
order by day desc, round_id, idx
