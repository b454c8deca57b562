#!/bin/sh
# Makes the two logins of Quire on a new PostgreSQL, neither a superuser: quire_owner provisions, quire serves.
set -eu
psql --set ON_ERROR_STOP=1 --no-psqlrc --username "$POSTGRES_USER" --dbname "$POSTGRES_DB" <<'SQL'
\getenv database POSTGRES_DB
\getenv owner_password DATABASE_OWNER_PASSWORD
\getenv password DATABASE_PASSWORD
CREATE ROLE quire_owner LOGIN CREATEROLE PASSWORD :'owner_password';
CREATE ROLE quire LOGIN PASSWORD :'password';
REVOKE ALL ON DATABASE :"database" FROM PUBLIC;
GRANT CONNECT, CREATE ON DATABASE :"database" TO quire_owner;
GRANT CONNECT ON DATABASE :"database" TO quire;
SQL
