-- Ends the change of a like: SQL was read after it.
-- KEYS: likes of the person
-- ARGV: note, the mark of the change with its ? or nothing if it was not marked, 1 or 0 as SQL says or nothing to forget it,
-- epoch for a hash without the mark
-- Returns: 0 if a later change has marked the like, which then settles it, or if the mark is not there.
local now = redis.call('HGET', KEYS[1], ARGV[1])
if now and now:sub(1, 1) == '?' and now ~= ARGV[2] then return 0 end
if now ~= ARGV[2] then
    -- Either the hash was written anew, perhaps from what SQL said before the change, or a later change was settled, and what
    -- this one read is old. The next reader asks SQL, and those who asked it before keep nothing.
    if redis.call('EXISTS', KEYS[1]) == 1 then
        redis.call('HDEL', KEYS[1], ARGV[1])
        redis.call('HSET', KEYS[1], 'epoch', ARGV[4])
    end
    return 0
end
if ARGV[3] == '' then
    redis.call('HDEL', KEYS[1], ARGV[1])
else
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
return 1
