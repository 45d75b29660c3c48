-- Stores a trade over the version just before its own.
-- KEYS: trade
-- ARGV: version, trade, seconds to keep it
-- Returns: 1 if it was stored. The same trade again is stored already: an answer may have been lost.
local stored = redis.call('HMGET', KEYS[1], 'version', 'trade')
local version = tonumber(stored[1] or '0')
if version == tonumber(ARGV[1]) and stored[2] == ARGV[2] then return 1 end
if version + 1 ~= tonumber(ARGV[1]) then return 0 end
redis.call('HSET', KEYS[1], 'version', ARGV[1], 'trade', ARGV[2])
redis.call('EXPIRE', KEYS[1], ARGV[3])
return 1
