import 'reflect-metadata';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import { openServiceTenant, type ServiceTenant } from '@quire/testing';
import { authEntities } from '../auth.module.js';
import { authTables } from '../migrations/index.js';
import { ensureUser, usersByEmails } from './users.operations.js';

let auth: ServiceTenant;
beforeAll(async () => {
  auth = await openServiceTenant('spec-of-users-by-emails', 'auth', authTables, authEntities);
});
afterAll(() => auth.close());

it('usersByEmails finds users in any spelling of their address and leaves out all others', async () => {
  const { ctx } = auth;
  const [ada, eva] = await ctx.db.transaction(async (tx) => [
    await ensureUser(tx, { email: 'ada@example.com', role: 50 }),
    await ensureUser(tx, { email: 'eva@bücher.example', role: 30 }),
  ]);
  const emails = [' ADA@Example.com', 'gone@example.com', 'no address', 'Eva@xn--bcher-kva.example', ''];
  expect(await usersByEmails(ctx, emails)).toEqual([
    { id: ada?.id, email: ' ADA@Example.com' },
    { id: eva?.id, email: 'Eva@xn--bcher-kva.example' },
  ]);
});
