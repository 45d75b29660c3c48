-- Notifies the caller that waits for a barrier: everything before it is in the ledger.
-- KEYS: stream, barrier. ARGV: group, id of the barrier's entry, nonce, lifetime in ms. Returns 0 if an entry before it is pending.
-- Every entry before it in the stream was delivered before it, so an unacknowledged one is pending here, also if it is
-- pending for a drain worker that was replaced.
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '(' .. ARGV[2], 1) > 0 then
  return 0
end
redis.call('RPUSH', KEYS[2], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
return 1
