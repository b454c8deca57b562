import 'reflect-metadata';
import { describe, expect, it } from '@jest/globals';
import { tokenizers } from '@quire/search-engine';
import { recordDefinitions } from '@quire/site-package';
import { enableBody } from '../../settings/index.js';

const { schema } = recordDefinitions.search_collections;

describe('search settings that packages may have', () => {
  it.each([
    ...tokenizers.map((tokenizer) => [tokenizer, {}] as const),
    ['letters', {}],
    ['trigram', { title: 100, text: 0.5 }],
    ['trigram', { title: 0 }],
    ['trigram', { title: -1 }],
    ['trigram', { title: 100.5 }],
  ])('are those that a site may have: %s with %j', (tokenizer, weights) => {
    const ofPackage = schema.safeParse({ collectionId: 'c', enabled: true, tokenizer, weights });
    const ofSite = enableBody.safeParse({ collection: 'c', enabled: true, tokenize: tokenizer, weights });
    expect(ofPackage.success).toBe(ofSite.success);
  });
});
