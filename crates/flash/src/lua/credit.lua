-- Adds the units of a transfer, once. Transfers between two buckets arrive in the order of their numbers.
--
-- KEYS: sale, received, epochs channel.
-- ARGV: load, sale id, bucket the units left, number of the transfer, units, the command that publishes.
-- Returns 1 if they are here, by this call or an earlier one; 0 if the gate is not open under this load on this
-- master.

local here = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
local gate = redis.call('HMGET', KEYS[1], 'state', 'load', 'master')
if gate[1] ~= 'open' or gate[2] ~= ARGV[1] or gate[3] ~= here then
  return 0
end
local last = redis.call('HGET', KEYS[2], ARGV[3])
if last and tonumber(last) >= tonumber(ARGV[4]) then
  return 1
end
redis.call('HSET', KEYS[2], ARGV[3], ARGV[4])
redis.call('HINCRBY', KEYS[1], 'stock', ARGV[5])
redis.call('HINCRBY', KEYS[1], 'initial', ARGV[5])
local rest = redis.call('PTTL', KEYS[1])
if rest > 0 then
  redis.call('PEXPIRE', KEYS[2], rest)
end
local epoch = redis.call('HINCRBY', KEYS[1], 'epoch', 1)
redis.call(ARGV[6], KEYS[3], ARGV[2] .. ':' .. string.format('%.0f', epoch))
return 1
