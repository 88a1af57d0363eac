select round_id, engine_version, ruleset, verdict, undecidable as reasons
from raw_verdicts
