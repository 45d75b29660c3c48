-- Members around a point, nearest first, each with its distance in metres.
-- KEYS: geo, ready
-- ARGV: longitude, latitude, radius in metres, how many at most
-- Returns: false if the index is not loaded, so that "nobody near" and "nobody knows" are never mixed up.
if redis.call('EXISTS', KEYS[2]) == 0 then return false end
return redis.call('GEOSEARCH', KEYS[1], 'FROMLONLAT', ARGV[1], ARGV[2], 'BYRADIUS', ARGV[3], 'm',
    'ASC', 'COUNT', ARGV[4], 'WITHDIST')
