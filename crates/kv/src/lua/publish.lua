-- Publishes a message; in a Cluster, on the shard of its channel.
-- KEYS: channel
-- ARGV: PUBLISH or SPUBLISH, message
redis.call(ARGV[1], KEYS[1], ARGV[2])
return redis.status_reply('OK')
