-- Takes the next block of a day's ids, unless the counter cannot be trusted.
-- KEYS: 1 counter
-- ARGV: 1 size of the block, 2 ttl in seconds, 3 the last id a day can have; and to begin a generation: 4 its number,
--       5 the highest id that may have been given out before it
-- The counter is 'last:generation:run', where run names the server process that counted and its time as a master. One that
-- is restarted, replaced or promoted (once more) may have lost its last counts, so another name there means:
-- begin a new generation. A counter that is missing, or a bare number, belongs to no generation.
-- Returns: {1, first, last, generation} taken; {0} not to be trusted; {-1} the day has no such block left
local run = string.match(redis.call('INFO', 'server'), 'run_id:(%x+)')
  .. string.match(redis.call('INFO', 'replication'), 'master_replid:(%x+)')
local counter = redis.call('GET', KEYS[1]) or '0'
local last, generation, counted_by = string.match(counter, '^(%d+):(%d+):(%x+)$')
local trusted = counted_by == run
last = tonumber(last or counter)
if ARGV[4] and (not trusted or tonumber(generation) < tonumber(ARGV[4])) then
  last = math.max(last, tonumber(ARGV[5]))
  generation = ARGV[4]
  trusted = true
end
if not trusted then return {0} end

local up_to = last + tonumber(ARGV[1])
if up_to > tonumber(ARGV[3]) then return {-1} end
redis.call('SET', KEYS[1], string.format('%.0f:%s:%s', up_to, generation, run), 'EX', ARGV[2])
return {1, last + 1, up_to, tonumber(generation)}
