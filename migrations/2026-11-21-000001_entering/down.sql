DROP TABLE user_consent;
DROP TABLE entry_ledger;
DROP FUNCTION refuse_change();
DROP TABLE referrals;
DROP TABLE users;
