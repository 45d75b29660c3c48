-- Writes a session with its lifetime in one step: a session without an end never exists.
-- KEYS: session
-- ARGV: life without use ms, absolute ms, the record after its first line (session_record.rs)
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local times = string.format('%013.0f%013.0f%013.0f', now_ms, now_ms + ARGV[2], now_ms)
redis.call('SET', KEYS[1], times .. '\n' .. ARGV[3], 'PX', math.min(tonumber(ARGV[1]), tonumber(ARGV[2])))
return 1
