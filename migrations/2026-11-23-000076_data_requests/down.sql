DROP TABLE data_export_requests;
