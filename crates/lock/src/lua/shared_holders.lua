-- Who holds a slot.
-- KEYS: 1 holders, 2 grants
-- Returns for each holder: token, fence, ms until its lease ends
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local found = redis.call('ZRANGEBYSCORE', KEYS[1], string.format('(%.0f', now_ms), '+inf', 'WITHSCORES')
local holders = {}
for i = 1, #found, 2 do
  local fence = redis.call('HGET', KEYS[2], found[i]) or '0'
  holders[#holders + 1] = {found[i], fence, string.format('%.0f', found[i + 1] - now_ms)}
end
return holders
