-- wrk posts one new entrant per request; the script's argument is the phone number to count from. With a second one each
-- connection waits before it posts again, so many milliseconds on average, and by chance, so that they do not all post at
-- once. It looks at no answer, which would cost it as much as the server: the benchmark counts what was stored instead.
dofile("scripts/bench/wrk-result.lua")

local threads = 0

function setup(thread)
  thread:set("number", threads)
  threads = threads + 1
end

function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  phone = tonumber(args[1]) + number * 10000000
  local pause = tonumber(args[2])
  if pause then
    function delay() return math.random(0, 2 * pause) end
  end
end

function request()
  phone = phone + 1
  return wrk.format(nil, nil, nil, string.format('{"phoneNumber":"+1%d","landingPage":"garden-bag","smsConsent":true}', phone))
end
