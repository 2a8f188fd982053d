-- Once, as a superuser:  psql -f setup.sql
-- One role that owns one database is the least that Pulumi and pg-boss work with: both create tables, and Pulumi needs
-- CREATE on the schema public even where its table exists. No underscore in the database's name, and never rename it:
-- it is a part of every key of the state.
create role fleet login;
-- Asks for it. Neither the process list nor the server's log has it.
\password fleet
create database fleet owner fleet;
revoke all on database fleet from public;
