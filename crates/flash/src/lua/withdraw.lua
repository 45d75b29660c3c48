-- Takes unsold units out of a sale whose ledger is about to have fewer. They are withheld until an amendment shows whether
-- it has.
--
-- KEYS: sale (of bucket 0).
-- ARGV: units wanted, milliseconds for the ledger to commit, the name of this withdrawal.
-- Returns the units taken; -1 if the gate is closed or was loaded on another master; -2 if units are withheld for another
-- withdrawal whose outcome is not known yet.

local here = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
local gate = redis.call('HMGET', KEYS[1], 'state', 'stock', 'withheld', 'withheld_until', 'withheld_by',
  'master')
if gate[1] ~= 'open' or gate[6] ~= here then
  return -1
end
local now = redis.call('TIME')[1] * 1000
if tonumber(gate[3] or 0) > 0 and gate[5] ~= ARGV[3] and now < tonumber(gate[4] or 0) then
  return -2
end
local taken = math.min(gate[2], ARGV[1])
if taken <= 0 then
  return 0
end
for _, name in ipairs({'stock', 'initial', 'total'}) do
  redis.call('HINCRBY', KEYS[1], name, -taken)
end
redis.call('HINCRBY', KEYS[1], 'withheld', taken)
redis.call('HSET', KEYS[1], 'withheld_until', string.format('%.0f', now + ARGV[2]), 'withheld_by', ARGV[3])
return taken
