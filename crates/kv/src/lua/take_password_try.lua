-- Counts one try of a contact's password before it is compared: of any number of parallel guesses, as many are compared as are
-- allowed. Devices that signed in before have tries of their own, all others have as many together and a number of them
-- a day, so a stranger keeps no known device out. Repeating it costs one more try.
-- KEYS: password tries, devices
-- ARGV: caller or empty, device hash or empty, tries allowed, lock ms, tries of strangers allowed a day, ms of a day
-- Returns: {outcome, ms, caller}; after 'locked' and 'last', ms is how long the lock lasts, else 0.
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)

local caller = ARGV[1]
if caller == '' then
  local is_known = ARGV[2] ~= '' and redis.call('HEXISTS', KEYS[2], ARGV[2]) == 1
  caller = is_known and 'device:' .. ARGV[2] or '*'
end

local counts = {{caller, tonumber(ARGV[3]), tonumber(ARGV[4])}}
if caller == '*' then counts[2] = {'day', tonumber(ARGV[5]), tonumber(ARGV[6])} end

local lock_ms = 0
for _, count in ipairs(counts) do
  local tries, ends = string.match(redis.call('HGET', KEYS[1], count[1]) or '0:0', '^(%d+):(%d+)$')
  count.tries, count.ends = tonumber(tries), tonumber(ends)
  if count.ends <= now then count.tries, count.ends = 0, now + count[3] end
  if count.tries >= count[2] then lock_ms = math.max(lock_ms, count.ends - now) end
end
if lock_ms > 0 then return {'locked', lock_ms, caller} end

for _, count in ipairs(counts) do
  count.tries = count.tries + 1
  if count.tries >= count[2] then
    -- A lock lasts from the last try on; a day of strangers ends a day after its first.
    if count[1] == caller then count.ends = now + count[3] end
    lock_ms = math.max(lock_ms, count.ends - now)
  end
  redis.call('HSET', KEYS[1], count[1], string.format('%d:%.0f', count.tries, count.ends))
  if redis.call('PTTL', KEYS[1]) < count.ends - now then redis.call('PEXPIRE', KEYS[1], count.ends - now) end
end
return {lock_ms > 0 and 'last' or 'granted', lock_ms, caller}
