-- Puts a person's new name, picture and role into a session that is still alive.
-- KEYS: session
-- ARGV: nick name, icon, role
if redis.call('EXISTS', KEYS[1]) == 0 then return 0 end
redis.call('HSET', KEYS[1], 'nickName', ARGV[1], 'icon', ARGV[2], 'role', ARGV[3])
return 1
