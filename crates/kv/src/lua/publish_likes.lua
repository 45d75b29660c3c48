-- Puts a finished view of a note's likes in the place of the old one and marks it as loaded.
-- KEYS: likes, next
-- ARGV: fence, how many members were put into `next`, lifetime in seconds
-- Returns: 0 if a newer holder of the lock has written, or if members of `next` were lost (flushed, expired) on the way.
local seen = redis.call('ZSCORE', KEYS[1], 'loaded')
if seen and -tonumber(seen) > tonumber(ARGV[1]) then return 0 end
if redis.call('ZCARD', KEYS[2]) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[2], '-' .. ARGV[1], 'loaded')
redis.call('RENAME', KEYS[2], KEYS[1])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
