-- The ledger and the counters of entrants and referrals that are there.
INSERT INTO entry_ledger (user_id, kind, delta, cause_id) SELECT id, 'base', 1, id FROM users;
INSERT INTO entry_ledger (user_id, kind, delta, cause_id) SELECT referrer_id, 'referral', 1, referred_user_id FROM referrals;
UPDATE users SET bonus_entries = friends.number
FROM (SELECT referrer_id, count(*) AS number FROM referrals GROUP BY referrer_id) AS friends
WHERE users.id = referrer_id;
