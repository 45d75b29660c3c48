-- Gives back the piece of an order, once. The order stays known, so that a late repetition of its claim gets the same
-- answer instead of a second piece.
--
-- KEYS: sale, buyers, epochs channel.
-- ARGV: sale id, buyer, order, '1' if there is a piece to sell again, orders given back to keep per buyer, the command
--       that publishes, milliseconds after which a load that nobody finishes is forgotten.
-- Returns 1 if the order held a piece, else 0.

local state = redis.call('HGET', KEYS[1], 'state')
if not state then
  return 0
end

local items, live, known, past = {}, false, false, 0
for slot, order, key in string.gmatch(redis.call('HGET', KEYS[2], ARGV[2]) or '', '(%d+):(%d+):(%x*)') do
  if order == ARGV[3] then
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
  items[#items + 1] = '0:' .. ARGV[3] .. ':'
  past = past + 1
elseif not live then
  return 0
end

local kept = {}
for _, item in ipairs(items) do
  if past > tonumber(ARGV[5]) and string.sub(item, 1, 2) == '0:' then
    past = past - 1
  else
    kept[#kept + 1] = item
  end
end
redis.call('HSET', KEYS[2], ARGV[2], table.concat(kept, ','))
if state == 'loading' then
  redis.call('PEXPIRE', KEYS[2], ARGV[7])
end
if not live then
  return 0
end

if ARGV[4] == '1' then
  redis.call('HINCRBY', KEYS[1], 'stock', 1)
else
  redis.call('HINCRBY', KEYS[1], 'initial', -1)
end
if state == 'open' then
  local epoch = redis.call('HINCRBY', KEYS[1], 'epoch', 1)
  redis.call(ARGV[6], KEYS[3], ARGV[1] .. ':' .. string.format('%.0f', epoch))
end
return 1
