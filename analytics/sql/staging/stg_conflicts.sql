select round_id, field, kept, told, account
from raw_conflicts
