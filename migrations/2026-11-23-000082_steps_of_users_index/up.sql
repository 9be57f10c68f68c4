-- Finds the sessions in which an entrant took a step.
CREATE INDEX CONCURRENTLY IF NOT EXISTS conversion_funnel_user_id_idx ON conversion_funnel (user_id)
    WHERE user_id IS NOT NULL;
