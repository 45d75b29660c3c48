-- Applies the terms of the ledger to a bucket, unless it has later ones.
--
-- KEYS: sale, buyers, moved, received, epochs channel.
-- ARGV: sale id, terms (the ledger's epoch), begin, end, limit, shelf, total (empty except in bucket 0), when the keys
--       expire in milliseconds, the command that publishes, the name of a withdrawal to cancel. Units that are withheld
--       under another name stay withheld until their deadline: that change may still be committed.
-- Returns the units that should have been taken out and were not there; -1 if the gate is closed, -2 if it has later
-- terms.

local gate = redis.call('HMGET', KEYS[1], 'state', 'terms', 'begin', 'end', 'limit', 'shelf', 'total', 'stock',
  'withheld', 'withheld_until', 'withheld_by')
if not gate[1] then
  return -1
end
if tonumber(gate[2]) > tonumber(ARGV[2]) then
  return -2
end
redis.call('HSET', KEYS[1], 'terms', ARGV[2])
if gate[1] ~= 'open' then
  -- The loader must not open it with older terms than these.
  return -1
end

local changed, short = false, 0
for i, name in ipairs({'begin', 'end', 'limit', 'shelf'}) do
  if gate[2 + i] ~= ARGV[2 + i] then
    redis.call('HSET', KEYS[1], name, ARGV[2 + i])
    changed = true
  end
end

if ARGV[7] ~= '' then
  local more, withheld = ARGV[7] - gate[7], tonumber(gate[9] or 0)
  if withheld > 0 then
    local time = redis.call('TIME')
    if gate[11] ~= ARGV[10] and more > 0 and time[1] * 1000 < tonumber(gate[10]) then
      more = math.max(more - withheld, 0)
    else
      redis.call('HDEL', KEYS[1], 'withheld', 'withheld_until', 'withheld_by')
    end
  end
  if more ~= 0 then
    -- Not -stock: minus nothing is a number that Redis does not know.
    local units = math.max(more, 0 - gate[8])
    short = units - more
    redis.call('HINCRBY', KEYS[1], 'total', more)
    redis.call('HINCRBY', KEYS[1], 'initial', units)
    redis.call('HINCRBY', KEYS[1], 'stock', units)
    changed = true
  end
end

for i = 1, 4 do
  redis.call('PEXPIREAT', KEYS[i], ARGV[8])
end
if changed then
  local epoch = redis.call('HINCRBY', KEYS[1], 'epoch', 1)
  redis.call(ARGV[9], KEYS[5], ARGV[1] .. ':' .. string.format('%.0f', epoch))
end
return short
