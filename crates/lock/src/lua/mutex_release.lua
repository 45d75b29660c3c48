-- Gives the mutex to the next in line, or sets it free; also leaves the line. Marks the token as ended, so that a
-- repetition knows what happened and a late copy of the request to acquire takes nothing.
-- KEYS: 1 lock, 2 fence, 3 queue, 4 alive, 5 done (this token has ended)
-- ARGV: 1 token, 2 done ttl ms, 3 fences per grant, 4 fence ttl ms, 5 verb to publish with, 6 channel prefix, 7 grace ms
-- Returns: 1 released, by this call or an earlier one; 0 nobody held it; -1 another token did
local held = redis.call('GET', KEYS[1])
if owner_of(held) ~= ARGV[1] then
  if redis.call('GET', KEYS[5]) == 'released' then return 1 end
  redis.call('SET', KEYS[5], 'given up', 'PX', ARGV[2])
  forget(ARGV[1])
  return held and -1 or 0
end

redis.call('SET', KEYS[5], 'released', 'PX', ARGV[2])
local waiter = head()
if waiter then
  forget(waiter)
  grant(waiter, redis.call('GET', KEYS[2]), tonumber(ARGV[3]), ARGV[4], ARGV[7])
  wake(waiter, ARGV[5], ARGV[6])
else
  redis.call('DEL', KEYS[1])
end
return 1
