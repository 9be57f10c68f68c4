-- wrk posts one signed delivery report over and over, from many connections at once, each with a pause. The arguments: the
-- average pause in milliseconds, the signature, the body, and the number of first reports that are sent without a pause.
dofile("scripts/lab/bench/wrk-result.lua")

local pause, first = 0, 0
local threads = {}
local wrk_done = done

function setup(thread)
  table.insert(threads, thread)
end

function init(args)
  statuses = {}    -- global, so that done() can read it
  pause = tonumber(args[1])
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/x-www-form-urlencoded"
  wrk.headers["X-Twilio-Signature"] = args[2]
  wrk.body = args[3]
  first = tonumber(args[4])
end

function delay()
  first = first - 1
  return first >= 0 and 0 or math.random(0, 2 * pause)
end

function response(status)
  statuses[status] = (statuses[status] or 0) + 1
end

-- Prints a line for each status before the result.
function done(summary, latency)
  for _, thread in ipairs(threads) do
    for status, count in pairs(thread:get("statuses")) do io.write(string.format("\nstatus %d %d", status, count)) end
  end
  wrk_done(summary, latency)
end
