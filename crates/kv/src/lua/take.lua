-- GCRA: each string holds the theoretical arrival time (tat) of the next conforming request. Several limits are taken
-- together: all of them, or none.
-- KEYS: tat, ...
-- ARGV: for each key: microseconds between requests at the steady rate, burst
-- Returns: 0 if admitted, else the microseconds until one will be.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local longest, next_tats = 0, {}
for i, key in ipairs(KEYS) do
  local interval, burst = tonumber(ARGV[2 * i - 1]), tonumber(ARGV[2 * i])
  local tat = math.max(tonumber(redis.call('GET', key) or '0'), now)
  next_tats[i] = tat + interval
  longest = math.max(longest, next_tats[i] - now - interval * burst)
end
if longest > 0 then return math.ceil(longest) end
for i, key in ipairs(KEYS) do
  local lifetime = math.ceil((next_tats[i] - now) / 1000)
  redis.call('SET', key, string.format('%.0f', next_tats[i]), 'PX', lifetime)
end
return 0
