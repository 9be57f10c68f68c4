-- Makes the role of the server, which owns nothing, and gives it its password. `tombola migrate` grants its rights.
\getenv password SERVER_DATABASE_PASSWORD
SELECT 'CREATE ROLE tombola_server LOGIN' WHERE to_regrole('tombola_server') IS NULL
\gexec
ALTER ROLE tombola_server PASSWORD :'password';
