-- Appends orders to the order stream again that only the gate knows.
--
-- KEYS: sale, buyers, orders, backlog.
-- ARGV: load of the snapshot; sale id; then for each order: buyer, order.
-- Returns how many of the orders are live items of this load. Repeating it is harmless: the ledger knows an order by its
-- id.
local here = string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)') or ''
local gate = redis.call('HMGET', KEYS[1], 'state', 'load', 'master')
if gate[1] ~= 'open' or gate[2] ~= ARGV[1] or gate[3] ~= here then
  return 0
end
local orders, names, named = {}, {}, false
for at = 3, #ARGV, 2 do
  local held = redis.call('HGET', KEYS[2], ARGV[at]) or ''
  for slot, order, name in string.gmatch(held, '(%d+):(%d+):(%x*)') do
    if order == ARGV[at + 1] and slot ~= '0' then
      orders[#orders + 1] = ARGV[at] .. ':' .. order .. ':' .. slot
      names[#names + 1] = name
      named = named or name ~= ''
    end
  end
end
if #orders == 0 then
  return 0
end
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('INCRBY', KEYS[4], #orders)
local entry = {'v', 1, 's', ARGV[2], 't', string.format('%.0f', now), 'n', #orders, 'o', table.concat(orders, ',')}
if named then
  entry[#entry + 1] = 'k'
  entry[#entry + 1] = table.concat(names, ',')
end
redis.call('XADD', KEYS[3], '*', unpack(entry))
return #orders
