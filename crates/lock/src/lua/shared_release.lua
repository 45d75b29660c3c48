-- Releases a slot, or leaves the queue, and grants slots to the waiters that fit then. Marks the token as ended, so that a repetition
-- knows what happened and a late copy of the request to acquire takes nothing.
-- KEYS: 1 holders, 2 fence, 3 queue, 4 alive, 5 grants, 6 done (this token has ended)
-- ARGV: 1 token, 2 done ttl ms, 3 capacity, 4 fence ttl ms, 5 verb to publish with, 6 channel prefix, 7 grace ms,
--       8 '1' if all holders must name the same capacity, 9 'released', or 'given up' if the slot is taken from its holder
-- Returns: 1 released, by this call or an earlier one; 0 it was not held
local now_ms = math.floor(clock_us() / 1000)
purge(now_ms)
local released = redis.call('ZREM', KEYS[1], ARGV[1]) == 1
if released then
  redis.call('HDEL', KEYS[5], ARGV[1])
  redis.call('SET', KEYS[6], ARGV[9], 'PX', ARGV[2])
  if ARGV[9] == 'given up' then wake(ARGV[1], ARGV[5], ARGV[6], '-') end
elseif redis.call('GET', KEYS[6]) == 'released' then
  return 1
else
  redis.call('SET', KEYS[6], 'given up', 'PX', ARGV[2])
  forget(ARGV[1])
end
-- One that named another capacity was refused, and must not admit others by it.
local keeps_permits = ARGV[8] == '1'
local kept = keeps_permits and redis.call('HGET', KEYS[5], 'permits')
local capacity = kept or (keeps_permits and not released and 1) or ARGV[3]
drain(ARGV[1], now_ms, tonumber(capacity), ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]))
if keeps_permits and redis.call('ZCARD', KEYS[1]) == 0 then redis.call('DEL', KEYS[5]) end
return released and 1 or 0
