-- Slots of fair mutexes, read-write locks and semaphores. Strictly first come, first served: who waits at the head
-- keeps everybody behind it out, so a writer is not starved by readers.
-- KEYS: 1 holders (token -> end of its lease in ms, by the server's clock), 2 fence, 3 queue, 4 alive,
--       5 grants (token -> fence; of a semaphore also permits -> how many there are while somebody holds one)
local function purge(now_ms)
  local over = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', whole(now_ms))
  for _, token in ipairs(over) do
    redis.call('ZREM', KEYS[1], token)
    redis.call('HDEL', KEYS[5], token)
  end
end

local function lease_until(token, end_ms)
  redis.call('ZADD', KEYS[1], whole(end_ms), token)
  local last = redis.call('ZREVRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
  redis.call('PEXPIREAT', KEYS[1], whole(tonumber(last)))
  redis.call('PEXPIREAT', KEYS[5], whole(tonumber(last)))
end

-- A token of a re-entrant mutex is followed by a colon and its owner.
local function owner_of(token)
  return string.sub(token, 34)
end

local function admits(token, capacity)
  local count = redis.call('ZCARD', KEYS[1])
  if count == 0 then return true end
  local owner = owner_of(token)
  if owner ~= '' then return owner == owner_of(redis.call('ZRANGE', KEYS[1], 0, 0)[1]) end
  if string.sub(token, 33) == 'x' or count >= capacity then return false end
  return string.sub(redis.call('ZRANGE', KEYS[1], 0, 0)[1], 33) == 's'
end

-- An owner that enters again gets the fence it has: a higher one would shut out its own first entry.
local function admit(waiter, now_ms, fence_ttl_ms, grace_ms)
  forget(waiter)
  local holder = owner_of(waiter) ~= '' and redis.call('ZRANGE', KEYS[1], 0, 0)[1]
  local fence = holder and redis.call('HGET', KEYS[5], holder)
  if not fence then
    fence = whole(next_fence(redis.call('GET', KEYS[2])))
    redis.call('SET', KEYS[2], fence, 'PX', fence_ttl_ms)
  end
  redis.call('HSET', KEYS[5], waiter, fence)
  lease_until(waiter, now_ms + grace_ms)
end

-- Grants slots to the waiters at the head of the queue that fit. The caller itself needs no message.
local function drain(caller, now_ms, capacity, fence_ttl_ms, verb, channel, grace_ms)
  while true do
    local waiter = head()
    if not waiter or not admits(waiter, capacity) then return end
    admit(waiter, now_ms, fence_ttl_ms, grace_ms)
    if waiter ~= caller then wake(waiter, verb, channel) end
  end
end
