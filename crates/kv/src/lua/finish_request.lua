-- Keeps the answer of a named request, if the turn is still its owner's.
-- KEYS: request
-- ARGV: owner, status, body
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then
  redis.call('HSET', KEYS[1], 'status', ARGV[2], 'body', ARGV[3])
  redis.call('HDEL', KEYS[1], 'until')
end
return redis.status_reply('OK')
