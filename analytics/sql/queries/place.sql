with
final as (
    select platform, day from fct_rounds where round_id = $round_id
)
select * from final
