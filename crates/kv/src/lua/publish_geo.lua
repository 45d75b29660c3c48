-- Puts a finished index in the place of the old one and marks it as loaded.
-- KEYS: geo, ready, next
-- ARGV: fence, how many members were put into `next`
-- Returns: 0 if a newer holder of the lock has written, or if members of `next` were lost (flushed, expired) on the way.
local seen = redis.call('GET', KEYS[2])
if seen and tonumber(seen) > tonumber(ARGV[1]) then return 0 end
if redis.call('ZCARD', KEYS[3]) ~= tonumber(ARGV[2]) then return 0 end
redis.call('UNLINK', KEYS[1])
if tonumber(ARGV[2]) > 0 then
    redis.call('RENAME', KEYS[3], KEYS[1])
    redis.call('PERSIST', KEYS[1])
end
redis.call('SET', KEYS[2], ARGV[1])
return 1
