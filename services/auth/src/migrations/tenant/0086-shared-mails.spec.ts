import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { migrateTenant } from '@quire/tenancy';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { authEntities } from '../../auth.module.js';
import { authTables } from '../index.js';
import { sharedMailsMigration } from './0086-shared-mails.js';

let auth: ServiceTenant;
beforeAll(async () => {
  const tenant = authTables.tenant.filter(({ name }) => name !== sharedMailsMigration.name);
  auth = await openServiceTenant('spec-of-shared-mails', 'auth', { ...authTables, tenant }, authEntities);
});
afterAll(() => auth.close());

it('moves pending mails with all their values, and drops the table of the site', async () => {
  const { databases, tenant, ctx } = auth;
  const subject = { title: 'A title', path: '/a' };
  await ctx.db.query(
    `INSERT INTO pending_mails (id, kind, email, origin, subject, is_by_admin, attempts, due_at, created_at)
     VALUES ('1', 'comment', 'ann@site.example', 'http://a.example', $1, true, 2, '2100-01-02', '2100-01-01'),
       ('2', 'invite', 'bob@site.example', 'http://b.example', NULL, false, 0, '2100-01-04', '2100-01-03')`,
    [JSON.stringify(subject)],
  );
  const values = 'id, kind, email, origin, subject, is_by_admin, attempts, due_at, created_at';
  const before = await ctx.db.query(`SELECT ${values} FROM pending_mails ORDER BY id`);
  expect(before).toHaveLength(2);

  expect(await migrateTenant(databases, authTables, tenant)).toEqual([sharedMailsMigration.name]);
  const after = await databases
    .shared()
    .query(`SELECT ${values} FROM pending_mails WHERE tenant_id = $1 ORDER BY id`, [tenant.id]);
  expect(after).toEqual(before);
  await expect(ctx.db.query('SELECT FROM pending_mails')).rejects.toMatchObject({ code: '42P01' });
});
