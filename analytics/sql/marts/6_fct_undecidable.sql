with
final as (
    select
        round_key,
        platform,
        day,
        ruleset,
        unnest(list_distinct(reasons)) as reason,
        1 as undecided
    from fct_rounds
    where verdict = 'undecidable'
)
select * from final
