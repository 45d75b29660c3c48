-- Entries whose orders are in the ledger are acknowledged, deleted and taken off the backlog.
-- KEYS: stream, backlog. ARGV: group, then runs of: orders per entry, number of ids, the ids.
-- Answers the backlog that is left. Only what is really deleted lowers it, so repeating this changes nothing.
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
