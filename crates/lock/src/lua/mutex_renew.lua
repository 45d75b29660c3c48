-- Renews the leases of mutexes that the caller still holds. Outside a Cluster a process renews all its leases in one call.
-- KEYS: the locks
-- ARGV: for each lock: token, lease ms
-- Returns for each lock: 1 renewed; 0 nobody holds it; -1 another token does
local held = redis.call('MGET', unpack(KEYS))
local replies = {}
for i, key in ipairs(KEYS) do
  if not held[i] then
    replies[i] = 0
  elseif string.sub(held[i], 1, 33) ~= ARGV[2 * i - 1] then
    replies[i] = -1
  else
    redis.call('PEXPIRE', key, ARGV[2 * i])
    replies[i] = 1
  end
end
return replies
