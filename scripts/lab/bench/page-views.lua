-- wrk posts page views, each from a new browser session. Arguments: the number of the round, the pages (separated by
-- commas), and the referral codes, one of which is in every third view.
--
-- Session ids are version 7 UUIDs, which browsers also generate: they are ordered by time. Everything but the session id is
-- prepared in advance, so that this script uses little CPU time.
dofile("scripts/lab/bench/wrk.lua")
local ffi = require("ffi")
ffi.cdef("typedef struct { long s, us; } instant; int gettimeofday(instant *, void *);")

local AGENTS = {
  "Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Safari/537.36",
  "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1",
  "Mozilla/5.0 (Linux; Android 10; K) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/141.0.0.0 Mobile Safari/537.36",
  "Mozilla/5.0 (Macintosh; Intel Mac OS X 10.15; rv:143.0) Gecko/20100101 Firefox/143.0",
}
local SHAPES = 3000
local PLACEHOLDER = "00000000-0000-7000-8000-000000000000"

local shapes, turn, clock = {}, 0, ffi.new("instant")
local last_ms, last_time = 0, ""

-- All numbers of three hexadecimal digits, because formatting takes long.
local DIGITS = {}
for n = 0, 0xfff do DIGITS[n] = string.format("%03x", n) end
local VARIANTS = { "8", "9", "a", "b" }

local function hex(length)
  local digits = {}
  for n = 1, length do digits[n] = string.format("%x", math.random(0, 15)) end
  return table.concat(digits)
end

-- A request split at the place of the session id.
local function shape(page, code)
  local headers = { ["Content-Type"] = "application/json", ["User-Agent"] = AGENTS[math.random(#AGENTS)] }
  local referral = code and string.format('"referralCode":"%s",', code) or ""
  local body = string.format('{"page":"%s",%s"fingerprint":"%s","sessionId":"%s"}', page, referral, hex(64), PLACEHOLDER)
  local request = wrk.format("POST", nil, headers, body)
  local from, to = request:find(PLACEHOLDER, 1, true)
  return { request:sub(1, from - 1), request:sub(to + 1) }
end

function init(args)
  math.randomseed(tonumber(args[1]) * 100 + number)
  local pages = {}
  for page in args[2]:gmatch("[^,]+") do pages[#pages + 1] = page end
  local codes = { unpack(args, 3) }
  for n = 1, SHAPES do
    shapes[n] = shape(pages[n % #pages + 1], n % 3 == 0 and codes[n / 3 % #codes + 1] or nil)
  end
end

local function digits()
  return DIGITS[math.random(0, 0xfff)]
end

-- The time in milliseconds, which a session id begins with. It is formatted once for each millisecond.
local function time()
  ffi.C.gettimeofday(clock, nil)
  local ms = tonumber(clock.s) * 1000 + math.floor(tonumber(clock.us) / 1000)
  if ms ~= last_ms then
    last_ms, last_time = ms, string.format("%08x-%04x-7", math.floor(ms / 65536), ms % 65536)
  end
  return last_time
end

function request()
  turn = turn % SHAPES + 1
  local parts = shapes[turn]
  return parts[1] .. time() .. digits() .. "-" .. VARIANTS[math.random(4)] .. digits() .. "-"
    .. digits() .. digits() .. digits() .. digits() .. parts[2]
end
