-- Stores a new login code if the contact may have one. A code of the same caller is replaced; those that others requested
-- stay good. Part of the day's codes is kept for devices that signed in before.
-- KEYS: codes, tries, sent, sent to known devices, quota, devices
-- ARGV: code hash, code ttl ms, resend ms, codes per day, of these kept for known devices, codes per day for one network,
--       ms to midnight, caller, device hash or empty, network, tries allowed, ms until tries are forgotten
-- Returns: {outcome, ms}; ms is the time until the refusal ends, or until the next send after success.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
local caller, network = ARGV[8], ARGV[10]
local is_known = ARGV[9] ~= '' and redis.call('HEXISTS', KEYS[6], ARGV[9]) == 1

local tries, ends = string.match(redis.call('HGET', KEYS[2], caller) or '0:0', '^(%d+):(%d+)$')
local has_tries = tonumber(ends) > now
if has_tries and tonumber(tries) >= tonumber(ARGV[11]) then return {'locked', ends - now} end

local sent = is_known and KEYS[4] or KEYS[3]
local wait_ms = redis.call('PTTL', sent)
if wait_ms > 0 then return {'too_often', wait_ms} end

local used = redis.call('HMGET', KEYS[5], 'all', 'unknown', 'net:' .. network)
local all, unknown, of_network = tonumber(used[1] or '0'), tonumber(used[2] or '0'), tonumber(used[3] or '0')
local for_unknown = math.max(ARGV[4] - ARGV[5], 1)
if all >= tonumber(ARGV[4])
  or (not is_known and (unknown >= for_unknown or of_network >= tonumber(ARGV[6]))) then
  return {'daily_limit', math.max(redis.call('PTTL', KEYS[5]), 1)}
end

redis.call('HINCRBY', KEYS[5], 'all', 1)
if not is_known then
  redis.call('HINCRBY', KEYS[5], 'unknown', 1)
  redis.call('HINCRBY', KEYS[5], 'net:' .. network, 1)
end
redis.call('PEXPIRE', KEYS[5], ARGV[7])
redis.call('SET', sent, 1, 'PX', ARGV[3])

local codes = redis.call('HGETALL', KEYS[1])
for i = 1, #codes, 2 do
  local expires, _, _, owner = string.match(codes[i + 1], '^(%d+)|(%d)|([^|]*)|(.*)$')
  if tonumber(expires) <= now or owner == caller then redis.call('HDEL', KEYS[1], codes[i]) end
end
local entry = string.format('%.0f|%d|%s|%s', now + ARGV[2], is_known and 1 or 0, network, caller)
redis.call('HSET', KEYS[1], ARGV[1], entry)
redis.call('PEXPIRE', KEYS[1], ARGV[2])

-- From here on the caller has tries of its own; a new code gives no new ones.
if not has_tries then redis.call('HSET', KEYS[2], caller, string.format('0:%.0f', now + ARGV[12])) end
redis.call('PEXPIRE', KEYS[2], ARGV[12])
return {'issued', tonumber(ARGV[3])}
