with
final as (
    select * from stg_quarantine
)
select * from final
