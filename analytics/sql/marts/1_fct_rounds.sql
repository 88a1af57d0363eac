with
verdicts as (
    select v.* from stg_verdicts as v inner join build using (engine_version)
),
scores as (
    select s.* from stg_scores as s inner join build using (engine_version)
),
joined as (
    select
        row_number() over (order by r.round_id) as round_key,
        r.round_id,
        r.platform,
        r.day,
        coalesce(v.ruleset, r.ruleset) as ruleset,
        case
            when r.session = '' and r.room = '' then r.round_id
            else r.platform || chr(31) || r.room || chr(31) || r.session
        end as cluster_name,
        r.round_no,
        coalesce(r.started_at, '') as started_at,
        r.players,
        r.sitter,
        r.dealer,
        r.n_events,
        coalesce(v.verdict, 'not_replayed') as verdict,
        v.reasons,
        coalesce(v.verdict in ('clean', 'violations') and s.winner is not null, false) as is_decided,
        s.winner,
        s.special,
        s.win_source,
        case when not list_contains(b.without_huxi, coalesce(v.ruleset, r.ruleset)) then s.huxi end as huxi,
        s.fan,
        s.points
    from stg_rounds as r
    cross join build as b
    left join verdicts as v using (round_id)
    left join scores as s using (round_id)
),
final as (
    select
        round_key,
        round_id,
        platform,
        day,
        ruleset,
        dense_rank() over (order by cluster_name) as cluster_key,
        round_no,
        started_at,
        players,
        len(players) - cast(sitter is not null as integer) as seats,
        sitter,
        dealer,
        n_events,
        verdict,
        reasons,
        1 as recorded,
        cast(verdict in ('clean', 'violations', 'undecidable') as integer) as replayed,
        cast(is_decided as integer) as decided,
        cast(is_decided and winner = -1 and special not in ('作废', '逃跑') as integer) as huang,
        cast(is_decided and winner = -1 and special = '作废' as integer) as voided,
        cast(is_decided and winner = -1 and special = '逃跑' as integer) as escaped,
        cast(is_decided and winner >= 0 as integer) as won,
        case when is_decided then winner end as winner,
        case when is_decided then special end as special,
        case when is_decided and winner >= 0 then players[winner + 1] end as winner_name,
        case when is_decided and winner >= 0 then win_source end as win_source,
        case when is_decided and winner >= 0 then huxi end as huxi,
        case when is_decided and winner >= 0 then fan end as fan,
        case when is_decided then points end as points
    from joined
)
select * from final
