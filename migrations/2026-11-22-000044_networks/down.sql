DROP TRIGGER users_drop_flag_evidence ON users;
DROP FUNCTION drop_flag_evidence();
ALTER TABLE users DROP COLUMN flag_evidence;
DROP TABLE shared_networks, analytics_networks;
DELETE FROM analytics_watermarks WHERE source = 'networks';
DROP FUNCTION network_of(inet);
