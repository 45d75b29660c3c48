-- Takes the mutex, or takes a place in its line. May be repeated at will: the same token gets the same answer.
-- KEYS: 1 lock, 2 fence, 3 queue, 4 alive, 5 done (this token has ended)
-- ARGV: 1 token, 2 lease ms, 3 fences per grant, 4 fence ttl ms, 5 verb to publish with, 6 channel prefix, 7 grace ms,
--       8 '1' to wait in line, 9 '1' if the token may be in line already, 10 alive ms, 11 token to take over from, or ''
-- Returns: {1, fence} if granted, else {0, ms until the lease of the holder ends}
local token, waits = ARGV[1], ARGV[8] == '1'
local state = redis.call('MGET', KEYS[1], KEYS[2], KEYS[5])
local held, last_fence, done = state[1], state[2], state[3]
local owner = owner_of(held)
if owner == token then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return {1, tonumber(string.sub(held, 35))}
end

-- A copy of a request whose token was given up since: it must neither take nor wait.
if done then return {0, -2} end

if held and owner ~= ARGV[11] then
  if waits then enqueue(token, tonumber(ARGV[10])) end
  return {0, redis.call('PTTL', KEYS[1])}
end

-- A script whose first write frees memory may go on to use some, also where Redis has none left: what frees memory there
-- (a drain, a cleaner) needs its lock. The key is known not to exist.
redis.call('DEL', KEYS[5])

-- The process that asks has held the lock for its whole turn: others in line come first.
local waiter = held and head()
if waiter and waiter ~= token then
  forget(waiter)
  grant(waiter, last_fence, tonumber(ARGV[3]), ARGV[4], ARGV[7])
  wake(waiter, ARGV[5], ARGV[6])
  if waits then enqueue(token, tonumber(ARGV[10])) end
  return {0, tonumber(ARGV[7])}
end

if ARGV[9] == '1' then forget(token) end
return {1, grant(token, last_fence, tonumber(ARGV[3]), ARGV[4], ARGV[2])}
