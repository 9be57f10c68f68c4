-- wrk flags one entrant per request. Arguments: the session's token, a file with their ids, one a line, and the number of
-- threads that share them.
dofile("scripts/lab/bench/wrk-result.lua")

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  wrk.headers["Authorization"] = "Bearer " .. args[1]
  ids = {}
  for id in io.lines(args[2]) do ids[#ids + 1] = id end
  position = math.floor(#ids / tonumber(args[3])) * number
end

function request()
  position = position + 1
  return wrk.format(nil, nil, nil, string.format('{"userId":%s,"reason":"benchmark"}', ids[position] or ids[1]))
end
