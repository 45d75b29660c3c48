-- A range of the ranking, most liked first and then newest.
-- KEYS: ranking
-- ARGV: index of the first, index of the last
-- Returns: false if the ranking is not loaded, so that "no notes" and "nobody knows" are never mixed up.
if not redis.call('ZSCORE', KEYS[1], 'loaded') then return false end
return redis.call('ZRANGE', KEYS[1], ARGV[1], ARGV[2], 'REV')
