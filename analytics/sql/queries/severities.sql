with
final as (
    select code, max(severity) as severity
    from fct_findings
    where
{filters}
    group by code
)
select * from final
order by code
