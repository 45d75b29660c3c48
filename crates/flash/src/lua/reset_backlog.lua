-- Resets the backlog counter if the stream is empty. Returns by how much it was wrong.
-- KEYS: stream, backlog.
if redis.call('XLEN', KEYS[1]) > 0 then
  return 0
end
local backlog = tonumber(redis.call('GET', KEYS[2]) or 0)
if backlog ~= 0 then
  redis.call('SET', KEYS[2], 0)
end
return backlog
