DROP TABLE push_deliveries;
DROP TABLE push_results;
DROP TABLE push_subscriptions;
