-- Exchanges the slot of a writer for one of a reader, and admits the readers that wait at the head of the queue. May be repeated
-- at will until the reader is released.
-- KEYS: 1 holders, 2 fence, 3 queue, 4 alive, 5 grants, 6 done (the writer's token has ended), 7 done (the reader's has)
-- ARGV: 1 writer's token, 2 reader's token, 3 lease ms, 4 fence ttl ms, 5 verb to publish with, 6 channel prefix, 7 grace ms,
--       8 done ttl ms, 9 capacity
-- Returns: 1 exchanged, by this call or an earlier one; 0 the writer did not hold it, or the reader has ended
-- A copy of a request whose reader was given up since: nobody would release that reader again.
if redis.call('EXISTS', KEYS[7]) == 1 then return 0 end
local now_ms = math.floor(clock_us() / 1000)
purge(now_ms)
if redis.call('ZREM', KEYS[1], ARGV[1]) == 1 then
  redis.call('HSET', KEYS[5], ARGV[2], redis.call('HGET', KEYS[5], ARGV[1]))
  redis.call('HDEL', KEYS[5], ARGV[1])
  redis.call('SET', KEYS[6], 'released', 'PX', ARGV[8])
elseif not redis.call('ZSCORE', KEYS[1], ARGV[2]) then
  return 0
end
lease_until(ARGV[2], now_ms + tonumber(ARGV[3]))
drain(ARGV[2], now_ms, tonumber(ARGV[9]), ARGV[4], ARGV[5], ARGV[6], tonumber(ARGV[7]))
return 1
