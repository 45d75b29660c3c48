-- A range of the ranking, most liked first and then oldest. Each turn adds notes of one number of likes, so there are at
-- most as many turns as notes.
-- KEYS: ranking
-- ARGV: index of the first, how many
-- Returns: false if the ranking is not loaded, so that "no notes" and "nobody knows" are never mixed up.
if not redis.call('ZSCORE', KEYS[1], 'loaded') then return false end
local index, count = tonumber(ARGV[1]), tonumber(ARGV[2])
local found = {}
while #found < count do
    local likes = redis.call('ZRANGE', KEYS[1], index, index, 'REV', 'WITHSCORES')[2]
    -- The mark at the end has a score below every note's.
    if not likes or tonumber(likes) < 0 then break end
    local more_liked = redis.call('ZCOUNT', KEYS[1], '(' .. likes, '+inf')
    local equals = redis.call('ZRANGE', KEYS[1], likes, likes, 'BYSCORE', 'LIMIT', index - more_liked, count - #found)
    for _, note in ipairs(equals) do found[#found + 1] = note end
    index = index + #equals
end
return found
