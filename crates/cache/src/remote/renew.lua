-- KEYS: lease. ARGV: token, life of the lease (ms). Prolongs the lease if it is still the caller's.
if redis.call('GET', KEYS[1]) == ARGV[1] then
  return redis.call('PEXPIRE', KEYS[1], ARGV[2])
end
return 0
