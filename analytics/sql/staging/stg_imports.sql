select file, file_hash, format, state, seen, accepted, already_known, quarantined, imported_at
from raw_imports
