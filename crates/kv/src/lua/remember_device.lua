-- Stands before the scripts that end a sign-in. Remembers the device of a contact; the one that was seen least recently is
-- forgotten when there are too many.
local function remember_device(key, device, devices_kept, lifetime_ms, now)
  redis.call('HSET', key, device, string.format('%.0f', now))
  redis.call('PEXPIRE', key, lifetime_ms)
  if redis.call('HLEN', key) <= tonumber(devices_kept) then return end
  local devices, oldest, oldest_ms = redis.call('HGETALL', key), nil, math.huge
  for i = 1, #devices, 2 do
    local seen_ms = tonumber(devices[i + 1])
    if devices[i] ~= device and seen_ms < oldest_ms then oldest, oldest_ms = devices[i], seen_ms end
  end
  redis.call('HDEL', key, oldest)
end

