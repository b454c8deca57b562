import { describe, expect, it } from '@jest/globals';
import { compileFields, completeFieldDefinition, validateValues } from '@quire/content-model';
import type { Context } from '@quire/context';
import type { MediaClient } from '../clients/index.js';
import type { CollectionDefinition } from '../schema/index.js';
import { LookupRequired } from './entry-errors.js';
import { MediaResolver } from './media-resolver.js';

const fields = [completeFieldDefinition({ slug: 'photo', label: 'Photo', type: 'image' })];
const definition = { compiled: compileFields(fields, 'posts') } as unknown as CollectionDefinition;
const item = { id: 'M1', mimeType: 'image/png', storageKey: 'k1', filename: 'a.png', width: 1, height: 2 };

/** A resolver, the ids that it has requested, and the image of a submitted value. */
function openResolver() {
  const requestedIds: string[] = [];
  const byIds = (_ctx: Context, ids: readonly string[]) => {
    requestedIds.push(...ids);
    return Promise.resolve(new Map(ids.filter((id) => id === item.id).map((id) => [id, item])));
  };
  const resolver = new MediaResolver({} as Context, { byIds } as unknown as MediaClient);
  const usesOf = (id: string) =>
    validateValues(definition.compiled, { photo: { id, provider: 'local', alt: '' } }, 'update').media;
  const complete = (id: string, options: { isLocked?: boolean } = {}) =>
    resolver.complete(usesOf(id), definition, { stored: {}, ...options });
  return { complete, requestedIds };
}

describe('MediaResolver.complete', () => {
  it('requests an item once for all attempts at a write', async () => {
    const { complete, requestedIds } = openResolver();
    await complete('M1');
    await complete('M1', { isLocked: true });
    expect(requestedIds).toEqual(['M1']);
  });

  it('requests nothing while rows are locked', async () => {
    const { complete, requestedIds } = openResolver();
    const error = await complete('M1', { isLocked: true }).catch((thrown: unknown) => thrown);
    expect([error instanceof LookupRequired, requestedIds]).toEqual([true, []]);
    await (error as LookupRequired).request();
    await complete('M1', { isLocked: true });
    expect(requestedIds).toEqual(['M1']);
  });

  it('rejects an item that the site does not have', async () => {
    await expect(openResolver().complete('M2')).rejects.toThrow('photo');
  });
});
