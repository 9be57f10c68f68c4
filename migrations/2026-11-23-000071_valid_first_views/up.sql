-- Rows are checked without stopping writers, so that the next migration need not read them.
ALTER TABLE page_views VALIDATE CONSTRAINT page_views_before_next_month;
