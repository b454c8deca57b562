import type { Migration } from '@quire/database';

const withoutLastPlaceholders = `regexp_replace(source_key, '(/\\[(\\.\\.\\.)?\\])+$', '')`;

/** Indexes by which rules are looked up: `redirects_pattern` replaces the one that has the prefix only. */
export const redirectLookupsMigration: Migration = {
  name: '0066-redirect-lookups',
  up: async (sql) => {
    // The last text behind a pattern's first placeholder, after its position.
    await sql.query(`
      CREATE INDEX redirects_pattern ON redirects (prefix, (
        CASE WHEN strpos(${withoutLastPlaceholders}, '/[]') = 0 THEN ''
        ELSE (length(${withoutLastPlaceholders}) - length(replace(${withoutLastPlaceholders}, '/', '')))::text || '/'
          || substring(${withoutLastPlaceholders} from '[^/]*$') END
      ))`);
    await sql.query('DROP INDEX redirects_prefix');
    await sql.query('CREATE INDEX redirects_source_start ON redirects (source_key COLLATE "C")');
    await sql.query(
      'CREATE INDEX redirects_pattern_start ON redirects (source_key COLLATE "C") WHERE prefix IS NOT NULL',
    );
    // A destination may be longer than a row of other indexes.
    await sql.query(
      'CREATE INDEX redirects_auto_destination ON redirects USING hash (destination) WHERE auto',
    );
  },
};
