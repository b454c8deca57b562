import type { Migration } from '@quire/database';

/** The addresses by which bodies of a source name its files. */
export const mediaAddressesMigration: Migration = {
  name: '0011-media-addresses',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE media_addresses (
        address_key text CONSTRAINT media_addresses_pkey PRIMARY KEY,
        address text NOT NULL,
        url_hash text NOT NULL,
        file_key text NOT NULL,
        is_alias boolean NOT NULL
      )`);
    await sql.query(`CREATE INDEX media_addresses_url_hash ON media_addresses (url_hash)`);
    await sql.query(`CREATE INDEX media_addresses_file_key ON media_addresses (file_key)`);
  },
};
