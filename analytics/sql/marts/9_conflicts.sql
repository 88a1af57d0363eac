with
final as (
    select * from stg_conflicts
)
select * from final
