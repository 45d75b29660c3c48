-- Moves an entry that cannot be decoded to the dead-letter stream.
-- KEYS: stream, backlog, dead. ARGV: group, id, why. Idempotent.
local MAX_DEAD = 10000 -- entries kept: the oldest go, each was an error in the log
local MAX_PARTS = 1000 -- of a copy: Lua's stack bounds the arguments of one call
local entry = redis.call('XRANGE', KEYS[1], ARGV[2], ARGV[2])[1]
local orders = 0
if entry then
  local copy = {'id', ARGV[2], 'why', ARGV[3]}
  local fields = entry[2]
  for i = 1, math.min(#fields, MAX_PARTS), 2 do
    copy[#copy + 1] = fields[i]
    copy[#copy + 1] = fields[i + 1]
    -- The gate wrote this count, so it is used even if the rest of the entry is damaged.
    if fields[i] == 'n' and string.match(fields[i + 1], '^%d%d?%d?%d?$') then
      orders = tonumber(fields[i + 1])
    end
  end
  redis.call('XADD', KEYS[3], 'MAXLEN', '~', MAX_DEAD, '*', unpack(copy))
end
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
if orders > 0 then
  redis.call('DECRBY', KEYS[2], orders)
end
