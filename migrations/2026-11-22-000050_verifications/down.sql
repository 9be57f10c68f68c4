DROP TABLE verification_codes;
DROP TABLE verifications;
DELETE FROM conversion_funnel WHERE step IN ('codeSent', 'codeVerified');
DELETE FROM analytics_funnel_hours WHERE step IN ('codeSent', 'codeVerified');
ALTER TABLE conversion_funnel DROP CONSTRAINT conversion_funnel_step_known;
ALTER TABLE conversion_funnel ADD CONSTRAINT conversion_funnel_step_known CHECK (step IN
    ('pageView', 'smsClick', 'formStart', 'formSubmit', 'signUp', 'socialShare', 'purchaseStart', 'purchaseComplete'))
    NOT VALID;
