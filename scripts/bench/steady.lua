-- wrk asks for one address at a steady pace: each connection waits so many milliseconds (the first argument) before it
-- asks again. Further arguments are headers, each with its value.
dofile("scripts/bench/wrk-result.lua")

local pause = 0

function init(args)
  pause = tonumber(args[1])
  for n = 2, #args, 2 do wrk.headers[args[n]] = args[n + 1] end
end

function delay()
  return pause
end

function request()
  return wrk.format()
end
