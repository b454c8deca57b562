import { describe, expect, it } from '@jest/globals';
import { languageOf } from './languages.js';

describe('languageOf', () => {
  it('reads the meta of one family of plugins', () => {
    const meta = [
      { key: '_icl_lang_code', value: ' de ' },
      { key: 'trid', value: '12' },
    ];
    expect(languageOf({ meta, terms: [] })).toEqual({ locale: 'de', group: 'trid:12' });
  });

  it('reads the taxonomies of another', () => {
    const terms = [
      { domain: 'language', nicename: 'pt-br', name: 'Português' },
      { domain: 'post_translations', nicename: 'pll_5f3', name: 'pll_5f3' },
    ];
    expect(languageOf({ meta: [], terms })).toEqual({ locale: 'pt-br', group: 'pll_5f3' });
  });

  it('is empty for an item without a language', () => {
    expect(languageOf({ meta: [{ key: 'trid', value: '' }], terms: [] })).toEqual({});
  });
});
