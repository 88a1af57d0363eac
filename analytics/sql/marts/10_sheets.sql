-- one row a person of a score sheet, beside what the recorded rounds of the same session reported for that person
with
people as (
    select
        sheet_id,
        platform,
        room,
        session,
        started_at,
        n_rounds,
        generate_subscripts(players, 1) as place,
        unnest(players) as player,
        cast(unnest(points) as bigint) as points,
        raw
    from stg_sheets
),
reported as (
    select platform, session, unnest(players) as player, unnest(reported) as points
    from stg_rounds
    where session <> '' and len(reported) = len(players)
),
rounds as (
    select platform, session, player, cast(count(*) as bigint) as rounds, cast(sum(points) as bigint) as points
    from reported
    group by platform, session, player
),
final as (
    select
        people.sheet_id,
        people.platform,
        people.room,
        people.session,
        people.started_at,
        people.n_rounds,
        people.place,
        people.player,
        people.points,
        cast(people.raw[people.place] as bigint) as raw,
        cast(sum(people.points) over (partition by people.sheet_id) as bigint) as sheet_sum,
        rounds.rounds as rounds_found,
        rounds.points as points_found,
        people.points - rounds.points as difference
    from people
    left join rounds using (platform, session, player)
)
select * from final
