with
final as (
    select {keys}{sums}
    from {mart}
    where
{filters}
    group by all
)
select * from final
