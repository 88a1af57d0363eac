with
final as (
    select code, cast(count(*) as bigint) as n, cast(count(distinct (file, file_hash)) as bigint) as files
    from quarantine
    group by code
)
select * from final
order by n desc, code
