-- wrk requests one URL at a steady rate. Each connection pauses between requests; the first argument is the average in
-- milliseconds, and the pauses are random so that the connections do not send at the same time. Further arguments are
-- header names, each followed by its value.
dofile("scripts/lab/bench/wrk-result.lua")

local pause = 0

function init(args)
  pause = tonumber(args[1])
  for n = 2, #args, 2 do wrk.headers[args[n]] = args[n + 1] end
end

function delay()
  return math.random(0, 2 * pause)
end

function request()
  return wrk.format()
end
