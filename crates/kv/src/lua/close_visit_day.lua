-- Takes a day off the list of open ones, unless something was counted since it was read.
-- KEYS: open days
-- ARGV: day, its mark when it was read
-- Returns: 1 if the day is closed
if redis.call('HGET', KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
return redis.call('HDEL', KEYS[1], ARGV[1])
