-- Takes a slot, or a place in the queue for one. May be repeated at will: the same token gets the same answer.
-- KEYS: 1 holders, 2 fence, 3 queue, 4 alive, 5 grants, 6 done (this token has ended)
-- ARGV: 1 token, 2 lease ms, 3 capacity, 4 fence ttl ms, 5 verb to publish with, 6 channel prefix, 7 grace ms,
--       8 '1' to wait in line, 9 alive ms, 10 '1' if all holders must name the same capacity
-- Returns: {1, fence} if granted; {-1, capacity} if it is in use with another one; else {0, ms until the first lease of a
--          holder ends}
local token = ARGV[1]
local now_ms = math.floor(clock_us() / 1000)
purge(now_ms)
if not redis.call('ZSCORE', KEYS[1], token) then
  -- A copy of a request whose token was given up since: it must neither take nor wait.
  if redis.call('EXISTS', KEYS[6]) == 1 then return {0, -2} end
  if ARGV[10] == '1' then
    local kept = redis.call('HGET', KEYS[5], 'permits')
    if kept ~= ARGV[3] then
      if kept and redis.call('ZCARD', KEYS[1]) > 0 then
        forget(token)
        return {-1, tonumber(kept)}
      end
      redis.call('HSET', KEYS[5], 'permits', ARGV[3])
    end
  end
  if owner_of(token) ~= '' and redis.call('ZCARD', KEYS[1]) > 0 and admits(token, 1) then
    -- An owner that holds the lock does not queue behind those who wait for it.
    admit(token, now_ms, ARGV[4], tonumber(ARGV[7]))
  else
    enqueue(token, tonumber(ARGV[9]))
    drain(token, now_ms, tonumber(ARGV[3]), ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]))
  end
end
if redis.call('ZSCORE', KEYS[1], token) then
  lease_until(token, now_ms + tonumber(ARGV[2]))
  return {1, tonumber(redis.call('HGET', KEYS[5], token))}
end
if ARGV[8] ~= '1' then forget(token) end
local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')[2]
return {0, first and tonumber(first) - now_ms or 0}
