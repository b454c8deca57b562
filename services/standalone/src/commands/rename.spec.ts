import 'reflect-metadata';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { TenantDetails } from '@quire/tenancy';
import { eventually, eventuallyPasses } from '@quire/testing';
import { apiTargets, workerTargets } from '@quire/topology';
import { request } from 'undici';
import { openInstallation, type TestInstallation } from '../installation.fixture.js';
import type { RunningProcess } from '../process.js';
import type { TenantUse } from '../tenants/read-tenant.js';

let test: TestInstallation;
let running: RunningProcess;
let token: string;
/** Time for workers of a busy machine. */
const waitMs = 60_000;
beforeAll(async () => {
  test = await openInstallation('rename');
  running = await test.start([...apiTargets, ...workerTargets]);
  for (const id of ['acme', 'umbrella']) await test.run('tenant create', { host: [`${id}.example`] }, [id]);
  token = await test.adminService.createToken({ tenant: 'acme', role: 'admin', scopes: [] });
  await send('POST', '/schema/collections', { slug: 'posts', label: 'Posts' });
  const field = { slug: 'title', label: 'Title', type: 'string', searchable: true };
  await send('POST', '/schema/collections/posts/fields', field);
  await send('POST', '/search/enable', { collection: 'posts', enabled: true });
});
afterAll(async () => {
  await running.stop();
  await test.close();
});

async function sendOnce(method: 'GET' | 'POST', path: string, body?: object) {
  const response = await request(`http://127.0.0.1:${running.port}/_cms/api${path}`, {
    method,
    headers: { host: 'acme.example', 'content-type': 'application/json', authorization: `Bearer ${token}` },
    ...(body && { body: JSON.stringify(body) }),
  });
  const { data } = (await response.body.json()) as {
    data: { item: { id: string; status: string }; items: object[] };
  };
  return { status: response.statusCode, data };
}
/** A busy machine may shed load. */
const send = (...sent: Parameters<typeof sendOnce>) =>
  eventually(
    () => sendOnce(...sent),
    ({ status }) => status !== 503,
  );
const create = (title: string, sendIt = send) => sendIt('POST', '/content/posts', { data: { title } });
const rename = (id: string, to: string) => test.run('tenant rename', {}, [id, to]);
const show = async (id: string) =>
  JSON.parse(await test.run('tenant show', { json: true }, [id])) as TenantDetails & TenantUse;

describe('cms tenant rename', () => {
  it('lets requests go on, and loses no job that waits with the former id', async () => {
    await test.run('queue pause', { tenant: 'acme' }, ['search']);
    const scheduled = (await create('scheduled')).data.item.id;
    const inAnHour = new Date(Date.now() + 3_600_000).toISOString();
    const schedule = await send('POST', `/content/posts/${scheduled}/schedule`, { scheduledAt: inAnHour });
    expect(schedule.status).toBe(200);
    // Until every worker knows of the pause, it may still run a job of the site.
    let number = 0;
    const waiting = async () => {
      const { id } = (await create(`waiting ${(number += 1)}`)).data.item;
      await send('POST', `/content/posts/${id}/publish`, {});
      return (await show('acme')).jobs;
    };
    await eventually(waiting, (jobs) => (jobs?.outbox ?? 0) > 0);
    const { entries } = await show('acme');

    let isRenaming = true;
    const statuses: number[] = [];
    const read = async () => {
      while (isRenaming) statuses.push((await sendOnce('GET', '/content/posts')).status);
    };
    const write = async () => {
      while (isRenaming) statuses.push((await create('during', sendOnce)).status);
    };
    const clients = [read(), write()];
    expect(await rename('acme', 'globex')).toBe('The tenant acme is now globex');
    const before = statuses.length;
    const haveGoneOn = () => statuses.slice(before).filter((status) => status === 201).length > 2;
    await eventually(() => Promise.resolve(haveGoneOn()));
    isRenaming = false;
    await Promise.all(clients);
    const created = statuses.filter((status) => status === 201).length;
    expect(created).toBeGreaterThan(0);
    expect(statuses.filter((status) => ![200, 201, 503].includes(status))).toEqual([]);
    const shown = await show('globex');
    expect(shown).toMatchObject({ id: 'globex', storageId: 'acme', hosts: ['acme.example'] });
    expect(shown.entries).toBe((entries ?? 0) + created);
    expect(shown.jobs?.outbox).toBeGreaterThan(0);

    await test.run('queue resume', { tenant: 'globex' }, ['search']);
    const hits = async () => (await send('GET', `/search?q=waiting&limit=${number}`)).data.items.length;
    await eventuallyPasses(hits, (count) => expect(count).toBe(number), waitMs);
    const databases = await test.installation.databases('content', []);
    const due = new Date(Date.now() - 1_000).toISOString();
    await databases
      .tenant({ id: 'acme', database: null })
      .query('UPDATE content_posts SET scheduled_at = $1 WHERE id = $2', [due, scheduled]);
    await databases.shared().query('UPDATE schedules SET scheduled_at = $1, due_at = $1', [due]);
    const published = async () => (await send('GET', `/content/posts/${scheduled}`)).data.item.status;
    await eventuallyPasses(published, (status) => expect(status).toBe('published'), waitMs);
  });

  it('is repeatable, and lets commands name the site by each of its ids', async () => {
    for (const id of ['acme', 'globex'])
      expect(await rename(id, 'globex')).toBe('The tenant globex has this id already');
    expect(await test.run('tenant list')).toBe('default\nglobex\numbrella');
    expect(await test.run('tenant show', {}, ['acme'])).toMatch(/^Site +globex\nStorage id +acme\n/);
    for (const [index, id] of ['acme', 'globex'].entries()) {
      await test.run('tenant suspend', { reason: 'unpaid' }, [id]);
      expect((await show('globex')).state).toBe('suspended');
      await test.run('tenant resume', {}, [id]);
      await test.run('tenant limit', {}, [id, `entries=${100 + index}`]);
      expect((await show('globex')).limits).toEqual({ entries: 100 + index });
      await test.run('tenant add-host', { host: [`${id}.test`] }, [id]);
      await test.run('tenant remove-host', { host: `${id}.test` }, [id]);
      expect(await test.run('tenant hosts', {}, [id])).toBe('acme.example');
      expect(await test.run('tenant delete', { yes: true }, [id])).toContain(`Deleted the tenant ${id}`);
      await test.run('tenant restore', {}, [id]);
      expect((await show('globex')).state).toBe('active');
      expect(await test.run('token create', { role: 'admin', tenant: id })).toMatch(/^\S+$/);
      expect(JSON.parse(await test.run('backlog', { tenant: id, work: 'schedules', json: true }))).toEqual([
        expect.objectContaining({ work: 'schedules' }),
      ]);
      expect(await test.run('queue failed', { tenant: id }, ['search'])).toBe('No failed job in search');
      expect(await test.run('tenant move', { database: 'default' }, [id])).toContain('is in default');
      expect(await test.run('migrate', { tenant: id })).toContain('1 tenant(s)');
    }
  });

  it('refuses ids that are taken, and records the change in the log of operators', async () => {
    await expect(rename('umbrella', 'acme')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(rename('umbrella', 'globex')).rejects.toMatchObject({ code: 'CONFLICT' });
    await expect(rename('umbrella', 'Umbrella')).rejects.toMatchObject({ code: 'VALIDATION_ERROR' });
    await expect(rename('unknown', 'other')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    const create = (id: string) => test.run('tenant create', { host: ['new.example'] }, [id]);
    await expect(create('globex')).rejects.toThrow('Not created: the tenant globex exists');
    await expect(create('acme')).rejects.toThrow('the tenant globex had the id acme before its rename');
    const log = JSON.parse(await test.run('operator log --json')) as { action: string }[];
    expect(log.filter(({ action }) => action === 'tenant rename')).toEqual([
      expect.objectContaining({ target: 'acme', detail: { to: 'globex' }, count: 1 }),
    ]);
  });

  it('is in backups: the site is restored under its new id, here and after its purge', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'quire-rename-'));
    const file = join(folder, 'globex.tar.gz');
    await test.run('backup create', { tenant: 'globex', to: folder });
    const restore = (values: Record<string, string | boolean | string[]> = {}) =>
      test.run('restore', values, [file]);
    await expect(restore()).rejects.toThrow('The tenant globex exists');
    await expect(restore({ tenant: 'umbrella', yes: true })).rejects.toThrow('of the tenant globex, not of');
    expect(await restore({ tenant: 'globex', yes: true })).toContain('Restored the tenant globex as of');
    const before = await show('globex');
    expect(before).toMatchObject({ id: 'globex', storageId: 'acme' });

    await test.run('tenant delete', { now: true, yes: true }, ['globex']);
    await expect(show('acme')).rejects.toMatchObject({ code: 'NOT_FOUND' });
    expect(await restore()).toContain('Restored the tenant globex as of');
    expect(await show('globex')).toMatchObject({
      storageId: 'globex',
      hosts: ['acme.example'],
      entries: before.entries,
    });
    await eventually(async () => (await send('GET', '/content/posts')).status === 200);
    await rm(folder, { recursive: true });
  });
});
