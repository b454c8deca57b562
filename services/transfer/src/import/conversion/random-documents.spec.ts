import { describe, expect, it } from '@jest/globals';
import { jsonFault } from '@quire/content-model';
import { convertContent } from './convert-content.js';
import { emptyContext } from './testing/expected-blocks.fixture.js';
import { RandomDocumentGenerator } from './testing/random-documents.fixture.js';
import { resultWords } from './testing/words.fixture.js';

const documentCount = 500;
/** A cell of a table has the address of an image that is not described. */
const imageAddress = '/i.png';

describe('random documents', () => {
  it('keep all words in their order, in storable blocks', () => {
    const kinds = new Set<string>();
    for (let seed = 1; seed <= documentCount; seed += 1) {
      const { body, words } = new RandomDocumentGenerator(seed).next();
      const { blocks } = convertContent(body, emptyContext);
      const found = resultWords(blocks).filter((word) => word !== imageAddress);
      expect({ seed, body, words: found, fault: jsonFault(blocks) }).toEqual({
        ...{ seed, body, words, fault: null },
      });
      for (const { _type } of blocks) kinds.add(_type);
    }
    expect([...kinds].sort()).toEqual(['block', 'code', 'columns', 'cover', 'image', 'table']);
  });
});
