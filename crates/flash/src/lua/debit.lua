-- Begins a transfer: units leave this bucket and are in its journal until they have arrived.
--
-- Never sent twice: each run is a transfer of its own, which any process that reads the journal can finish.
--
-- KEYS: sale, moved.
-- ARGV: load, bucket that gets the units, units wanted.
-- Returns the units that left; 0 also if the gate is not open under this load on this master: units that a promoted
-- replica still has may be sold.

local here = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
local gate = redis.call('HMGET', KEYS[1], 'state', 'load', 'stock', 'master')
if gate[1] ~= 'open' or gate[2] ~= ARGV[1] or gate[4] ~= here then
  return 0
end
local units = math.min(gate[3], ARGV[3])
if units <= 0 then
  return 0
end
-- Numbers from bucket to bucket only rise, so the other bucket needs to keep the last one only.
local number = redis.call('HINCRBY', KEYS[2], 'last:' .. ARGV[2], 1)
redis.call('HSET', KEYS[2], ARGV[2] .. ':' .. number, units)
redis.call('HINCRBY', KEYS[1], 'stock', -units)
redis.call('HINCRBY', KEYS[1], 'initial', -units)
local rest = redis.call('PTTL', KEYS[1])
if rest > 0 then
  redis.call('PEXPIRE', KEYS[2], rest)
end
return units
