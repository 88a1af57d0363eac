    select round_key from fct_rounds
