-- Adds unsold units to a bucket or takes them out, unless its epoch has changed since the snapshot.
--
-- KEYS: sale, epochs channel.
-- ARGV: of the snapshot: load, gate epoch, stock; 'pieces' to change stock and initial, or 'initial' to change that alone,
--       if the stock is that of the snapshot; how many to add (negative: to take out); sale id, the command that
--       publishes.
-- Returns what was added (negative: taken out).

local here = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
local gate = redis.call('HMGET', KEYS[1], 'state', 'load', 'epoch', 'stock', 'master')
if gate[1] ~= 'open' or gate[2] ~= ARGV[1] or gate[3] ~= ARGV[2] or gate[5] ~= here then
  return 0
end
local units = tonumber(ARGV[5])
if ARGV[4] == 'pieces' then
  -- Not -stock: minus nothing is a number that Redis does not know.
  units = math.max(units, 0 - gate[4])
  redis.call('HINCRBY', KEYS[1], 'stock', units)
elseif gate[4] ~= ARGV[3] then
  return 0
end
redis.call('HINCRBY', KEYS[1], 'initial', units)
local epoch = redis.call('HINCRBY', KEYS[1], 'epoch', 1)
redis.call(ARGV[7], KEYS[2], ARGV[6] .. ':' .. string.format('%.0f', epoch))
return units
