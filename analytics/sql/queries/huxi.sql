with
final as (
    select huxi, cast(count(*) as bigint) as wins
    from fct_wins
    where
{filters}
        and huxi is not null
    group by huxi
)
select * from final
order by huxi
