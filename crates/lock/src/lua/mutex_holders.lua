-- Who holds the mutex.
-- KEYS: 1 lock
-- Returns for the holder, if there is one: token, fence, ms until its lease ends
local held = redis.call('GET', KEYS[1])
if not held then return {} end
local left_ms = math.max(0, redis.call('PTTL', KEYS[1]))
return {{string.sub(held, 1, 33), string.sub(held, 35), string.format('%.0f', left_ms)}}
