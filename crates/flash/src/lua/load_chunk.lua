-- Writes holders into a gate that is being loaded. Writing them again changes nothing.
--
-- KEYS: sale, buyers.
-- ARGV: the load, milliseconds after which a load that nobody finishes is forgotten, then buyer and item in turns.
-- Returns 1, or 0 if the gate is not this load's any more.

local gate = redis.call('HMGET', KEYS[1], 'state', 'load')
if gate[1] ~= 'loading' or gate[2] ~= ARGV[1] then
  return 0
end

local buyers = {}
for i = 3, #ARGV, 2 do
  buyers[#buyers + 1] = ARGV[i]
end
local before = redis.call('HMGET', KEYS[2], unpack(buyers))
local since, added = {}, 0
for i, buyer in ipairs(buyers) do
  local item = ARGV[2 + 2 * i]
  local held = since[buyer] or before[i]
  -- An order that is there may have been given back since the ledger was read, and then stays so.
  if not held then
    since[buyer] = item
    added = added + 1
  elseif not string.find(held, string.match(item, ':%d+:'), 1, true) then
    since[buyer] = held .. ',' .. item
    added = added + 1
  end
end

local holdings = {}
for buyer, held in pairs(since) do
  holdings[#holdings + 1] = buyer
  holdings[#holdings + 1] = held
end
if added > 0 then
  redis.call('HSET', KEYS[2], unpack(holdings))
  redis.call('HINCRBY', KEYS[1], 'initial', added)
end
redis.call('PEXPIRE', KEYS[1], ARGV[2])
redis.call('PEXPIRE', KEYS[2], ARGV[2])
return 1
