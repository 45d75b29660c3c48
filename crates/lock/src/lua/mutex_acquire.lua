-- Takes the mutex if it is free: the usual case, which needs none of the functions below. May be repeated at will: the same
-- token gets the same answer.
-- KEYS: 1 lock, 2 fence, 3 queue, 4 alive, 5 done (this token has ended)
-- ARGV: 1 token, 2 lease ms, 3 '1' to wait in line, 4 '1' if the token may be in line already, 5 token to take over from, or
--       '', 6 channel prefix
-- Returns: the fence if granted, else -1 less the ms until the lease of the holder ends, or 0 if
--          that is unknown
local token = ARGV[1]
local state = redis.call('MGET', KEYS[1], KEYS[2], KEYS[5])
local held, last, done = state[1], state[2], state[3]
if not (held or done) and ARGV[4] == '0' then
  local fence = next_fence(last)
  local stored = fence + FENCES - 1
  if last and may_wait(last) then stored = whole(stored) .. ' ' end
  -- A script whose first write frees memory may go on to use some, also where Redis has none left: what frees memory there
  -- (a drain, a cleaner) needs its lock. The key is known not to exist.
  if redis.pcall('SET', KEYS[2], stored, 'PX', FENCE_TTL_MS).err then
    redis.call('DEL', KEYS[5])
    redis.call('SET', KEYS[2], stored, 'PX', FENCE_TTL_MS)
  end
  redis.call('SET', KEYS[1], string.format('%s:%.0f', token, fence), 'PX', ARGV[2])
  return fence
end
