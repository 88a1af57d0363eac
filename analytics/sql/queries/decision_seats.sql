with
kept as (
    select
        round_key,
        seat
    from fct_seats
    where
{filters}
),
final as (
    select
        r.round_id,
        k.seat
    from kept as k
    inner join fct_rounds as r using (round_key)
    where r.round_id in (select unnest(cast($round_ids as varchar[])))
)
select * from final
order by round_id, seat
