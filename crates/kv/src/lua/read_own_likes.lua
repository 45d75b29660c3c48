-- What is known of a person's likes of some notes.
-- KEYS: likes of the person
-- ARGV: epoch for a hash that is new, its lifetime in seconds, note, ...
-- Returns: the epoch, then for each note: 1, 0, ? and a mark while it changes, or nothing if it is not known.
local found = redis.call('HMGET', KEYS[1], 'epoch', unpack(ARGV, 3))
if not found[1] then
    redis.call('HSET', KEYS[1], 'epoch', ARGV[1])
    redis.call('EXPIRE', KEYS[1], ARGV[2])
    found[1] = ARGV[1]
end
return found
