    select round_key
    from {mart}
    where
{filters}
        and {column} <> 0
        and {key_is}
