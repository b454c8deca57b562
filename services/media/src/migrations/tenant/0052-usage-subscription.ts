import type { Migration } from '@quire/database';

export const usageSubscriptionMigration: Migration = {
  name: '0052-usage-subscription',
  up: async (sql) => {
    await sql.query('ALTER TABLE media_usage_coverage RENAME COLUMN is_followed TO is_subscribed');
  },
};
