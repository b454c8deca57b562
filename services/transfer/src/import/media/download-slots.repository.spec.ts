import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import {
  claimSlots,
  completeDownloads,
  extendSlot,
  releaseDownloads,
  selectOpenSlots,
} from './download-slots.repository.js';
import { cancelHost, maxSlots, throttleHost } from './download-tasks.repository.js';
import { openMediaImports, type MediaImports } from './media-import.fixture.js';

jest.setTimeout(30_000);

let imports: MediaImports;
let number = 0;

beforeEach(async () => {
  imports = await openMediaImports(`spec-slots-${number++}`);
});

afterEach(() => imports.close());

const begin = (host: string, count: number) =>
  imports.begin(Array.from({ length: count }, (_, index) => ({ url: `http://${host}.example/${index}` })));
const claim = (limit: number) => claimSlots(imports.ctx.db, limit);
const open = async (slots: Awaited<ReturnType<typeof claim>>) => {
  const tokens = await selectOpenSlots(imports.ctx.db, imports.tenant.tenant.id, slots);
  return slots.filter(({ token }) => tokens.has(token)).length;
};

describe('claimSlots', () => {
  it('leases every slot of a host once, with equal numbers of downloads', async () => {
    await begin('a', 40);
    const slots = await claim(100);
    expect(slots.map(({ downloads }) => downloads.length)).toEqual(Array(maxSlots).fill(5));
    const numbers = slots.flatMap(({ downloads }) => downloads.map((download) => download.number));
    expect(new Set(numbers).size).toBe(40);
    expect(await claim(100)).toEqual([]);
  });

  it('leases no more slots than requested, of the host first that had to wait longest', async () => {
    await begin('a', 100);
    await begin('b', 100);
    const hosts = async (limit: number) => (await claim(limit)).map(({ host }) => host).sort();
    expect(await hosts(2)).toEqual(Array(2).fill('a.example'));
    expect(await hosts(3)).toEqual(Array(3).fill('b.example'));
    expect(await hosts(1)).toEqual(['a.example']);
    expect(await hosts(maxSlots - 2)).toEqual([
      'a.example',
      ...Array<string>(maxSlots - 3).fill('b.example'),
    ]);
  });

  it('leases a few of many downloads at a time', async () => {
    await begin('a', 100);
    expect((await claim(2)).map(({ downloads }) => downloads.length)).toEqual([16, 16]);
  });
});

describe('selectOpenSlots', () => {
  it('returns no slot of a host that asked for a pause, and those of other hosts', async () => {
    await begin('a', 16);
    await begin('b', 1);
    const slots = await claim(100);
    expect(await open(slots)).toBe(maxSlots + 1);
    await throttleHost(imports.ctx.db, { tenantId: imports.tenant.tenant.id, host: 'a.example' }, 60);
    expect(await open(slots)).toBe(1);
  });

  it('returns none while more slots are used than the host has', async () => {
    await begin('a', 16);
    const slots = await claim(100);
    await throttleHost(imports.ctx.db, { tenantId: imports.tenant.tenant.id, host: 'a.example' });
    expect(await open(slots)).toBe(0);
    for (const { downloads } of slots) await releaseDownloads(imports.ctx.db, downloads);
    const fewer = await claim(100);
    expect([fewer.length, await open(fewer)]).toEqual([maxSlots / 2, maxSlots / 2]);
  });

  it('returns no slot whose downloads were cancelled', async () => {
    await begin('a', 4);
    const slots = await claim(100);
    await cancelHost(imports.ctx.db, { tenantId: imports.tenant.tenant.id, host: 'a.example' });
    expect(await open(slots)).toBe(0);
  });
});

describe('a leased slot', () => {
  it('is extended until all of its downloads have ended', async () => {
    await begin('a', 1);
    const [slot] = await claim(1);
    if (!slot) throw new Error('Nothing is due');
    expect(await extendSlot(imports.ctx.db, slot)).toBe(true);
    expect(await completeDownloads(imports.ctx.db, slot.downloads)).toEqual(slot.downloads);
    expect(await extendSlot(imports.ctx.db, slot)).toBe(false);
    expect(await completeDownloads(imports.ctx.db, slot.downloads)).toEqual([]);
  });

  it('returns downloads that it did not begin: they count as no attempt', async () => {
    await begin('a', 3);
    const [slot] = await claim(1);
    const [first, ...others] = slot?.downloads ?? [];
    await releaseDownloads(imports.ctx.db, others);
    const again = (await claim(100)).flatMap(({ downloads }) => downloads);
    expect(again.map(({ attempts }) => attempts)).toEqual([1, 1]);
    expect(again.map((download) => download.number).sort()).toEqual(others.map((each) => each.number));
    expect(again).not.toContainEqual(expect.objectContaining({ number: first?.number }));
  });
});
