-- Acknowledges and deletes entries whose orders are in the ledger, and lowers the backlog.
-- KEYS: stream, backlog. ARGV: group, then runs of: orders per entry, number of ids, the ids.
-- Returns the remaining backlog. Only entries that are really deleted lower it, so this is idempotent.
local lowered = 0
local i = 2
while i <= #ARGV do
  local orders, count = tonumber(ARGV[i]), tonumber(ARGV[i + 1])
  local first, last = i + 2, i + 1 + count
  redis.call('XACK', KEYS[1], ARGV[1], unpack(ARGV, first, last))
  lowered = lowered + orders * redis.call('XDEL', KEYS[1], unpack(ARGV, first, last))
  i = last + 1
end
return redis.call('DECRBY', KEYS[2], lowered)
