-- KEYS: version of the tag, marker. ARGV: life of the marker (ms).
-- Entries with the deleted version are void. The marker is the change that all processes are notified of.
redis.call('DEL', KEYS[1])
redis.call('SET', KEYS[2], '', 'PX', ARGV[1])
return 1
