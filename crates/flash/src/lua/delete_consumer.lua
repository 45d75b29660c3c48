-- Deletes a consumer without pending entries: Redis would delete pending entries with it.
-- KEYS: stream. ARGV: group, consumer.
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) == 0 then
  redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
end
