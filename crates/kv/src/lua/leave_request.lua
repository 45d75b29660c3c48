-- Gives the turn of a named request up, if it is still its owner's. What was asked and reserved stays.
-- KEYS: request
-- ARGV: owner
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then redis.call('HDEL', KEYS[1], 'until') end
return redis.status_reply('OK')
