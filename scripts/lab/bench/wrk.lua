-- What every wrk script has: each thread knows its number, and the last output is one line that scripts/lab/bench/tools.mjs reads.
local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("\nresult %d %d %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
