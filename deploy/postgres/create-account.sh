#!/bin/sh
# Creates the program's account and its database. The image of PostgreSQL runs this once, when it sets the server up.
# The account is not a superuser and cannot create roles, so the role that captures row changes is created here
# (docs/operating.md, The database account).
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$SERVICE_PASSWORD" --username="$POSTGRES_USER" --dbname=postgres <<'SQL'
CREATE ROLE service LOGIN PASSWORD :'password';
CREATE ROLE service_capture NOLOGIN;
GRANT service_capture TO service;
CREATE DATABASE service OWNER service;
SQL
