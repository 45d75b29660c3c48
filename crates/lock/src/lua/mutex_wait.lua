-- The rest of `mutex_acquire.lua`: the mutex is held, or the token has ended, or it may be in line.
local owner = held and string.sub(held, 1, 33)
if owner == token then
  redis.call('PEXPIRE', KEYS[1], ARGV[2])
  return tonumber(string.sub(held, 35))
end

-- A copy of a request whose token was given up since: it must neither take nor wait.
if done then return 0 end

local waits = ARGV[3] == '1'
if held and owner ~= ARGV[5] then
  if waits then stand_in_line(token, last) end
  local left_ms = redis.call('PTTL', KEYS[1])
  return left_ms < 0 and 0 or -1 - left_ms
end

-- So that the script may go on where Redis has no memory left, as above.
redis.call('DEL', KEYS[5])

-- The process that asks has held the lock for its whole turn: others in line come first.
local waiter = held and head()
if waiter and waiter ~= token then
  forget(waiter)
  grant(waiter, last, GRACE_MS)
  wake_owner(waiter, ARGV[6])
  if waits then enqueue(token, ALIVE_MS) end
  return -1 - GRACE_MS
end

if ARGV[4] == '1' then forget(token) end
return grant(token, last, ARGV[2])
