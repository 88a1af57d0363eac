with
final as (
    select
        cast(count(*) as bigint) as files,
        cast(coalesce(sum(seen), 0) as bigint) as seen,
        cast(coalesce(sum(accepted), 0) as bigint) as accepted,
        cast(coalesce(sum(already_known), 0) as bigint) as already_known,
        cast(coalesce(sum(quarantined), 0) as bigint) as quarantined,
        coalesce(bool_and(adds_up), true) as adds_up
    from imports
)
select * from final
