-- Adds a note to an inbox that is loaded, and lets the oldest go if there are too many.
-- KEYS: feed, loading
-- ARGV: note, ms, how many are kept
-- Returns: 1 if the note was taken
if not redis.call('ZSCORE', KEYS[1], 'loaded') then
  -- A concurrent load may have read SQL before the note was there.
  redis.call('DEL', KEYS[2])
  return 0
end
redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
local marks = redis.call('ZSCORE', KEYS[1], 'cut') and 2 or 1
local over = redis.call('ZCARD', KEYS[1]) - marks - tonumber(ARGV[3])
if over > 0 then
  redis.call('ZREMRANGEBYRANK', KEYS[1], marks, marks + over - 1)
  redis.call('ZADD', KEYS[1], '-inf', 'cut')
end
return 1
