with
final as (
    select *, cast(count(*) over () as bigint) as total
    from quarantine
    where $code is null or code = $code
)
select * from final
order by imported_at desc, file, record_index nulls first, code
limit $limit offset $offset
