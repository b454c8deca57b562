import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { eventually } from '@quire/testing';
import { PausedSites } from './paused-sites.js';

const readEveryMs = 20;
const lines: [level: string, text: string, fields: object][] = [];
const logged = (level: string) => (fields: object, text: string) => void lines.push([level, text, fields]);
const logger = { info: logged('info'), warn: logged('warn'), error: logged('error') };
const pause = (queue: string, tenantId: string) => ({ queue, tenantId, pausedAt: '' });

let rows: object[];
let reads: number;
let isUnavailable: boolean;
let sites: PausedSites;
const present = (queue = 'search') => [...sites.of(queue)];
/** Waits for a read that begins after this call. */
async function nextRead(): Promise<void> {
  const before = reads;
  expect(await eventually(async () => reads > before + 1)).toBe(true);
}

beforeEach(() => {
  [rows, reads, isUnavailable] = [[], 0, false];
  lines.length = 0;
  const query = async <Row>() => {
    reads += 1;
    if (isUnavailable) throw new Error('unavailable');
    return rows as Row[];
  };
  sites = new PausedSites({ query }, logger, readEveryMs);
});
afterEach(() => sites.stop());

describe('PausedSites', () => {
  it('knows the paused sites of each queue after its start, by one statement', async () => {
    rows = [pause('search', 'acme'), pause('search', 'globex'), pause('media', 'acme')];
    await sites.start();
    expect([present(), present('media'), present('audit')]).toEqual([['acme', 'globex'], ['acme'], []]);
    expect(reads).toBe(1);
  });

  it('counts suspended sites to those of each queue', async () => {
    rows = [pause('*', 'acme'), pause('search', 'acme'), pause('search', 'globex')];
    await sites.start();
    expect([present().sort(), present('media')]).toEqual([['acme', 'globex'], ['acme']]);
  });

  it('learns of pauses and ends of pauses, and reports each change', async () => {
    await sites.start();
    const reported: string[][] = [];
    sites.onChange(() => reported.push(present()));
    rows = [pause('search', 'acme')];
    await eventually(async () => present().length === 1);
    await nextRead();
    rows = [];
    await eventually(async () => present().length === 0);
    expect(reported).toEqual([['acme'], []]);
    const fields = { queue: 'search', tenant: 'acme' };
    expect(lines).toEqual([
      ['info', 'jobs of a site are paused', fields],
      ['info', 'jobs of a site are resumed', fields],
    ]);
  });

  it('keeps what it knows while the database does not respond, with one line for an outage', async () => {
    rows = [pause('search', 'acme')];
    await sites.start();
    isUnavailable = true;
    await nextRead();
    await nextRead();
    expect(present()).toEqual(['acme']);
    expect(lines.filter(([level]) => level === 'warn')).toHaveLength(1);
    [isUnavailable, rows] = [false, []];
    await nextRead();
    expect(present()).toEqual([]);
  });

  it('starts while the database does not respond', async () => {
    isUnavailable = true;
    await sites.start();
    expect(present()).toEqual([]);
  });

  it('reads no more after its stop', async () => {
    await sites.start();
    await nextRead();
    await sites.stop();
    const before = reads;
    await wait(10 * readEveryMs);
    expect(reads).toBe(before);
  });

  it('has the groups of messages of paused sites', async () => {
    rows = [pause('search', 'acme')];
    await sites.start();
    const jobs = [
      { name: 'index', queue: 'search' },
      { name: 'sync', queue: 'search' },
      { name: 'publish', queue: 'content' },
    ];
    expect(sites.groupsOf(jobs)).toEqual([
      { tenant: 'acme', job: 'index' },
      { tenant: 'acme', job: 'sync' },
    ]);
  });
});
