import type { Migration } from '@quire/database';

/** Adds an index for the last audited use of a token by an address, which is looked up before another is audited. */
export const tokenUsesMigration: Migration = {
  name: '0085-token-uses',
  up: async (sql) => {
    await sql.query(
      `CREATE INDEX audit_log_token_uses ON audit_log (target_id, client_address, created_at)
       WHERE action = 'token.used'`,
    );
  },
};
