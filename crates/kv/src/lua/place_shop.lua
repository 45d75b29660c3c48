-- Puts a member where it is now, or takes it out.
-- KEYS: geo, ready
-- ARGV: fence, member, and if it belongs here: longitude, latitude
-- Returns: 1 if done, 0 if the index is not loaded (loading it will read the row), -1 if a newer holder of the lock has written.
local seen = redis.call('GET', KEYS[2])
if not seen then return 0 end
if tonumber(seen) > tonumber(ARGV[1]) then return -1 end
redis.call('SET', KEYS[2], ARGV[1])
if ARGV[3] then
    redis.call('GEOADD', KEYS[1], ARGV[3], ARGV[4], ARGV[2])
else
    redis.call('ZREM', KEYS[1], ARGV[2])
end
return 1
