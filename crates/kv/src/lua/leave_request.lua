-- Releases a named request, if it still belongs to this owner. Its fingerprint and reservation stay.
-- KEYS: request
-- ARGV: owner
if redis.call('HGET', KEYS[1], 'owner') == ARGV[1] then redis.call('HDEL', KEYS[1], 'until') end
return redis.status_reply('OK')
