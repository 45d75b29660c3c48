-- Fences, for the scripts that grant.
-- KEYS: 2 fence: the last fence that was granted, and then a space if somebody may wait in line for a mutex.
local function clock_us()
  local time = redis.call('TIME')
  return time[1] * 1000000 + time[2]
end

local function whole(number)
  return string.format('%.0f', number)
end

local function may_wait(last)
  return not last or string.byte(last, -1) == 32
end

-- Above every fence before it, also if the key that remembers them was lost: then the clock is above them.
local function next_fence(last)
  local now_us = clock_us()
  return last and math.max(last + 1, now_us) or now_us
end
