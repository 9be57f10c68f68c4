DROP TABLE flag_appeals;
