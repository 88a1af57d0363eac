with
final as (
    select
        r.round_key,
        r.platform,
        r.day,
        r.ruleset,
        r.seats,
        case when f.seat >= 0 then r.players[f.seat + 1] end as player,
        case
            when f.seat < 0 or f.seat is null then 'none'
            when f.seat = r.sitter then 'sitter'
            when f.seat = r.dealer then 'dealer'
            else 'idle'
        end as role,
        f.idx,
        f.seq,
        f.code,
        f.seat,
        f.severity,
        f.clause,
        f.expected,
        f.actual,
        1 as finding,
        cast(f.follows_from is null as integer) as root
    from stg_findings as f
    inner join build using (engine_version)
    inner join fct_rounds as r using (round_id)
)
select * from final
