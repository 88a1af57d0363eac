with
final as (
    select *, cast(count(*) over () as bigint) as total from sheets
)
select * from final
order by started_at desc nulls last, platform, session, sheet_id, place
limit $limit offset $offset
