with
clusters as (
    select {keys}cluster_key, cast(sum({numerator}) as bigint) as y, cast(sum({denominator}) as bigint) as m
    from {mart}
    where
{filters}
        and {denominator} <> 0
    group by all
),
final as (
    select
        {keys}
        cast(count(*) as bigint) as clusters,
        cast(sum(y * y) as double) as yy,
        cast(sum(y * m) as double) as ym,
        cast(sum(m * m) as double) as mm
    from clusters
    group by all
)
select * from final
