with
seats as (
    select
        round_key,
        platform,
        day,
        ruleset,
        seats,
        cluster_key,
        unnest(players) as player,
        generate_subscripts(players, 1) - 1 as seat,
        sitter,
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
        case when seat = sitter then 'sitter' when seat = dealer then 'dealer' else 'idle' end as role,
        decided = 1 and seat is distinct from sitter as is_played,
        case when decided = 1 then points[seat + 1] end as own_points
    from seats
),
won as (
    select *, is_played and winner = seat as is_win from judged
),
final as (
    select
        round_key,
        platform,
        day,
        ruleset,
        seats,
        cluster_key,
        player,
        cast(seat as integer) as seat,
        role,
        recorded,
        replayed,
        cast(is_played as integer) as decided,
        cast(is_win as integer) as win,
        cast(is_played and role = 'dealer' as integer) as dealer_decided,
        cast(is_win and role = 'dealer' as integer) as dealer_win,
        cast(is_played and role = 'idle' as integer) as idle_decided,
        cast(is_win and role = 'idle' as integer) as idle_win,
        cast(is_win and win_source = 1 as integer) as zimo_win,
        cast(is_win and huxi is not null as integer) as huxi_known,
        case when is_win then coalesce(huxi, 0) else 0 end as huxi_won,
        cast(is_played and own_points is not null as integer) as points_known,
        case when is_played then coalesce(own_points, 0) else 0 end as points_played,
        coalesce(own_points, 0) as points
    from won
)
select * from final
