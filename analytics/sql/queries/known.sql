with
final as (
    select round_id from fct_rounds where round_id in (select unnest($round_ids))
)
select * from final
order by round_id
