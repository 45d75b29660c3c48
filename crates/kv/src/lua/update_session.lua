-- Changes name and picture of a session that is still alive; its lifetime stays.
-- KEYS: session
-- ARGV: the picture, a line break, the name: what follows the first seven lines of the record (session_record.rs)
local record = redis.call('GET', KEYS[1])
if not record then return 0 end
local at = 0
for _ = 1, 7 do
  at = string.find(record, '\n', at + 1, true)
  if not at then return 0 end
end
redis.call('SET', KEYS[1], string.sub(record, 1, at) .. ARGV[1], 'KEEPTTL')
return 1
