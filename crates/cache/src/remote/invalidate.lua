-- KEYS: value, lease, tombstone. ARGV: the version that the row has at least, or eight zero bytes; life of the tombstone (ms).
-- A load in flight loses its lease. The tombstone is written in any case, even without a version: it is the
-- change that all processes are notified of, also those that are loading while there is no value to delete.
-- Deleting comes first: a server out of memory lets a script go on that has freed some.
local function is_older(a, b)
  local a_high, a_low = struct.unpack('>I4I4', a)
  local b_high, b_low = struct.unpack('>I4I4', b)
  return a_high < b_high or (a_high == b_high and a_low < b_low)
end
local version = ARGV[1]
redis.call('DEL', KEYS[2])
local stored = redis.call('GETRANGE', KEYS[1], 12, 19)
if version == string.rep('\0', 8) or #stored < 8 or is_older(stored, version) then
  redis.call('DEL', KEYS[1])
end
local floor = redis.call('GET', KEYS[3])
if floor and is_older(version, floor) then
  version = floor
end
redis.call('SET', KEYS[3], version, 'PX', ARGV[2])
return 1
