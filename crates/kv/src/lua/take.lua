-- GCRA: one string holds the theoretical arrival time (tat) of the next conforming request.
-- KEYS: tat
-- ARGV: microseconds between requests at the steady rate, burst
-- Returns: 0 if admitted, else the microseconds until one will be.
local interval = tonumber(ARGV[1])
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local tat = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now)
local next_tat = tat + interval
local wait = next_tat - now - interval * tonumber(ARGV[2])
if wait > 0 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.0f', next_tat), 'PX', math.ceil((next_tat - now) / 1000))
return 0
