-- Writes a mark, so that WAIT has something to wait for, also where Redis has no memory left: a script whose first write
-- frees memory may go on to use some. Whoever drains must not wait for memory that only draining frees.
-- KEYS: mark.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], 1)
return 1
