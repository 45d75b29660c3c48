-- Tells whoever waits on a barrier that everything before it is in the ledger.
-- KEYS: stream, barrier. ARGV: group, id of the barrier's entry, nonce, lifetime in ms. Answers 0 if it is not so yet.
-- Whatever stands before the entry in the stream was delivered before it, so what is not acknowledged is pending here,
-- also if a drainer has it that should have ended long ago.
if #redis.call('XPENDING', KEYS[1], ARGV[1], '-', '(' .. ARGV[2], 1) > 0 then
  return 0
end
redis.call('RPUSH', KEYS[2], ARGV[3])
redis.call('PEXPIRE', KEYS[2], ARGV[4])
redis.call('XACK', KEYS[1], ARGV[1], ARGV[2])
redis.call('XDEL', KEYS[1], ARGV[2])
return 1
