-- Reads fields of a gate that belongs to the master this runs on; nil for one that was loaded on another.
--
-- KEYS: sale. ARGV: names of fields.

local here = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
if redis.call('HGET', KEYS[1], 'master') ~= here then
  return false
end
return redis.call('HMGET', KEYS[1], unpack(ARGV))
