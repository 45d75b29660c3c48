-- Reserves an order for a named request, unless one is reserved already.
-- KEYS: request
-- ARGV: order, ms to keep the request
-- Returns: the order that is reserved
redis.call('HSETNX', KEYS[1], 'order', ARGV[1])
-- The request was forgotten meanwhile: what is written after its end must not stay for ever.
if redis.call('PTTL', KEYS[1]) < 0 then redis.call('PEXPIRE', KEYS[1], ARGV[2]) end
return redis.call('HGET', KEYS[1], 'order')
