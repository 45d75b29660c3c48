-- KEYS: value, lease. ARGV: token, life of the lease (ms), stamp of the entry that is to be replaced or '', two schema marks.
-- Answers 0 and the entry if there is a fresh one other than that, 1 if the caller shall load, 2 if another one does.
local value = redis.call('GET', KEYS[1])
local mark = value and #value >= 28 and string.sub(value, 1, 1) .. string.sub(value, 3, 4)
if mark and (mark == ARGV[4] or mark == ARGV[5]) then
  local left = redis.call('PTTL', KEYS[1])
  if left > struct.unpack('>I4', value, 5) and string.sub(value, 21, 28) ~= ARGV[3] then
    return {0, value, left}
  end
end
if redis.call('SET', KEYS[2], ARGV[1], 'NX', 'PX', ARGV[2]) then
  return {1, false, 0}
end
return {2, false, 0}
