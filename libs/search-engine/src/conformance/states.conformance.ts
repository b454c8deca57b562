import { describe, expect, it } from '@jest/globals';
import { eventually } from '@quire/testing';
import type { SearchEngine, SearchSite } from '../port/search-engine.js';
import type { SearchIndex } from '../port/search-index.js';
import { indexOf, newDocument, newIndex, type Sites } from './fixtures.js';

/** The requirements on the states of indexes. */
export function statesConformance(
  given: () => { engine: SearchEngine; sites: Sites; site: SearchSite },
): void {
  describe('the state of the indexes of a collection', () => {
    const stateOf = async ({ collectionId }: Pick<SearchIndex, 'collectionId'>, site = given().site) =>
      (await given().engine.readStates(site.db)).of(site.tenantId, collectionId);
    /** The state after the last change, which the engine may show later. */
    const stateAfter = (before: string, index: SearchIndex, site?: SearchSite) =>
      eventually(
        () => stateOf(index, site),
        (state) => state !== before,
      );

    it('is empty without an index, and differs after each change and after the loss of the index', async () => {
      const { engine, site } = given();
      const indexes = engine.of(site);
      const index = newIndex();
      const next = { ...index, generation: 2 };
      const document = newDocument({ title: 'text' });
      const states = [await stateOf(index)];
      const changes = [
        () => indexes.create(index),
        () => indexes.put(index, [document]),
        () => indexes.create(next),
        () => indexes.remove(index, [{ id: document.id, version: 2 }]),
        () => indexes.drop(index),
      ];
      for (const change of changes) {
        await change();
        states.push(await stateAfter(states.at(-1) ?? '', index));
      }
      expect(states[0]).toBe('');
      expect(new Set(states).size).toBe(states.length);
      await indexes.drop(next);
      expect(await stateAfter(states.at(-1) ?? '', index)).toBe('');
    });

    it('does not depend on other collections and sites', async () => {
      const { engine, sites, site } = given();
      const indexes = engine.of(site);
      const index = newIndex();
      await indexes.create(index);
      const created = await stateAfter('', index);
      await indexes.put(index, [newDocument({ title: 'text' })]);
      const state = await stateAfter(created, index);
      const neighbour = await indexOf(indexes, [{ title: 'text' }]);
      const other = await sites.add();
      const foreign = await indexOf(engine.of(other), [{ title: 'text' }], { ...index, generation: 2 });
      expect(await stateAfter('', neighbour)).not.toBe('');
      expect(await stateAfter('', foreign, other)).not.toBe('');
      expect(await stateOf(index)).toBe(state);
      await engine.of(other).dropAll();
    });
  });
}
