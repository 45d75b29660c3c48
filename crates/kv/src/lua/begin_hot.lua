-- Begins a load of the ranking: from here on changes are written down for it.
-- KEYS: loading, changes, revisions
-- ARGV: fence, lifetime in seconds
-- Returns: 0 if a newer loader has begun.
local seen = redis.call('GET', KEYS[1])
if seen and tonumber(seen) > tonumber(ARGV[1]) then return 0 end
-- SQL decides from here on, also if it was restored from a backup and its revisions are lower than these.
redis.call('UNLINK', KEYS[2], KEYS[3])
redis.call('SET', KEYS[1], ARGV[1], 'EX', ARGV[2])
return 1
