-- Begins a transfer: pieces leave this bucket and stand in its journal until they have arrived.
--
-- Never sent twice: each run is a transfer of its own, which whoever reads the journal can finish.
--
-- KEYS: sale, moved.
-- ARGV: load, bucket that gets the pieces, pieces wanted.
-- Returns the pieces that left; 0 also if the gate is not open under this load on this master: pieces that a promoted
-- replica still has may be sold.

local here = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
local gate = redis.call('HMGET', KEYS[1], 'state', 'load', 'stock', 'master')
if gate[1] ~= 'open' or gate[2] ~= ARGV[1] or gate[4] ~= here then
  return 0
end
local pieces = math.min(gate[3], ARGV[3])
if pieces <= 0 then
  return 0
end
-- Numbers of a road from bucket to bucket only rise, so the other end needs to remember no more than the last.
local number = redis.call('HINCRBY', KEYS[2], 'last:' .. ARGV[2], 1)
redis.call('HSET', KEYS[2], ARGV[2] .. ':' .. number, pieces)
redis.call('HINCRBY', KEYS[1], 'stock', -pieces)
redis.call('HINCRBY', KEYS[1], 'initial', -pieces)
local rest = redis.call('PTTL', KEYS[1])
if rest > 0 then
  redis.call('PEXPIRE', KEYS[2], rest)
end
return pieces
