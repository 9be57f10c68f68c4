DROP TABLE user_data_management;
