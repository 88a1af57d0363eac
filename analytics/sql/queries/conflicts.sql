with
final as (
    select *, cast(count(*) over () as bigint) as total from conflicts
)
select * from final
order by round_id, field, account, told
limit $limit offset $offset
