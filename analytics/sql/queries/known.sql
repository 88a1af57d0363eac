with
final as (
    select round_id from fct_rounds where list_contains($round_ids, round_id)
)
select * from final
order by round_id
