-- Writes holders into a gate that is being loaded. Idempotent. An item in slot 0 is an order that
-- ended and whose request has a key: it holds no unit.
--
-- KEYS: sale, buyers.
-- ARGV: the load, milliseconds after which an abandoned load expires, then buyer and item in turns.
-- Returns 1, or 0 if the gate no longer belongs to this load.

local here = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
local gate = redis.call('HMGET', KEYS[1], 'state', 'load', 'master')
if gate[1] ~= 'loading' or gate[2] ~= ARGV[1] or gate[3] ~= here then
  return 0
end

local buyers = {}
for i = 3, #ARGV, 2 do
  buyers[#buyers + 1] = ARGV[i]
end
local before = redis.call('HMGET', KEYS[2], unpack(buyers))
local since, added, live = {}, 0, 0
for i, buyer in ipairs(buyers) do
  local item = ARGV[2 + 2 * i]
  local held = since[buyer] or before[i]
  -- An order that is there may have been returned since the ledger was read, and stays returned.
  local is_new = not held or not string.find(held, string.match(item, ':%d+:'), 1, true)
  if is_new then
    since[buyer] = held and held .. ',' .. item or item
    added = added + 1
    if string.sub(item, 1, 2) ~= '0:' then
      live = live + 1
    end
  end
end

local holdings = {}
for buyer, held in pairs(since) do
  holdings[#holdings + 1] = buyer
  holdings[#holdings + 1] = held
end
if added > 0 then
  redis.call('HSET', KEYS[2], unpack(holdings))
  redis.call('HINCRBY', KEYS[1], 'initial', live)
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
