-- Withdraws a code that could not be delivered, so that the user may request another one at once.
-- KEYS: codes, sent, sent to known devices, quota
-- ARGV: code hash
-- Returns: 1 if this very code was still outstanding, else 0.
local entry = redis.call('HGET', KEYS[1], ARGV[1])
if not entry then return 0 end
local known, network = string.match(entry, '^%d+|(%d)|([^|]*)|')
redis.call('HDEL', KEYS[1], ARGV[1])
redis.call('DEL', known == '1' and KEYS[3] or KEYS[2])
if redis.call('EXISTS', KEYS[4]) == 1 then
  redis.call('HINCRBY', KEYS[4], 'all', -1)
  if known == '0' then
    redis.call('HINCRBY', KEYS[4], 'unknown', -1)
    redis.call('HINCRBY', KEYS[4], 'net:' .. network, -1)
  end
end
return 1
