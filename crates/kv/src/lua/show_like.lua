-- Lets the view of a note's likes show one person as they stand now.
-- KEYS: likes
-- ARGV: fence, member, and if the person likes the note: since when, in milliseconds
-- Returns: 1 if done, 0 if the view is not loaded (loading it will read the row), -1 if a newer holder of the lock has written.
local seen = redis.call('ZSCORE', KEYS[1], 'loaded')
if not seen then return 0 end
if -tonumber(seen) > tonumber(ARGV[1]) then return -1 end
redis.call('ZADD', KEYS[1], '-' .. ARGV[1], 'loaded')
if ARGV[3] then
    redis.call('ZADD', KEYS[1], ARGV[3], ARGV[2])
else
    redis.call('ZREM', KEYS[1], ARGV[2])
end
return 1
