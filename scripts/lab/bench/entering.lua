-- wrk posts one new entrant per request. The first argument is a phone number; from it, each of two threads has five
-- million numbers. With a second argument each connection pauses between requests; the argument is the average in
-- milliseconds, and the pauses are random so that the connections do not post at the same time. The script does not read
-- the answers, which would cost as much CPU time as the server takes; the benchmark counts the stored entrants instead.
dofile("scripts/lab/bench/wrk.lua")

function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  phone = tonumber(args[1]) + number * 5000000
  local pause = tonumber(args[2])
  if pause then
    function delay() return math.random(0, 2 * pause) end
  end
end

function request()
  phone = phone + 1
  return wrk.format(nil, nil, nil, string.format('{"phoneNumber":"+1%d","landingPage":"garden-bag","smsConsent":true}', phone))
end
