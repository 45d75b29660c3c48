-- Removes a consumer with empty hands: what is pending for it would be forgotten with it.
-- KEYS: stream. ARGV: group, consumer.
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '+', 1, ARGV[2]) == 0 then
  redis.call('XGROUP', 'DELCONSUMER', KEYS[1], ARGV[1], ARGV[2])
end
