with
times as (
    select file, file_hash, code, count(*) as n
    from quarantine
    group by file, file_hash, code
),
refused as (
    select
        file,
        file_hash,
        string_agg(code || ' ' || n, ', ' order by n desc, code) as codes,
        list(code) as found
    from times
    group by file, file_hash
),
final as (
    select i.*, coalesce(r.codes, '') as codes, cast(count(*) over () as bigint) as total
    from imports as i
    left join refused as r on i.file = r.file and i.file_hash = r.file_hash
    where $code is null or list_contains(r.found, $code)
)
select * from final
order by imported_at desc, file, file_hash
limit $limit offset $offset
