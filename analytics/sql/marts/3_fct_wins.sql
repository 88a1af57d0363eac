with
final as (
    select
        round_key,
        platform,
        day,
        ruleset,
        seats,
        winner_name as player,
        case when winner = dealer then 'dealer' else 'idle' end as role,
        won as win,
        special,
        win_source,
        huxi,
        fan
    from fct_rounds
    where won = 1
)
select * from final
