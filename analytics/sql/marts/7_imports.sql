with
final as (
    select *, seen = accepted + already_known + quarantined as adds_up
    from stg_imports
)
select * from final
