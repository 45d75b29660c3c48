-- Compares a typed code with the outstanding ones and consumes them, in one step: of any number of parallel right answers
-- one wins. Wrong answers are counted per caller that was sent a code, and together for all others, so nobody who
-- never requested a code can lock out a user who did. Requesting a new code gives no new tries.
-- KEYS: codes, tries, devices
-- ARGV: typed code hash, caller by device or empty, caller by network, tries allowed, lock ms, ms until tries of others are
--       forgotten, device hash to remember, devices remembered, ms for which they are
-- Returns: {outcome, ms}; ms is the time until a lock ends, else 0.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local function tries_of(who)
  local tries, ends = string.match(redis.call('HGET', KEYS[2], who) or '0:0', '^(%d+):(%d+)$')
  if tonumber(ends) <= now then return nil end
  return tonumber(tries), tonumber(ends)
end

local caller, lock_ms = '*', tonumber(ARGV[6])
local tries, ends
for _, who in ipairs({ARGV[2], ARGV[3]}) do
  if caller == '*' and who ~= '' then
    tries, ends = tries_of(who)
    if tries then caller, lock_ms = who, tonumber(ARGV[5]) end
  end
end
if caller == '*' then tries, ends = tries_of('*') end
tries = tries or 0
if tries >= tonumber(ARGV[4]) then return {'locked', ends - now} end

local codes, is_any, is_right = redis.call('HGETALL', KEYS[1]), false, false
for i = 1, #codes, 2 do
  if tonumber(string.match(codes[i + 1], '^(%d+)')) > now then
    is_any = true
    is_right = is_right or codes[i] == ARGV[1]
  end
end
if not is_any then return {'expired', 0} end

if is_right then
  redis.call('DEL', KEYS[1])
  redis.call('HDEL', KEYS[2], caller)
  remember_device(KEYS[3], ARGV[7], ARGV[8], ARGV[9], now)
  return {'right', 0}
end

tries = tries + 1
local is_locked = tries >= tonumber(ARGV[4])
if is_locked or not ends then ends = now + lock_ms end
redis.call('HSET', KEYS[2], caller, string.format('%d:%.0f', tries, ends))
if redis.call('PTTL', KEYS[2]) < ends - now then redis.call('PEXPIRE', KEYS[2], ends - now) end
if not is_locked then return {'wrong', 0} end
for i = 1, #codes, 2 do
  if string.match(codes[i + 1], '^%d+|%d|[^|]*|(.*)$') == caller then redis.call('HDEL', KEYS[1], codes[i]) end
end
return {'locked', lock_ms}
