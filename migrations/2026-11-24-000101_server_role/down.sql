DROP FUNCTION erase_winner_number, erase_claim_notes, erase_audit_notes, make_views_month, drop_views_month;
ALTER FUNCTION set_drawing_status() SECURITY INVOKER RESET search_path;
ALTER FUNCTION set_drawing_drawn() SECURITY INVOKER RESET search_path;
DROP TABLE drawing_turns;
