-- Writes a mark for WAIT, also when Redis has no memory left: a script whose first write frees memory may use some. The
-- drain must not wait for memory that only the drain frees.
-- KEYS: mark.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[1], 1)
return 1
