with
final as (
    select
        round_key,
        platform,
        day,
        ruleset,
        seats,
        unnest(list_distinct(list_transform(reasons, lambda r: regexp_replace(r, '[0-9]+', '#', 'g')))) as reason,
        1 as undecided
    from fct_rounds
    where verdict = 'undecidable'
)
select * from final
