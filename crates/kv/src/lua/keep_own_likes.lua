-- Keeps what SQL said about a person's likes, where nothing is known or marked meanwhile.
-- KEYS: likes of the person
-- ARGV: epoch that was read before SQL was, the most fields, note, 1 or 0, ...
-- Returns: 0 if the hash is another one than then: a like may have changed and its mark may be lost.
if redis.call('HGET', KEYS[1], 'epoch') ~= ARGV[1] then return 0 end
local room = tonumber(ARGV[2]) - redis.call('HLEN', KEYS[1])
for i = 3, #ARGV, 2 do
    if room <= 0 then break end
    room = room - redis.call('HSETNX', KEYS[1], ARGV[i], ARGV[i + 1])
end
return 1
