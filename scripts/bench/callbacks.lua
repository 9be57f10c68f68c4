-- wrk posts one signed delivery report over and over, from many connections at once, each with a pause. The arguments: the
-- average pause in milliseconds, the signature, and the body.
dofile("scripts/bench/wrk-result.lua")

local pause = 0

function init(args)
  pause = tonumber(args[1])
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
  wrk.headers["X-Twilio-Signature"] = args[2]
  wrk.body = args[3]
end

function delay()
  return math.random(0, 2 * pause)
end
