-- The rest of `mutex_release.lua`: gives the mutex to the next in line, or leaves the line.
if not is_held then
  local mark = redis.call('GET', KEYS[5])
  if mark and mark ~= 'given up' then return 1 end
  redis.call('SET', KEYS[5], 'given up', 'PX', DONE_TTL_MS)
  forget(ARGV[1])
  return held and -1 or 0
end

redis.call('RENAME', KEYS[1], KEYS[5])
redis.call('PEXPIRE', KEYS[5], DONE_TTL_MS)
local waiter = head()
if waiter then
  forget(waiter)
  grant(waiter, last, GRACE_MS)
  wake_owner(waiter, ARGV[3])
elseif last then
  redis.call('SET', KEYS[2], whole(tonumber(last)), 'PX', FENCE_TTL_MS)
end
return 1
