-- KEYS: value, lease, tombstone. ARGV: token, life of the lease (ms), life of the tombstone (ms).
-- Invalidates the entry, and gives the lease to the caller, whoever held it. Answers the entry that was there if it has tags.
-- Deleting comes first: a server out of memory lets a script go on that has freed some.
local flags = redis.call('GETRANGE', KEYS[1], 1, 1)
local tagged = #flags == 1 and bit.band(string.byte(flags), 2) ~= 0 and redis.call('GET', KEYS[1])
redis.call('DEL', KEYS[1], KEYS[2])
redis.call('SET', KEYS[2], ARGV[1], 'PX', ARGV[2])
local floor = redis.call('GET', KEYS[3]) or string.rep('\0', 8)
redis.call('SET', KEYS[3], floor, 'PX', ARGV[3])
return tagged
