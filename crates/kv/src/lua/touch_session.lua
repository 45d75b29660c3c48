-- Reads a session and lets it live on. The write is spared while the last one is recent: reading a busy session
-- costs no disk flush. The lifetime gets that much longer, so that no session ends before its idle time.
-- KEYS: session
-- A session with another stamp is dead, and left to expire: the process that made it may still serve.
-- ARGV: idle ms, ms between writes, stamp
-- Returns: nil, or {id, nickName, icon, role, number}
local session = redis.call('HMGET', KEYS[1], 'id', 'nickName', 'icon', 'role', 'number', 'seen', 'ends', 'stamp')
if not session[1] or (session[8] or '') ~= ARGV[3] then return nil end
local time = redis.call('TIME')
local now_ms = time[1] * 1000 + math.floor(time[2] / 1000)
local left_ms = session[7] - now_ms
if left_ms <= 0 then
  redis.call('DEL', KEYS[1])
  return nil
end
if now_ms - session[6] >= tonumber(ARGV[2]) then
  redis.call('HSET', KEYS[1], 'seen', string.format('%.0f', now_ms))
  redis.call('PEXPIRE', KEYS[1], math.min(ARGV[1] + ARGV[2], left_ms))
end
return {session[1], session[2], session[3], session[4], session[5]}
