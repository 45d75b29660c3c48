-- Writes the last use of sessions and lets them live on from there. A session that has ended is not created again, a
-- lifetime never gets shorter, and none passes the absolute end.
-- KEYS: sessions (in a Cluster one)
-- ARGV: life without use ms, then for each session how long ago its last use was, ms
-- Returns: for each session 1, or 0 if it has ended
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local alive = {}
for i, key in ipairs(KEYS) do
  local times = redis.call('GETRANGE', key, 0, 25)
  alive[i] = 0
  if #times == 26 then
    alive[i] = 1
    local used_ms = now_ms - ARGV[i + 1]
    if used_ms > tonumber(string.sub(times, 1, 13)) then
      redis.call('SETRANGE', key, 0, string.format('%013.0f', used_ms))
    end
    local left_ms = math.min(ARGV[1] - ARGV[i + 1], string.sub(times, 14, 26) - now_ms)
    if left_ms > redis.call('PTTL', key) then redis.call('PEXPIRE', key, left_ms) end
  end
end
return alive
