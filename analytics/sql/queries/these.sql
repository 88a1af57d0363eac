    select round_key
    from fct_rounds
    where round_id in (select unnest(cast($round_ids as varchar[])))
