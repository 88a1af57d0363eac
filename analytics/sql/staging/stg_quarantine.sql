select file, file_hash, record_index, line, byte_offset, code, reason, raw_hash, imported_at
from raw_quarantine
