-- Puts a set in force that was read from SQL, unless it was forgotten since the load began.
-- KEYS: set, loading
-- ARGV: the load's number, seconds to keep it, members
-- Returns: 1 if it is in force
if redis.call('GET', KEYS[2]) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1], KEYS[2])
for i = 3, #ARGV do redis.call('SADD', KEYS[1], ARGV[i]) end
redis.call('EXPIRE', KEYS[1], ARGV[2])
return 1
