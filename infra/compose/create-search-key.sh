#!/bin/sh
# Creates the Meilisearch key that Quire uses. Its text follows from the master key and the id in search-key.json:
#   printf %s 6c1f9a52-3d0b-4b7e-9a54-8f2e0d7b6c11 | openssl dgst -sha256 -hmac "$MEILI_MASTER_KEY"
set -eu
response=$(mktemp)
trap 'rm -f "$response"' EXIT
status=$(curl -sS -o "$response" -w '%{http_code}' "$MEILI_URL/keys" -X POST \
  -H "Authorization: Bearer $MEILI_MASTER_KEY" -H 'Content-Type: application/json' --data-binary @/etc/quire/search-key.json)
# 409: the key exists.
case $status in
  201 | 409) ;;
  *) cat "$response" >&2; exit 1 ;;
esac
