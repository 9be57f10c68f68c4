-- Folds the entrants with sequence numbers after $1 and up to $2 into the numbers of accounts of networks.
WITH entrant AS (
    SELECT network_of(ip_address) AS network FROM users WHERE sequence_number > $1 AND sequence_number <= $2 AND ip_address IS NOT NULL
), networks AS (
    INSERT INTO analytics_networks (network, accounts)
    SELECT network, count(*) FROM entrant GROUP BY network ORDER BY network
    ON CONFLICT (network) DO UPDATE SET accounts = analytics_networks.accounts + excluded.accounts
)
UPDATE analytics_watermarks SET last_id = $2 WHERE source = 'networks'
