-- KEYS: tip, log. ARGV: a tip for the case that there is none.
-- Answers the tip, and all announcements that are still there.
redis.call('SET', KEYS[1], ARGV[1], 'NX')
return {redis.call('GET', KEYS[1]), redis.call('XRANGE', KEYS[2], '-', '+')}
