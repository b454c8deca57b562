import 'reflect-metadata';
import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, it } from '@jest/globals';
import { QuireError } from '@quire/errors';
import { ObjectStoreFull } from '@quire/object-store';
import { eventually } from '@quire/testing';
import { claimSlots, completeDownloads } from './download-slots.repository.js';
import { maxSlots } from './download-tasks.repository.js';
import { failures, resultOf, statuses, useMediaImports } from './media-import.fixture.js';

const { imports, site, attachments } = useMediaImports('spec-workers');

describe('workers', () => {
  it('make each download once, and never more of a host at a time than its limit', async () => {
    site.answer = async (path, response) => {
      await wait(20);
      response.end(path);
    };
    for (let worker = 0; worker < 4; worker++) imports.startWorker();
    const paths = Array.from({ length: 60 }, (_, index) => `/${index}`);
    const lines = await imports.run(attachments(...paths));
    expect(resultOf(lines).imported).toHaveLength(60);
    expect([...site.requests.values()].every((count) => count === 1)).toBe(true);
    expect(site.mostRunning).toBeLessThanOrEqual(maxSlots);
    expect(site.mostRunning).toBeGreaterThan(1);
  });

  it('continue the download of a worker that died, and find the item that it had created', async () => {
    let died = (): void => undefined;
    let revive = (): void => undefined;
    const dead = new Promise<void>((resolve) => (died = resolve));
    const revived = new Promise<void>((resolve) => (revive = resolve));
    const id = await imports.begin(attachments('/a'));
    imports.startWorker({}, { concurrency: 1 });
    // The worker creates the item, and does nothing any more until its lease is lost.
    const call = imports.media.call.bind(imports.media);
    imports.media.call = async (operation, ctx, input) => {
      const output = await call(operation, ctx, input);
      if (operation.id !== 'createItemsOfObjects') return output;
      imports.media.call = call;
      died();
      await revived;
      return output;
    };
    await dead;
    await expireLeases();
    imports.startWorker();
    const lines = await imports.follow(id);
    revive();
    expect(statuses(lines, 1)).toEqual(['downloading', 'uploading', 'done']);
    expect(imports.media.items.size).toBe(1);
    expect(await imports.countObjects()).toBe(1);
    expect(site.requests.get('/a')).toBe(2);
  });

  it('pause while a site import writes to the site, and go on after it', async () => {
    imports.isFenced = true;
    const id = await imports.begin(attachments('/a'));
    imports.startWorker();
    const paused = () =>
      imports.ctx.db.query(
        `SELECT attempts FROM cms_transfer.media_download_tasks
         WHERE import_id = $1 AND state = 'pending' AND due_at > now()`,
        [id],
      );
    await eventually(paused, ({ length }) => length > 0);
    // The lease that was returned does not count.
    expect(await paused()).toEqual([{ attempts: 0 }]);
    expect(site.requests.size).toBe(0);
    imports.isFenced = false;
    await imports.ctx.db.query(
      'UPDATE cms_transfer.media_download_tasks SET due_at = now() WHERE import_id = $1',
      [id],
    );
    expect(resultOf(await imports.follow(id)).imported).toHaveLength(1);
  });

  it('write nothing after they lost their lease', async () => {
    const id = await imports.begin(attachments('/a'));
    const [slot] = await claimSlots(imports.ctx.db, 1);
    if (!slot) throw new Error('Nothing is due');
    await expireLeases();
    const [again] = await claimSlots(imports.ctx.db, 1);
    expect(again?.downloads).toMatchObject([{ number: 1, attempts: 2 }]);
    expect(await completeDownloads(imports.ctx.db, slot.downloads)).toEqual([]);
    await expireLeases();
    imports.startWorker();
    expect(resultOf(await imports.follow(id)).imported).toHaveLength(1);
  });

  it('stop without a trace, and others go on', async () => {
    site.answer = async (path, response, attempt) => {
      if (attempt > 1) return void response.end(path);
      response.write('beginning');
      await stopped;
    };
    let release = (): void => undefined;
    const stopped = new Promise<void>((resolve) => (release = resolve));
    const id = await imports.begin(attachments('/a'));
    const worker = imports.startWorker();
    while (site.running === 0) await wait(10);
    await worker.stop();
    expect(await imports.countObjects()).toBe(0);
    release();
    imports.startWorker();
    expect(resultOf(await imports.follow(id)).imported).toHaveLength(1);
  });

  it('give up a host that has not responded for a minute, and no other', async () => {
    const dead = Array.from({ length: 40 }, (_, index) => ({ url: `http://dead.example/${index}` }));
    const id = await imports.begin([...dead, { url: 'http://dead.example/0#same' }, ...attachments('/a')]);
    await imports.ctx.db.query(
      `UPDATE cms_transfer.media_download_hosts SET failures = 9, failing_since = now() - interval '2 minutes'
       WHERE tenant_id = $1 AND host = 'dead.example'`,
      [imports.tenant.tenant.id],
    );
    let requests = 0;
    const fetch: typeof imports.deps.fetch = (url, request) => {
      if (!String(url).includes('dead.example')) return imports.deps.fetch(url, request);
      requests++;
      return Promise.reject(new TypeError('fetch failed'));
    };
    imports.startWorker({ fetch });
    const lines = await imports.follow(id);
    expect(resultOf(lines).imported).toHaveLength(1);
    expect(failures(lines)).toEqual(Array(41).fill('The file could not be downloaded'));
    expect(requests).toBeLessThanOrEqual(maxSlots);
  });

  it('wait for outages of the media service', async () => {
    let outages = 2;
    imports.media.beforeCreate = () => {
      if (outages-- > 0) throw new Error('ECONNRESET');
    };
    imports.startWorker();
    expect(resultOf(await imports.run(attachments('/a'))).imported).toHaveLength(1);
    expect(await imports.countObjects()).toBeGreaterThanOrEqual(1);
  });

  it('end the import when the storage is full, and keep what is stored', async () => {
    let puts = 0;
    const put: typeof imports.store.put = (...parameters) =>
      ++puts > 2
        ? Promise.reject(new ObjectStoreFull(new Error('ENOSPC')))
        : imports.store.put(...parameters);
    const full = new Proxy(imports.store, {
      get: (store, name) => (name === 'put' ? put : (Reflect.get(store, name) as unknown)),
    });
    const worker = imports.startWorker({ store: full }, { concurrency: 1 });
    const list = attachments('/a', '/b', '/c', '/d');
    await expect(imports.run(list)).rejects.toMatchObject({
      code: 'STORAGE_QUOTA_EXCEEDED',
      status: 507,
      details: { usedBytes: 1234, limitBytes: null },
    });
    expect(await imports.countObjects()).toBe(2);
    await worker.stop();
    imports.startWorker();
    const lines = await imports.run(list);
    expect(resultOf(lines).imported).toHaveLength(4);
    expect([1, 2, 3, 4].map((current) => statuses(lines, current).at(-1))).toEqual([
      'skipped',
      'skipped',
      'done',
      'done',
    ]);
  });

  it('end the import when the site has its maximum of bytes, and keep what is stored', async () => {
    let created = 0;
    imports.media.beforeCreate = () => {
      created += 1;
      if (created > 2) throw new QuireError('STORAGE_QUOTA_EXCEEDED', 'The site has its maximum');
    };
    imports.startWorker({}, { concurrency: 1 });
    await expect(imports.run(attachments('/a', '/b', '/c', '/d'))).rejects.toMatchObject({
      code: 'STORAGE_QUOTA_EXCEEDED',
      details: { usedBytes: 1234 },
    });
    expect(imports.media.items.size).toBe(2);
  });

  it('leave no tasks and no hosts behind', async () => {
    const worker = imports.startWorker();
    await imports.run(attachments('/a', '/b'));
    await worker.stop();
    imports.startWorker();
    const rows = () =>
      imports.ctx.db.query<{ count: number }>(
        `SELECT (SELECT count(*) FROM cms_transfer.media_download_tasks WHERE tenant_id = $1)
           + (SELECT count(*) FROM cms_transfer.media_download_hosts WHERE tenant_id = $1) AS count`,
        [imports.tenant.tenant.id],
      );
    while ((await rows())[0]?.count !== 0) await wait(20);
    expect((await rows())[0]?.count).toBe(0);
  });
});

/** As if the workers had been dead for a minute. */
async function expireLeases(): Promise<void> {
  await imports.ctx.db.query(
    `UPDATE cms_transfer.media_download_tasks SET due_at = now(), lease_expires_at = now()
     WHERE tenant_id = $1 AND lease_token IS NOT NULL`,
    [imports.tenant.tenant.id],
  );
}
