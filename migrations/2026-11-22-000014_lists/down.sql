DROP TABLE drawing_lists;
DROP TABLE drawing_list_parts;
