-- Returns the units of orders to stock, each once. The order keeps its item, so that a late repetition of its claim gets the
-- same reply instead of a second unit.
--
-- KEYS: sale, buyers, epochs channel.
-- ARGV: sale id, returned orders to keep per buyer, the command that publishes, milliseconds after which an abandoned load
--       expires; then for each order: buyer, order, '1' if its unit returns to stock.
-- Returns how many of the orders held a unit.

local state = redis.call('HGET', KEYS[1], 'state')
if not state then
  return 0
end
local remembered = tonumber(ARGV[2])

-- Whether the order held a unit.
local function end_order(buyer, ended)
  local items, live, known, past = {}, false, false, 0
  for slot, order, key in string.gmatch(redis.call('HGET', KEYS[2], buyer) or '', '(%d+):(%d+):(%x*)') do
    if order == ended then
      known = true
      live = slot ~= '0'
      slot = '0'
    end
    if slot == '0' then
      past = past + 1
    end
    items[#items + 1] = slot .. ':' .. order .. ':' .. key
  end
  if not known and state == 'loading' then
    -- The loader may have read this order as a live one and not have written it yet.
    items[#items + 1] = '0:' .. ended .. ':'
    past = past + 1
  elseif not live then
    return false
  end

  local kept = {}
  for _, item in ipairs(items) do
    if past > remembered and string.sub(item, 1, 2) == '0:' then
      past = past - 1
    else
      kept[#kept + 1] = item
    end
  end
  redis.call('HSET', KEYS[2], buyer, table.concat(kept, ','))
  if state == 'loading' then
    redis.call('PEXPIRE', KEYS[2], ARGV[4])
  end
  return live
end

local restocked, lost = 0, 0
for at = 5, #ARGV, 3 do
  if end_order(ARGV[at], ARGV[at + 1]) then
    if ARGV[at + 2] == '1' then
      restocked = restocked + 1
    else
      lost = lost + 1
    end
  end
end

local ended = restocked + lost
if ended == 0 then
  return 0
end
if restocked > 0 then
  redis.call('HINCRBY', KEYS[1], 'stock', restocked)
end
if lost > 0 then
  redis.call('HINCRBY', KEYS[1], 'initial', -lost)
end
if state == 'open' then
  local epoch = redis.call('HINCRBY', KEYS[1], 'epoch', ended)
  redis.call(ARGV[3], KEYS[3], ARGV[1] .. ':' .. string.format('%.0f', epoch))
end
return ended
