-- Prelude of the scripts that grant: the line of waiters.
-- KEYS: 1 lock, 2 fence, 3 queue, 4 alive
-- A token is 33 characters: 16 name its process, 16 its claim, the last one is x (exclusive) or s (shared). That of a
-- re-entrant mutex is followed by a colon and its owner.
-- The queue holds token -> arrival in microseconds, alive holds token -> when its waiter counts as dead, in ms.
local function forget(token)
  redis.call('ZREM', KEYS[3], token)
  redis.call('HDEL', KEYS[4], token)
end

-- Keeps a place that was taken before; arrivals grow even if the clock goes back.
local function enqueue(token, alive_ms)
  local now_us = clock_us()
  if not redis.call('ZSCORE', KEYS[3], token) then
    local last = redis.call('ZREVRANGE', KEYS[3], 0, 0, 'WITHSCORES')[2]
    redis.call('ZADD', KEYS[3], whole(math.max(now_us, tonumber(last or '0') + 1)), token)
  end
  redis.call('HSET', KEYS[4], token, whole(now_us / 1000 + alive_ms))
  redis.call('PEXPIRE', KEYS[3], alive_ms)
  redis.call('PEXPIRE', KEYS[4], alive_ms)
end

-- The first waiter that still gives signs of life. Dead ones are dropped from the line.
local function head()
  local now_ms = nil
  while true do
    local first = redis.call('ZRANGE', KEYS[3], 0, 0)[1]
    if not first then return nil end
    now_ms = now_ms or clock_us() / 1000
    local until_ms = redis.call('HGET', KEYS[4], first)
    if until_ms and tonumber(until_ms) > now_ms then return first end
    forget(first)
  end
end

-- Tells the one process that the grant is for. A lost message only costs its waiter a poll. With the mark '-' it tells that
-- the token was taken from its holder; if that is lost, the holder finds it at its next renewal.
local function wake(token, verb, channel, mark)
  redis.pcall(verb, channel .. string.sub(token, 1, 16), (mark or '') .. token)
end
