-- KEYS: value, lease, tombstone. ARGV: entry, life of the entry (ms), life of the tombstone (ms).
-- Answers 1 if the entry was stored, -1 if a newer version is stored or was announced.
-- A load in flight loses its lease, since it may have read an older row. The tombstone holds the version of the entry, which
-- keeps older fills and puts away. It is also the change that all processes apply, whatever they know of the value.
local function is_older(a, b)
  local a_high, a_low = struct.unpack('>I4I4', a)
  local b_high, b_low = struct.unpack('>I4I4', b)
  return a_high < b_high or (a_high == b_high and a_low < b_low)
end
local version = string.sub(ARGV[1], 13, 20)
local floor = redis.call('GET', KEYS[3])
local stored = redis.call('GETRANGE', KEYS[1], 12, 19)
if (floor and is_older(version, floor)) or (#stored == 8 and is_older(version, stored)) then
  return -1
end
redis.call('DEL', KEYS[2])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
redis.call('SET', KEYS[3], version, 'PX', ARGV[3])
return 1
