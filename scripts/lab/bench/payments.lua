-- wrk confirms one paid purchase per request. Arguments: the number of purchases (their ids start at 1), the number of
-- entrants that they are assigned to in turn, and the number of threads that share them.
dofile("scripts/lab/bench/wrk.lua")

function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  entrants = tonumber(args[2])
  purchase = math.floor(tonumber(args[1]) / tonumber(args[3])) * number
end

function request()
  purchase = purchase + 1
  local entrant = (purchase - 1) % entrants + 1
  return wrk.format(nil, nil, nil, string.format('{"paymentIntentId":"pi_%d","userId":%d,"packageId":1}', purchase, entrant))
end
