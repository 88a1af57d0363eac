with
named as (
    select
        * exclude (win, special, win_source, huxi, fan),
        unnest(
            case
                when fan is null or len(fan) = 0 then ['平胡']
                else list_distinct(list_transform(fan, lambda f: f.name))
            end
        ) as fan
    from fct_wins
),
final as (
    select *, 1 as win from named
)
select * from final
