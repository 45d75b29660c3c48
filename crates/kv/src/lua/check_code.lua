-- Compares a typed code with the outstanding one and consumes it, in one step: of any number of parallel
-- right answers one wins. Wrong answers are counted per contact, not per code, so asking for a new code
-- gives no new tries.
-- KEYS: code, tries, lock
-- ARGV: typed code hash, tries allowed, lock ms
-- Returns: {outcome, ms}; ms is the time until a lock ends, else 0.
local locked_ms = redis.call('PTTL', KEYS[3])
if locked_ms > 0 then return {'locked', locked_ms} end

local outstanding = redis.call('GET', KEYS[1])
if not outstanding then return {'expired', 0} end

if outstanding == ARGV[1] then
  redis.call('DEL', KEYS[1], KEYS[2])
  return {'right', 0}
end

local tries = redis.call('INCR', KEYS[2])
if tries == 1 then redis.call('PEXPIRE', KEYS[2], ARGV[3]) end
if tries < tonumber(ARGV[2]) then return {'wrong', 0} end

redis.call('SET', KEYS[3], 1, 'PX', ARGV[3])
redis.call('DEL', KEYS[1], KEYS[2])
return {'locked', tonumber(ARGV[3])}
