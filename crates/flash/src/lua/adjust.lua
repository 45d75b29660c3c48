-- Adds unsold pieces to a bucket or takes them out, if nothing came to it since it was looked at.
--
-- KEYS: sale, epochs channel.
-- ARGV: what was seen: load, gate epoch, stock; 'pieces', or 'initial' to change only what the bucket says it stands for,
--       and only if the stock is as it was seen; how many to add (negative: to take out); sale id, the command that
--       publishes.
-- Returns what was added (negative: taken out).

local here = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
local gate = redis.call('HMGET', KEYS[1], 'state', 'load', 'epoch', 'stock', 'master')
if gate[1] ~= 'open' or gate[2] ~= ARGV[1] or gate[3] ~= ARGV[2] or gate[5] ~= here then
  return 0
end
local pieces = tonumber(ARGV[5])
if ARGV[4] == 'pieces' then
  -- Not -stock: minus nothing is a number that Redis does not know.
  pieces = math.max(pieces, 0 - gate[4])
  redis.call('HINCRBY', KEYS[1], 'stock', pieces)
elseif gate[4] ~= ARGV[3] then
  return 0
end
redis.call('HINCRBY', KEYS[1], 'initial', pieces)
local epoch = redis.call('HINCRBY', KEYS[1], 'epoch', 1)
redis.call(ARGV[7], KEYS[2], ARGV[6] .. ':' .. string.format('%.0f', epoch))
return pieces
