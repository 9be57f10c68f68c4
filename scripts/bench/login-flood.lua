-- wrk signs in with wrong passwords. Whoever is turned away tries again after a pause of so many milliseconds on average
-- (the argument), so that there are always more attempts than can be checked, and the machine is not spent on wrk itself.
-- For one thread. Ends with how many passwords were checked; the other attempts were turned away before.
dofile("scripts/bench/wrk-result.lua")

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
