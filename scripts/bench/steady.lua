-- wrk asks for one address at a steady pace: each connection waits before it asks again, so many milliseconds on average
-- (the first argument), and by chance, so that they do not all ask at once. Further arguments are headers, each with its
-- value.
dofile("scripts/bench/wrk-result.lua")

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
