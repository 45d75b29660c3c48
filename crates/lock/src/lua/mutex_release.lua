-- Sets the mutex free if nobody waits for it: the usual case. The name of the lock becomes the mark that this token has
-- ended, so that a repetition knows what happened and a late copy of the request to acquire takes nothing.
-- KEYS: 1 lock, 2 fence, 3 queue, 4 alive, 5 done (this token has ended)
-- ARGV: 1 token, 2 '1' if the rest of the lease is as long as the mark should live, 3 channel prefix
-- Returns: 1 released, by this call or an earlier one; 0 nobody held it; -1 another token did
local state = redis.call('MGET', KEYS[1], KEYS[2])
local held, last = state[1], state[2]
local is_held = held and string.sub(held, 1, 33) == ARGV[1]
if is_held and not may_wait(last) then
  redis.call('RENAME', KEYS[1], KEYS[5])
  if ARGV[2] ~= '1' then redis.call('PEXPIRE', KEYS[5], DONE_TTL_MS) end
  return 1
end
