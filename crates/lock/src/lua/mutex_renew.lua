-- Renews the lease of a mutex, if the caller still holds it.
-- KEYS: 1 lock
-- ARGV: 1 token, 2 lease ms
-- Returns: 1 renewed; 0 nobody holds it; -1 another token does
local held = redis.call('GET', KEYS[1])
if not held then return 0 end
if string.sub(held, 1, 33) ~= ARGV[1] then return -1 end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
return 1
