-- Removes a transfer that has arrived from the journal of the bucket it left.
--
-- KEYS: sale, moved.
-- ARGV: load, field of the transfer.

-- A new load starts its numbers again, and this transfer is not one of them.
if redis.call('HGET', KEYS[1], 'load') == ARGV[1] then
  redis.call('HDEL', KEYS[2], ARGV[2])
end
return 1
