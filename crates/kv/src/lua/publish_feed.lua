-- Puts an inbox in force that was read from SQL, unless something changed since the load began.
-- KEYS: feed, loading
-- ARGV: the load's number, seconds to keep it, 1 if older notes were cut off, then note, ms, note, ms, …
-- Returns: 1 if it is in force
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('ZADD', KEYS[1], '-inf', 'loaded')
if ARGV[3] == '1' then redis.call('ZADD', KEYS[1], '-inf', 'cut') end
for i = 4, #ARGV, 2 do redis.call('ZADD', KEYS[1], ARGV[i + 1], ARGV[i]) end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
