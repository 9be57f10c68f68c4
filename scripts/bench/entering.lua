-- wrk posts one new entrant per request; the script's argument is the phone number to count from.
local threads = {}

function setup(thread)
  thread:set("number", #threads)
  table.insert(threads, thread)
end

function init(args)
  wrk.method = "POST"
  wrk.headers["Content-Type"] = "application/json"
  phone = tonumber(args[1]) + number * 10000000
  refused, answer = 0, ""
end

function request()
  phone = phone + 1
  return wrk.format(nil, nil, nil, string.format('{"phoneNumber":"+1%d","landingPage":"garden-bag","smsConsent":true}', phone))
end

function response(status, _, body)
  if status ~= 201 then
    refused, answer = refused + 1, status .. " " .. body
  end
end

function done(summary, latency)
  local refused, answer = 0, ""
  for _, thread in ipairs(threads) do
    refused = refused + thread:get("refused")
    answer = thread:get("answer") ~= "" and thread:get("answer") or answer
  end
  local errors = summary.errors
  io.write(string.format("\nresult %d %d %d %d %d %d %s\n", summary.requests, summary.duration, latency:percentile(50),
    latency:percentile(99), refused, errors.connect + errors.read + errors.write + errors.timeout, answer:gsub("\n", " ")))
end
