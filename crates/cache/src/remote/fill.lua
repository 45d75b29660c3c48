-- KEYS: value, lease, tombstone. ARGV: token, entry, life of the entry (ms).
-- Answers 1 if the entry was stored, 0 if the lease is gone, -1 if the row was known to be newer.
-- Versions are eight bytes; Lua's numbers hold 53 bits, hence the halves.
local function is_older(a, b)
  local a_high, a_low = struct.unpack('>I4I4', a)
  local b_high, b_low = struct.unpack('>I4I4', b)
  return a_high < b_high or (a_high == b_high and a_low < b_low)
end
if redis.call('GET', KEYS[2]) ~= ARGV[1] then
  return 0
end
redis.call('DEL', KEYS[2])
local version = string.sub(ARGV[2], 13, 20)
if version ~= string.rep('\0', 8) then
  local floor = redis.call('GET', KEYS[3])
  local stored = redis.call('GETRANGE', KEYS[1], 12, 19)
  if (floor and is_older(version, floor)) or (#stored == 8 and is_older(version, stored)) then
    return -1
  end
end
redis.call('SET', KEYS[1], ARGV[2], 'PX', ARGV[3])
return 1
