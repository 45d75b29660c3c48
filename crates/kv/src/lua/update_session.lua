-- Changes fields of a session that is still alive.
-- KEYS: session
-- ARGV: field, value, field, value, ...
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], unpack(ARGV))
return 1
