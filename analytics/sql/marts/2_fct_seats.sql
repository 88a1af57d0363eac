with
seats as (
    select
        round_key,
        platform,
        day,
        ruleset,
        cluster_key,
        unnest(players) as player,
        generate_subscripts(players, 1) - 1 as seat,
        dealer,
        recorded,
        replayed,
        decided,
        winner,
        win_source,
        huxi,
        points
    from fct_rounds
),
judged as (
    select
        *,
        seat = dealer as is_dealer,
        decided = 1 and winner = seat as is_win,
        case when decided = 1 then points[seat + 1] end as own_points
    from seats
),
final as (
    select
        round_key,
        platform,
        day,
        ruleset,
        cluster_key,
        player,
        cast(seat as integer) as seat,
        case when is_dealer then 'dealer' else 'idle' end as role,
        recorded,
        replayed,
        decided,
        cast(is_win as integer) as win,
        cast(is_dealer and decided = 1 as integer) as dealer_decided,
        cast(is_dealer and is_win as integer) as dealer_win,
        cast(not is_dealer and decided = 1 as integer) as idle_decided,
        cast(not is_dealer and is_win as integer) as idle_win,
        cast(is_win and win_source = 1 as integer) as zimo_win,
        cast(is_win and huxi is not null as integer) as huxi_known,
        case when is_win then coalesce(huxi, 0) else 0 end as huxi_won,
        cast(own_points is not null as integer) as points_known,
        coalesce(own_points, 0) as points
    from judged
)
select * from final
