-- Closes the gate of a bucket for a load, and deletes its content. From then on it belongs to the master this runs on.
--
-- KEYS: sale, buyers, moved, received.
-- ARGV: the ledger's epoch of this load, spread, milliseconds after which an abandoned load expires.
-- Returns 1, or 0 if a later load closed it before, or this one has opened the gate or began on another master.

local here = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
local gate = redis.call('HMGET', KEYS[1], 'load', 'state', 'master')
local load = tonumber(gate[1] or -1)
if load > tonumber(ARGV[1]) then
  return 0
end
if load == tonumber(ARGV[1]) then
  -- A repetition, which must not undo what this load has written since.
  return gate[2] == 'loading' and gate[3] == here and 1 or 0
end
redis.call('UNLINK', KEYS[1], KEYS[2], KEYS[3], KEYS[4])
redis.call('HSET', KEYS[1], 'state', 'loading', 'load', ARGV[1], 'spread', ARGV[2], 'stock', 0, 'initial', 0, 'terms', 0,
  'master', here)
redis.call('PEXPIRE', KEYS[1], ARGV[3])
return 1
