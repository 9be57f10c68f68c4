DROP TABLE winner_verification_texts;
DROP TABLE winner_verification_events;
DROP TABLE winner_verification;
