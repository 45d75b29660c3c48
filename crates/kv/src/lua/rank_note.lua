-- Gives a note the place that its likes earn, or takes it out.
-- KEYS: ranking, revisions, loading, changes, the revision of the note once it is out
-- ARGV: revision, member, milliseconds that the revision of a note is kept once it is out, and if the note is shown: its likes
-- Returns: 0 if a newer revision was ranked, and nothing was changed.
local seen = redis.call('HGET', KEYS[2], ARGV[2])
-- A note that left the ranking and is in it was loaded from SQL since, which was restored from a backup.
if not seen and not redis.call('ZSCORE', KEYS[1], ARGV[2]) then
    seen = redis.call('GET', KEYS[5])
end
if seen and tonumber(seen) > tonumber(ARGV[1]) then return 0 end
if ARGV[4] then
    redis.call('HSET', KEYS[2], ARGV[2], ARGV[1])
    redis.call('DEL', KEYS[5])
else
    redis.call('HDEL', KEYS[2], ARGV[2])
    redis.call('SET', KEYS[5], ARGV[1], 'PX', ARGV[3])
end
-- A load that is under way may have read the row before it changed.
if redis.call('EXISTS', KEYS[3]) == 1 then
    redis.call('HSET', KEYS[4], ARGV[2], ARGV[1] .. ':' .. (ARGV[4] or ''))
end
if redis.call('ZSCORE', KEYS[1], 'loaded') then
    if ARGV[4] then
        redis.call('ZADD', KEYS[1], ARGV[4], ARGV[2])
    else
        redis.call('ZREM', KEYS[1], ARGV[2])
    end
end
return 1
