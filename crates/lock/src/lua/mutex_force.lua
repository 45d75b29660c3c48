-- Takes the mutex from its holder, if that is still the one that the caller saw, and gives it to the next in line. The token is
-- marked as given up, so that its holder, who releases later, is told that it had lost the lock; a holder that listens is
-- told at once.
-- KEYS: 1 lock, 2 fence, 3 queue, 4 alive, 5 done (the holder's token has ended)
-- ARGV: 1 token of the holder, 2 channel prefix
-- Returns: 1 taken; 0 it does not hold the mutex any more
local state = redis.call('MGET', KEYS[1], KEYS[2])
local held, last = state[1], state[2]
if not held or string.sub(held, 1, 33) ~= ARGV[1] then return 0 end
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[5], 'given up', 'PX', DONE_TTL_MS)
wake_owner(ARGV[1], ARGV[2], '-')
local waiter = head()
if waiter then
  forget(waiter)
  grant(waiter, last, GRACE_MS)
  wake_owner(waiter, ARGV[2])
end
return 1
