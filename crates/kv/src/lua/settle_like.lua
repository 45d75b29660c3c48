-- Ends the change of a like: SQL was read after it.
-- KEYS: likes of the person
-- ARGV: note, the mark of the change with its ? or nothing if it was not marked, 1 or 0 as SQL says or nothing to forget it
-- Returns: 0 if a later change has marked the like, which then settles it, or if nothing is known of the person's likes.
local now = redis.call('HGET', KEYS[1], ARGV[1])
if now and now:sub(1, 1) == '?' and now ~= ARGV[2] then return 0 end
-- A hash without the mark was written anew since, perhaps from what SQL said before the change.
if not now and redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
if ARGV[3] == '' then
    redis.call('HDEL', KEYS[1], ARGV[1])
else
    redis.call('HSET', KEYS[1], ARGV[1], ARGV[3])
end
return 1
