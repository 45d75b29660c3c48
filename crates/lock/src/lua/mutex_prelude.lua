-- Grants of a mutex to a waiter, and its line. The lock is one string, `token:fence`, that lives as long as the lease.
-- KEYS: 1 lock, 2 fence, 3 queue, 4 alive
local function grant(token, last, ttl_ms)
  local fence = next_fence(last)
  -- Others may wait behind it; the release that finds nobody clears the mark.
  redis.call('SET', KEYS[2], whole(fence + FENCES - 1) .. ' ', 'PX', FENCE_TTL_MS)
  redis.call('SET', KEYS[1], token .. ':' .. whole(fence), 'PX', ttl_ms)
  return fence
end

-- Every release looks at the fence, so the mark there spares it a look at an empty queue.
local function stand_in_line(token, last)
  enqueue(token, ALIVE_MS)
  if not may_wait(last) then redis.call('APPEND', KEYS[2], ' ') end
end

-- In a Cluster the channel is one of the lock itself, which has a slot.
local function wake_owner(token, channel, mark)
  local is_sharded = string.sub(channel, 1, string.len(KEYS[1])) == KEYS[1]
  wake(token, is_sharded and 'SPUBLISH' or 'PUBLISH', channel, mark)
end
