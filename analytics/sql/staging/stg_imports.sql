select
    file, file_hash, format, state, seen, accepted, already_known, quarantined, unknown_fields, imported_at
from raw_imports
