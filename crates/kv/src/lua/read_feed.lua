-- The notes of an inbox right before a moment, newest first, those of one millisecond by id.
-- KEYS: feed
-- ARGV: ms, note, how many at most
-- Returns: false if the inbox is not loaded, else 1 if older notes were cut off, then note, ms, note, ms, …
if not redis.call('ZSCORE', KEYS[1], 'loaded') then return false end
local found = {redis.call('ZSCORE', KEYS[1], 'cut') and 1 or 0}
local left = tonumber(ARGV[3])
for _, note in ipairs(redis.call('ZREVRANGEBYSCORE', KEYS[1], ARGV[1], ARGV[1])) do
  if left > 0 and note < ARGV[2] then
    found[#found + 1] = note
    found[#found + 1] = ARGV[1]
    left = left - 1
  end
end
if left > 0 then
  local older = redis.call('ZREVRANGEBYSCORE', KEYS[1], '(' .. ARGV[1], '(-inf', 'WITHSCORES', 'LIMIT', 0, left)
  for _, value in ipairs(older) do found[#found + 1] = value end
end
return found
