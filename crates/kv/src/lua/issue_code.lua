-- Stores a new login code if the contact may have one.
-- KEYS: code, sent, day, lock
-- ARGV: code hash, code ttl ms, resend ms, codes per day, ms to midnight
-- Returns: {outcome, ms}; ms is the time until the refusal ends, or until the next send after success.
local locked_ms = redis.call('PTTL', KEYS[4])
if locked_ms > 0 then return {'locked', locked_ms} end

local wait_ms = redis.call('PTTL', KEYS[2])
if wait_ms > 0 then return {'too_often', wait_ms} end

local sent_today = tonumber(redis.call('GET', KEYS[3]) or '0')
if sent_today >= tonumber(ARGV[4]) then
  return {'daily_limit', math.max(redis.call('PTTL', KEYS[3]), 1)}
end

redis.call('SET', KEYS[3], sent_today + 1, 'PX', ARGV[5])
redis.call('SET', KEYS[2], 1, 'PX', ARGV[3])
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return {'issued', tonumber(ARGV[3])}
