-- Acquires a named request. Its owner may call this again, if the reply was lost.
-- KEYS: request
-- ARGV: fingerprint, owner, ms of a turn, ms to keep the request
-- Returns: {outcome, status or ms, body}
local request = redis.call('HMGET', KEYS[1], 'asked', 'status', 'body', 'until', 'owner')
local asked, status, body, ends, owner = request[1], request[2], request[3], request[4], request[5]
if asked and asked ~= ARGV[1] then return {'mismatch', 0, ''} end
if status then return {'answered', tonumber(status), body} end

local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
if ends and tonumber(ends) > now and owner ~= ARGV[2] then return {'in_flight', tonumber(ends) - now, ''} end

redis.call('HSET', KEYS[1], 'asked', ARGV[1], 'owner', ARGV[2], 'until', string.format('%d', now + ARGV[3]))
if not asked then redis.call('PEXPIRE', KEYS[1], ARGV[4]) end
return {'yours', 0, ''}
