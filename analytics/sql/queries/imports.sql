with
final as (
    select * from imports
)
select * from final
order by imported_at desc, file, file_hash
limit $limit offset $offset
