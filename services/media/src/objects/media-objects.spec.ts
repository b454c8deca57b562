import { describe, expect, it } from '@jest/globals';
import type { Context } from '@quire/context';
import type { ObjectStore } from '@quire/object-store';
import { createLogger } from '@quire/observability';
import { MediaObjects } from './media-objects.js';

/** Contexts of sites whose statements the test records: the scheduled keys of each. A statement can be made to fail. */
function openSites() {
  const statements: string[][] = [];
  const failures: Error[] = [];
  const objects = new MediaObjects({} as ObjectStore, createLogger({ level: 'silent', targets: ['spec'] }));
  const db = {
    query: async ({ values: [rows] }: { values: [string] }) => {
      statements.push((JSON.parse(rows) as { object_key: string }[]).map((row) => row.object_key));
      await new Promise((done) => setImmediate(done));
      const failure = failures.shift();
      if (failure) throw failure;
      return [];
    },
  };
  const site = (id: string) => ({ principal: { tenant: { id } }, db }) as unknown as Context;
  return { statements, failures, objects, site };
}

describe('MediaObjects.reserve', () => {
  it('returns after the statement with its key; concurrent reservations of a site share the next one', async () => {
    const { statements, objects, site } = openSites();
    const reserve = () => objects.reserve(site('a'), { afterSeconds: 60 });
    const keys = await Promise.all([reserve(), reserve(), reserve()]);
    const later = await reserve();
    expect(statements).toEqual([keys, [later]]);
    expect(new Set([...keys, later]).size).toBe(4);
  });

  it('shares no statement with other sites and other delays', async () => {
    const { statements, objects, site } = openSites();
    await Promise.all([
      objects.reserve(site('a'), { afterSeconds: 60 }),
      objects.reserve(site('b'), { afterSeconds: 60 }),
      objects.reserve(site('a'), { afterSeconds: 90 }),
    ]);
    expect(statements).toHaveLength(3);
  });

  it('rejects the reservations of a failed statement only', async () => {
    const { failures, objects, site } = openSites();
    failures.push(new Error('down'));
    const failing = objects.reserve(site('a'), { afterSeconds: 60 });
    await expect(failing).rejects.toThrow('down');
    expect(await objects.reserve(site('a'), { afterSeconds: 60 })).toMatch(/^a\//);
  });
});
