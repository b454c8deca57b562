import 'reflect-metadata';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { createTcpProxy, eventually, type TcpProxy } from '@quire/testing';
import { AppContainer } from '../../app-container.js';
import { AdminService } from '../../admin-service.js';
import { databasesOf } from '../../services.js';
import { openMoveInstallation, otherKey, setOtherUrl, type MoveInstallation } from '../../move.fixture.js';
import type { MoveOptions, MoveStep } from './move-tenant.js';

let test: MoveInstallation;
beforeAll(async () => {
  test = await openMoveInstallation('move_interrupted');
  await test.run('tenant create', { host: ['acme.example'] }, ['acme']);
  await (await siteAt(null)).query('CREATE TABLE notes (text text)');
});
afterAll(() => test.close());

async function siteAt(database: string | null) {
  return (await databasesOf(test.installation, 'content')).tenant({ id: 'acme', database });
}
const optionsTo = (to: string | null): MoveOptions => ({
  id: 'acme',
  to,
  maxPauseSeconds: 60,
  keepsCopy: false,
  settleMs: 0,
  actor: 'spec',
});
const move = (to: string | null, changes: Partial<MoveOptions> = {}) =>
  test.adminService.tenants.move({ ...optionsTo(to), ...changes });

/** Begins a move in a process of its own, and ends this process at a step: its connections break. */
async function killAt(last: MoveStep, changes: Partial<MoveOptions> = {}): Promise<void> {
  const proxies: TcpProxy[] = [];
  const through = async (url = '') => {
    const proxy = await createTcpProxy(url);
    proxies.push(proxy);
    return proxy.url;
  };
  setOtherUrl(await through(test.otherUrl));
  const environment = { ...test.environment, DATABASE_URL: await through(test.environment.DATABASE_URL) };
  const container = new AppContainer(environment, { defaultLocale: 'en' }, ['killed']);
  const { tenants } = new AdminService(container);
  let end: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => (end = resolve));
  let moving: Promise<unknown> = Promise.resolve();
  await new Promise<void>((resolve, reject) => {
    const onStep = async (step: MoveStep) => {
      if (step !== last) return;
      resolve();
      await ended;
      throw new Error('killed');
    };
    moving = tenants.move({ ...optionsTo(otherKey), ...changes, onStep });
    moving.catch(reject);
  });
  setOtherUrl(test.otherUrl);
  for (const proxy of proxies) await proxy.disconnect();
  // Nothing that it still does reaches a database.
  end();
  await expect(moving).rejects.toThrow('killed');
  await container.lifecycle.stop();
}

/** The databases with tables of the site. */
async function copies(): Promise<(string | null)[]> {
  const found: (string | null)[] = [];
  for (const key of [null, otherKey]) {
    const tables = await test.on(key, "SELECT 1 FROM pg_tables WHERE schemaname = 'site_acme'");
    if (tables.length > 0) found.push(key);
  }
  return found;
}
const registered = async () =>
  (
    await test.on<{ database: string | null }>(
      null,
      "SELECT database FROM cms_registry.tenants WHERE id = 'acme'",
    )
  )[0]?.database;
const write = async (key: string | null, text: string) =>
  (await siteAt(key)).query('INSERT INTO notes VALUES ($1)', [text]);
const notes = async (key: string | null) =>
  (await (await siteAt(key)).query<{ text: string }>('SELECT text FROM notes')).map(({ text }) => text);
const rejected = { code: 'SERVICE_UNAVAILABLE' };

describe('an interrupted cms tenant move (operations G8)', () => {
  const written: string[] = [];

  it.each<[MoveStep, { isWritable: boolean; isMoved: boolean }]>([
    ['prepared', { isWritable: true, isMoved: false }],
    ['guarded', { isWritable: false, isMoved: false }],
    ['copied', { isWritable: false, isMoved: false }],
    ['sealed', { isWritable: false, isMoved: false }],
    ['rows-moved', { isWritable: false, isMoved: false }],
    ['switched', { isWritable: true, isMoved: true }],
  ])(
    'at the step "%s" leaves one copy that is served, and is completed by another run',
    async (step, state) => {
      await write(null, `before ${step}`);
      written.push(`before ${step}`);
      await test.on(
        null,
        "INSERT INTO cms_content.deletion_work (tenant_id, due_at) VALUES ('acme', now()) ON CONFLICT DO NOTHING",
      );
      await killAt(step);
      const served = state.isMoved ? otherKey : null;
      expect(await registered()).toBe(served);
      expect(await notes(served)).toEqual(written);
      if (state.isWritable) {
        await write(served, `after ${step}`);
        written.push(`after ${step}`);
      } else await expect(write(served, 'lost')).rejects.toMatchObject(rejected);
      if (state.isMoved) await expect(write(null, 'lost')).rejects.toMatchObject(rejected);

      const receipt = await move(otherKey);
      expect(receipt === undefined).toBe(state.isMoved);
      expect([await registered(), await copies()]).toEqual([otherKey, [otherKey]]);
      await write(otherKey, `moved ${step}`);
      written.push(`moved ${step}`);
      expect(await notes(otherKey)).toEqual(written);
      const work = "SELECT 1 FROM cms_content.deletion_work WHERE tenant_id = 'acme'";
      expect([(await test.on(null, work)).length, (await test.on(otherKey, work)).length]).toEqual([0, 1]);

      await move(null);
      expect([await registered(), await copies()]).toEqual([null, [null]]);
      expect(await notes(null)).toEqual(written);
    },
  );

  it('ends the rejection of writes by itself', async () => {
    await killAt('guarded', { maxPauseSeconds: 2 });
    await eventually(() =>
      write(null, 'free').then(
        () => true,
        () => false,
      ),
    );
    written.push('free');
    expect(await notes(null)).toEqual(written);
  });

  it('is undone by a move to the database of the site', async () => {
    await killAt('sealed');
    await expect(write(null, 'lost')).rejects.toMatchObject(rejected);
    expect(await move(null)).toBeUndefined();
    await write(null, 'undone');
    written.push('undone');
    expect([await notes(null), await copies()]).toEqual([written, [null]]);
  });
});
