-- KEYS: tip, log. ARGV: the beginning of new tips, how many announcements to keep, the ids.
-- Each announcement names the tip it follows, so that a reader sees whether it missed one.
local before = redis.call('GET', KEYS[1]) or ''
for i = 3, #ARGV do
  local tip = ARGV[1] .. i
  redis.call('XADD', KEYS[2], 'MAXLEN', '~', ARGV[2], '*', 'before', before, 'tip', tip, 'id', ARGV[i])
  before = tip
end
redis.call('SET', KEYS[1], before)
return 1
