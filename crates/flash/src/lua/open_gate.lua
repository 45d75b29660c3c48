-- Opens a gate whose holders are all written: adds the bucket's unsold units, and the terms of the sale.
--
-- KEYS: sale, buyers, moved, received, epochs channel.
-- ARGV: load, sale id, unsold units, total (empty except in bucket 0), gate epoch, terms, begin, end, limit, shelf,
--       when the keys expire in milliseconds, the command that publishes.
-- Returns 'open'; 'gone' if the gate belongs to another load or another master; 'older' if it has later terms.

local here = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
local gate = redis.call('HMGET', KEYS[1], 'state', 'load', 'terms', 'master')
if gate[2] ~= ARGV[1] or gate[4] ~= here then
  return 'gone'
end
if gate[1] == 'open' then
  return 'open'
end
if tonumber(gate[3]) > tonumber(ARGV[6]) then
  return 'older'
end

-- Units that returned during the load are in the stock already.
redis.call('HINCRBY', KEYS[1], 'stock', ARGV[3])
redis.call('HINCRBY', KEYS[1], 'initial', ARGV[3])
redis.call('HSET', KEYS[1], 'state', 'open', 'epoch', ARGV[5], 'terms', ARGV[6], 'begin', ARGV[7], 'end', ARGV[8],
  'limit', ARGV[9], 'shelf', ARGV[10])
if ARGV[4] ~= '' then
  redis.call('HSET', KEYS[1], 'total', ARGV[4])
end
for i = 1, 4 do
  redis.call('PEXPIREAT', KEYS[i], ARGV[11])
end
redis.call(ARGV[12], KEYS[5], ARGV[2] .. ':' .. ARGV[5])
return 'open'
