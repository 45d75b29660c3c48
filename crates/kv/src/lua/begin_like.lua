-- Takes one from a person's limit (GCRA, as take.lua) and marks their like of a note as changing: until it is settled,
-- readers ask SQL, and what they read meanwhile is not kept.
-- KEYS: tat, likes of the person
-- ARGV: microseconds between requests at the steady rate, burst, epoch for a hash that is new, note, mark, its lifetime in
-- seconds, seconds that it lives on at least
-- Returns: 0 if admitted, else the microseconds until one will be; then nothing is marked.
local time = redis.call('TIME')
local now = time[1] * 1000000 + time[2]
local interval, burst = tonumber(ARGV[1]), tonumber(ARGV[2])
local next_tat = math.max(tonumber(redis.call('GET', KEYS[1]) or '0'), now) + interval
local wait = next_tat - now - interval * burst
if wait > 0 then return math.ceil(wait) end
redis.call('SET', KEYS[1], string.format('%.0f', next_tat), 'PX', math.ceil((next_tat - now) / 1000))
local is_new = redis.call('HSETNX', KEYS[2], 'epoch', ARGV[3]) == 1
redis.call('HSET', KEYS[2], ARGV[4], '?' .. ARGV[5])
if is_new then
    redis.call('EXPIRE', KEYS[2], ARGV[6])
elseif redis.call('TTL', KEYS[2]) < tonumber(ARGV[7]) then
    redis.call('EXPIRE', KEYS[2], ARGV[7])
end
return 0
