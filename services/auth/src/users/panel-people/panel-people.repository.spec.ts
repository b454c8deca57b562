import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Queryable } from '@quire/database';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { authEntities } from '../../auth.module.js';
import { authTables } from '../../migrations/index.js';
import { selectPeopleByName } from './panel-people.repository.js';

let auth: ServiceTenant;
beforeAll(async () => {
  auth = await openServiceTenant('spec-of-panel-people', 'auth', authTables, authEntities);
  await auth.ctx.db.query(
    `INSERT INTO users (id, email, name, role)
     SELECT i::text, i || '@site.example', 'Name ' || i, CASE i % 2 WHEN 0 THEN 10 ELSE 20 END
     FROM generate_series(1, 3000) AS i`,
  );
  await auth.ctx.db.query('ANALYZE users');
});
afterAll(() => auth.close());

it('reads the first users by name from an index, in its order', async () => {
  let plan: unknown;
  const explaining: Pick<Queryable, 'query'> = {
    query: async (text: string, values?: readonly unknown[]) => {
      plan = await auth.ctx.db.query(`EXPLAIN ${text}`, values);
      return [];
    },
  };
  await selectPeopleByName(explaining as Queryable, { limit: 20 });
  expect(JSON.stringify(plan)).toContain('Index Scan using users_panel_people');
  expect(JSON.stringify(plan)).not.toContain('Sort');
});
