-- After a right password: the tries of its caller are forgotten and the device is remembered. The day's count of strangers
-- stays. Repeating it changes nothing.
-- KEYS: password tries, devices
-- ARGV: caller, device hash to remember or empty, devices remembered, ms for which they are
-- Returns: 1
local time = redis.call('TIME')
local now = time[1] * 1000 + math.floor(time[2] / 1000)
redis.call('HDEL', KEYS[1], ARGV[1])
if ARGV[2] ~= '' then remember_device(KEYS[2], ARGV[2], ARGV[3], ARGV[4], now) end
return 1
