-- Takes back a code that could not be delivered, so that the person may ask again at once.
-- KEYS: code, sent, day
-- ARGV: code hash
-- Returns: 1 if this very code was still outstanding, else 0.
if redis.call('GET', KEYS[1]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
if tonumber(redis.call('GET', KEYS[3]) or '0') > 0 then redis.call('DECR', KEYS[3]) end
return 1
