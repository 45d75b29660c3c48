-- Puts a finished ranking in the place of the old one, with every change that came while it was being loaded.
-- KEYS: ranking, next, loading, changes
-- ARGV: fence, how many members were put into `next`
-- Returns: 0 if this load was overtaken or forgotten, or if members of `next` were lost (flushed, expired) on the way.
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
if redis.call('ZCARD', KEYS[2]) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[2], -1, 'loaded')
redis.call('RENAME', KEYS[2], KEYS[1])
redis.call('PERSIST', KEYS[1])
local changes = redis.call('HGETALL', KEYS[4])
for i = 1, #changes, 2 do
    if changes[i + 1] == '' then
        redis.call('ZREM', KEYS[1], changes[i])
    else
        redis.call('ZADD', KEYS[1], changes[i + 1], changes[i])
    end
end
redis.call('UNLINK', KEYS[3], KEYS[4])
return 1
