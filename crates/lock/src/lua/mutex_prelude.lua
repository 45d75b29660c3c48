-- Grants of a mutex. The lock is one string, `token:fence`, that lives as long as the lease.
local function grant(token, last_fence, width, fence_ttl_ms, ttl_ms)
  local fence = mint(last_fence, width, fence_ttl_ms)
  redis.call('SET', KEYS[1], token .. ':' .. whole(fence), 'PX', ttl_ms)
  return fence
end

local function owner_of(held)
  return held and string.sub(held, 1, 33)
end
