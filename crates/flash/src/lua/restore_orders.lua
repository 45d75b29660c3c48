-- Writes live orders of the ledger into a gate that lacks them.
--
-- KEYS: sale, buyers, epochs channel.
-- ARGV: load, sale id, the command that publishes, then buyer and item in turns.
-- Returns the orders that were not live here, and of these how many found a unit; or nothing if the gate is not open
-- under this load on this master.

local here = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
local gate = redis.call('HMGET', KEYS[1], 'state', 'load', 'stock', 'master')
if gate[1] ~= 'open' or gate[2] ~= ARGV[1] or gate[4] ~= here then
  return {}
end

-- What a buyer holds together with an order, or nothing if the order is live already.
local function with(held, item)
  local order = string.match(item, ':(%d+):')
  local items = {}
  for slot, id, key in string.gmatch(held, '(%d+):(%d+):(%x*)') do
    if id ~= order then
      items[#items + 1] = slot .. ':' .. id .. ':' .. key
    elseif slot ~= '0' then
      return nil
    end
  end
  items[#items + 1] = item
  return table.concat(items, ',')
end

local adopted, covered, stock = 0, 0, tonumber(gate[3])
for i = 4, #ARGV, 2 do
  local held = with(redis.call('HGET', KEYS[2], ARGV[i]) or '', ARGV[i + 1])
  if held then
    redis.call('HSET', KEYS[2], ARGV[i], held)
    adopted = adopted + 1
    -- The order holds a unit whether one is left here or not: without one, `initial` was too low.
    if covered < stock then
      covered = covered + 1
    end
  end
end
-- Not -covered: minus nothing is a number that Redis does not know.
redis.call('HINCRBY', KEYS[1], 'stock', 0 - covered)
redis.call('HINCRBY', KEYS[1], 'initial', adopted - covered)
local rest = redis.call('PTTL', KEYS[1])
if rest > 0 then
  redis.call('PEXPIRE', KEYS[2], rest)
end
if adopted > 0 then
  -- Sold-out flags do not know these buyers.
  local epoch = redis.call('HINCRBY', KEYS[1], 'epoch', 1)
  redis.call(ARGV[3], KEYS[3], ARGV[2] .. ':' .. string.format('%.0f', epoch))
end
return {adopted, covered}
