DROP TABLE clearing_jobs;
