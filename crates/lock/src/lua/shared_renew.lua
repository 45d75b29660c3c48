-- Renews the lease of a slot, if it has not ended.
-- KEYS: 1 holders, 2 grants
-- ARGV: 1 token, 2 lease ms
-- Returns: 1 renewed; 0 not held any more
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local end_ms = redis.call('ZSCORE', KEYS[1], ARGV[1])
if not end_ms or tonumber(end_ms) <= now_ms then return 0 end
redis.call('ZADD', KEYS[1], string.format('%.0f', now_ms + ARGV[2]), ARGV[1])
local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
redis.call('PEXPIREAT', KEYS[1], string.format('%.0f', tonumber(last)))
redis.call('PEXPIREAT', KEYS[2], string.format('%.0f', tonumber(last)))
return 1
