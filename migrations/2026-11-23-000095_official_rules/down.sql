DROP TABLE official_rules;
