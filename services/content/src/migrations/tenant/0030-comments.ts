import type { Migration } from '@quire/database';

/** Comments of all collections share one table: an entry id is unique across collections. */
export const commentsMigration: Migration = {
  name: '0030-comments',
  up: async (sql) => {
    await sql.query(`
      CREATE TABLE comments (
        id text PRIMARY KEY,
        collection text NOT NULL,
        content_id text NOT NULL,
        parent_id text,
        author_name text NOT NULL,
        author_email text NOT NULL,
        author_user_id text,
        body text NOT NULL,
        status text NOT NULL,
        ip_hash text,
        user_agent text,
        moderation_metadata json,
        created_at timestamptz(3) NOT NULL DEFAULT now(),
        updated_at timestamptz(3) NOT NULL DEFAULT now(),
        CONSTRAINT comments_parent_id_fkey FOREIGN KEY (parent_id) REFERENCES comments (id) ON DELETE CASCADE
      )`);
    await sql.query('CREATE INDEX comments_content_id ON comments (content_id, created_at, id)');
    await sql.query('CREATE INDEX comments_status ON comments (status, created_at, id)');
    await sql.query('CREATE INDEX comments_parent_id ON comments (parent_id)');
    await sql.query('CREATE INDEX comments_author_email ON comments (author_email, status)');
    // The salt of address hashes: one value per site, so that hashes of sites cannot be compared.
    await sql.query('CREATE TABLE comment_salt (salt text NOT NULL)');
  },
  seed: (sql) =>
    sql.query('INSERT INTO comment_salt (salt) VALUES (gen_random_uuid()::text || gen_random_uuid()::text)'),
};
