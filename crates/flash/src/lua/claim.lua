-- Decides a batch of claims of one bucket of one sale, in order, with one command of each kind for all of them.
--
-- KEYS: sale, buyers, orders (the stream, which stream.rs reads), backlog.
-- ARGV: sale id, spread, the buyer of each claim, then the order id and the key of each claim: "order:key".
-- Returns "unloaded" (also for a gate that was loaded on another master), or "other spread", or
-- "epoch stock backlog wait|" and one code per claim:
--   g granted; r<order>; granted before, under this id; a<order>; already bought; s sold out; n not started; e ended.
-- backlog is -1 where nothing was granted; wait is the time until the sale begins, in milliseconds.

local sale = redis.call('HMGET', KEYS[1], 'state', 'spread', 'epoch', 'stock', 'begin', 'end', 'limit', 'shelf', 'initial',
  'master')
-- By its end as well: an empty id is no id.
local id = 'master_replid:' .. (sale[10] or '') .. '\r'
if sale[1] ~= 'open' or not string.find(redis.call('INFO', 'replication'), id, 1, true) then
  return 'unloaded'
end
if sale[2] ~= ARGV[2] then
  return 'other spread'
end

local stock, limit = tonumber(sale[4]), tonumber(sale[7])
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local wait = math.max(sale[5] - now, 0)
local closed
if sale[8] ~= '1' or now >= tonumber(sale[6]) then
  closed = 'e'
elseif wait > 0 then
  closed = 'n'
end

-- The code for a buyer who has orders, or the slot of another unit.
local function code_of_holder(held, order, key)
  local taken, live, latest, namesake = {}, 0, nil, nil
  for slot, id, name in string.gmatch(held, '(%d+):(%d+):(%x*)') do
    if id == order then
      return 'g'
    end
    if key ~= '' and name == key then
      namesake = id
    end
    if slot ~= '0' then
      taken[tonumber(slot)] = true
      live = live + 1
      latest = id
    end
  end
  if namesake then
    return 'r' .. namesake .. ';'
  end
  if live >= limit then
    return 'a' .. latest .. ';'
  end
  local free = 1
  while taken[free] do
    free = free + 1
  end
  return nil, free
end

local count = (#ARGV - 2) / 2
local before = redis.call('HMGET', KEYS[2], unpack(ARGV, 3, 2 + count))
local since, holdings, orders, names, codes = {}, {}, {}, {}, {}
local named, granted, byte, COLON = false, 0, string.byte, 58
for i = 1, count do
  local buyer, tail = ARGV[2 + i], ARGV[2 + count + i]
  -- A buyer may be in a batch twice: the second claim sees the order of the first.
  local held = since[buyer] or before[i]
  local code, slot = nil, 1
  if held then
    code, slot = code_of_holder(held, string.match(tail, '^(%d+):(%x*)$'))
  end
  if code then
    codes[i] = code
  elseif closed then
    codes[i] = closed
  elseif stock <= 0 then
    codes[i] = 's'
  else
    stock = stock - 1
    local item = slot .. ':' .. tail
    if held then
      item = held .. ',' .. item
    end
    since[buyer] = item
    holdings[2 * granted + 1] = buyer
    holdings[2 * granted + 2] = item
    granted = granted + 1
    if byte(tail, -1) == COLON then
      orders[granted] = buyer .. ':' .. tail .. slot
      names[granted] = ''
    else
      local colon = string.find(tail, ':', 1, true)
      orders[granted] = buyer .. ':' .. string.sub(tail, 1, colon) .. slot
      names[granted] = string.sub(tail, colon + 1)
      named = true
    end
    codes[i] = 'g'
  end
end

local backlog = -1
if granted > 0 then
  -- If a write can fail, such as for lack of memory, it is this first one: all or nothing.
  backlog = redis.call('INCRBY', KEYS[4], granted)
  local entry = {'v', 1, 's', ARGV[1], 't', now, 'n', granted, 'o', table.concat(orders, ',')}
  if named then
    entry[#entry + 1] = 'k'
    entry[#entry + 1] = table.concat(names, ',')
  end
  redis.call('XADD', KEYS[3], '*', unpack(entry))
  redis.call('HSET', KEYS[2], unpack(holdings))
  redis.call('HINCRBY', KEYS[1], 'stock', -granted)
  if sale[4] == sale[9] then
    -- The first buyers create their hash, which expires with the sale.
    local rest = redis.call('PTTL', KEYS[1])
    if rest > 0 then
      redis.call('PEXPIRE', KEYS[2], rest)
    end
  end
end
return sale[3] .. ' ' .. stock .. ' ' .. backlog .. ' ' .. wait .. '|' .. table.concat(codes)
