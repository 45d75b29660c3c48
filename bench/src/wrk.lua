-- One claim per person: every request carries the next token of a file.
-- Arguments: the file, and the path of the claim.

local requests = {}
local place = 0
-- Sent when there are more requests than people: it is refused, and the refusal is counted as a failure.
local nobody

function init(args)
   local head = "POST " .. args[2] .. " HTTP/1.1\r\nhost: bench\r\ncontent-length: 0\r\n"
   for token in io.lines(args[1]) do
      requests[#requests + 1] = head .. "authorization: " .. token .. "\r\n\r\n"
   end
   nobody = head .. "\r\n"
end

function request()
   place = place + 1
   return requests[place] or nobody
end

function done(summary, latency)
   local errors = summary.errors
   local failed = errors.connect + errors.read + errors.write + errors.status + errors.timeout
   io.write(string.format(
      '{"complete":%d,"took_us":%d,"failed":%d,"p99_us":%d}\n',
      summary.requests, summary.duration, failed,
      latency:percentile(99)))
end
