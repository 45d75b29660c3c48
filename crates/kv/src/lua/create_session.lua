-- Writes a session with its lifetime in one step: a session without an end never exists.
-- KEYS: session
-- ARGV: user id, nick name, icon, role, number, device, address, idle ms, absolute ms, stamp
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local ends_ms = now_ms + ARGV[9]
redis.call('HSET', KEYS[1],
  'id', ARGV[1], 'nickName', ARGV[2], 'icon', ARGV[3], 'role', ARGV[4], 'number', ARGV[5],
  'device', ARGV[6], 'address', ARGV[7],
  'created', string.format('%.0f', now_ms), 'seen', string.format('%.0f', now_ms),
  'ends', string.format('%.0f', ends_ms), 'stamp', ARGV[10])
redis.call('PEXPIRE', KEYS[1], math.min(tonumber(ARGV[8]), tonumber(ARGV[9])))
return 1
