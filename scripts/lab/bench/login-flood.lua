-- wrk signs in with wrong passwords. After each answer a connection pauses; the argument is the average in milliseconds.
-- There are always more attempts than the server can check, and wrk itself uses little CPU time. For one thread only. The
-- last line of output is the number of passwords that were checked; all other attempts were rejected before.
dofile("scripts/lab/bench/wrk-result.lua")

local pause, attempts = 0, 0
local the_thread
checked = 0

function setup(thread)
  the_thread = thread
end

function init(args)
  pause = tonumber(args[1])
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
end

function delay()
  return math.random(0, 2 * pause)
end

function request()
  attempts = attempts + 1
  return wrk.format(nil, nil, nil, string.format('{"username":"admin","password":"wrong-%d"}', attempts))
end

function response(status)
  if status == 401 then checked = checked + 1 end
end

local write_result = done

function done(...)
  write_result(...)
  io.write(string.format("checked %d\n", the_thread:get("checked")))
end
