-- Makes sure that a stream has its consumer group, also where Redis has no memory left: an acknowledgement of nothing
-- needs none, and a script that has written may go on to use some.
-- KEYS: stream. ARGV: group.
redis.call('XACK', KEYS[1], ARGV[1], '0-0')
-- From the very beginning: what was recorded before is known for it, what was not must not be skipped.
local made = redis.pcall('XGROUP', 'CREATE', KEYS[1], ARGV[1], 0, 'MKSTREAM')
if made.err and not string.find(made.err, 'BUSYGROUP', 1, true) then
  return made
end
return 1
