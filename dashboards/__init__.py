"""Pages, charts and the replay viewer; computes no statistic."""
