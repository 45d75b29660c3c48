-- Takes unsold pieces out of a sale that the ledger is about to make smaller. They are withheld until the next amendment
-- shows whether it did.
--
-- KEYS: sale (of bucket 0).
-- ARGV: pieces wanted, milliseconds for the ledger to follow.
-- Returns the pieces taken, or -1 if the gate is closed.

local gate = redis.call('HMGET', KEYS[1], 'state', 'stock')
if gate[1] ~= 'open' then
  return -1
end
local taken = math.min(gate[2], ARGV[1])
if taken <= 0 then
  return 0
end
local time = redis.call('TIME')
for _, name in ipairs({'stock', 'initial', 'total'}) do
  redis.call('HINCRBY', KEYS[1], name, -taken)
end
redis.call('HINCRBY', KEYS[1], 'withheld', taken)
redis.call('HSET', KEYS[1], 'withheld_until', string.format('%.0f', time[1] * 1000 + ARGV[2]))
return taken
