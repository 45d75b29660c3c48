-- Acknowledges the pending entries of a consumer that are no longer in the stream. Before Redis 7 XAUTOCLAIM leaves them pending, where
-- they would hold up every barrier.
-- KEYS: stream. ARGV: group, consumer, first id, number of pending entries to look at. Returns how many it acknowledged.
local acknowledged = 0
for _, pending in ipairs(redis.call('XPENDING', KEYS[1], ARGV[1], ARGV[3], '+', ARGV[4], ARGV[2])) do
  local id = pending[1]
  if #redis.call('XRANGE', KEYS[1], id, id) == 0 then
    acknowledged = acknowledged + redis.call('XACK', KEYS[1], ARGV[1], id)
  end
end
return acknowledged
