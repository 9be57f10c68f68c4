DROP TABLE share_progress;
