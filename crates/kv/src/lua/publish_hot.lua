-- Puts a finished ranking in the place of the old one, with every change that came while it was being loaded, unless the load
-- has read a newer revision of the note.
-- KEYS: ranking, revisions, loading, changes, next ranking, next revisions
-- ARGV: fence, how many members were put into the next ranking
-- Returns: 0 if this load was overtaken or forgotten, or if members were lost (flushed, expired) on the way.
if redis.call('GET', KEYS[3]) ~= ARGV[1] then return 0 end
if redis.call('ZCARD', KEYS[5]) ~= tonumber(ARGV[2]) then return 0 end
redis.call('ZADD', KEYS[5], -1, 'loaded')
local changes = redis.call('HGETALL', KEYS[4])
for i = 1, #changes, 2 do
    local member = changes[i]
    local revision, likes = changes[i + 1]:match('^(%d+):(%d*)$')
    local read = redis.call('HGET', KEYS[6], member) or '0'
    if revision and tonumber(revision) >= tonumber(read) then
        if likes == '' then
            redis.call('ZREM', KEYS[5], member)
            redis.call('HDEL', KEYS[6], member)
        else
            redis.call('ZADD', KEYS[5], likes, member)
            redis.call('HSET', KEYS[6], member, revision)
        end
    end
end
redis.call('RENAME', KEYS[5], KEYS[1])
redis.call('PERSIST', KEYS[1])
redis.call('UNLINK', KEYS[2], KEYS[3], KEYS[4])
if redis.call('EXISTS', KEYS[6]) == 1 then
    redis.call('RENAME', KEYS[6], KEYS[2])
    redis.call('PERSIST', KEYS[2])
end
return 1
