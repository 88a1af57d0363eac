"""Statistics and audits over the event log and the results of replay."""
