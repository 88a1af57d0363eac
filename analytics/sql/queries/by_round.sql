    ($platform is null or platform = $platform)
    and ($ruleset is null or ruleset = $ruleset)
    and ($seats is null or seats = $seats)
    and ($day_from is null or (day <> '' and day >= $day_from))
    and ($day_to is null or (day <> '' and day <= $day_to))
    and (
        $player is null
        or round_key in (
            select s.round_key
            from fct_seats as s
            where s.player = $player and ($role is null or s.role = $role)
        )
    )
