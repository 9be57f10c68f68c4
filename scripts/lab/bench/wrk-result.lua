-- The last output of every wrk script: one line that scripts/lab/bench/tools.mjs reads.
function done(summary, latency)
  local errors = summary.errors
  io.write(string.format("\nresult %d %d %d %d %d %d\n", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), errors.status, errors.connect + errors.read + errors.write + errors.timeout))
end
