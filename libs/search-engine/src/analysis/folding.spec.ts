import { describe, expect, it } from '@jest/globals';
import { fold } from './folding.js';

/** The original text of this part of the folded text. */
function original(text: string, part: string): string {
  const folded = fold(text);
  const at = folded.text.indexOf(part);
  const { start, end } = folded.origin(at, at + part.length);
  return text.slice(start, end);
}

describe('fold', () => {
  it.each([
    ['Crème BRÛLÉE', 'creme brulee'],
    ['Straße', 'strasse'],
    ['ΟΔΟΣ οδός', 'οδοσ οδοσ'],
    ['İstanbul ISPARTA ırmak', 'istanbul isparta irmak'],
    ['Łódź København Æsop', 'lodz kobenhavn aesop'],
    ['ﬁn ½ Ⅳ', 'fin 1⁄2 iv'],
    ['ＦＵＬＬ　ｶﾞ', 'full ガ'],
    ['が か\u3099', 'が が'],
    ['\u1112\u1161\u11ab \ud558\u11ab \ud55c', '\ud55c \ud55c \ud55c'],
    ['soft\u00adhyphen zero\u200bwidth jo\u200diner', 'softhyphen zero width joiner'],
    ['\ud800a\0b', ' a b'],
    ['שָׁלוֹם مُحَمَّد', 'שלום محمد'],
    ['ภาษาไทย हिन्दी', 'ภาษาไทย हिन्दी'],
    ['', ''],
  ])('converts %j to %j', (text, folded) => expect(fold(text).text).toBe(folded));

  it.each([
    ['a Crème b', 'creme', 'Crème'],
    ['a Cre\u0300me b', 'creme', 'Cre\u0300me'],
    ['die Straße dort', 'strasse', 'Straße'],
    ['die Straße dort', 'dort', 'dort'],
    ['zé soft\u00adhyphen there', 'softhyphen', 'soft\u00adhyphen'],
    ['zé soft\u00adhyphen there', 'there', 'there'],
    ['ﬁnal', 'nal', 'nal'],
    ['ﬁnal', 'inal', 'ﬁnal'],
    ['plain text', 'text', 'text'],
    ['日本 ｶﾞｷﾞ 語', 'ガギ', 'ｶﾞｷﾞ'],
  ])('returns for %j the origin of %j: %j', (text, part, there) => expect(original(text, part)).toBe(there));

  it('is equal for every Unicode form of a text, and idempotent', () => {
    const text = 'Ñandú ガギ 한국어 Việt ﬀ Å';
    for (const form of ['NFC', 'NFD', 'NFKC', 'NFKD'])
      expect(fold(text.normalize(form)).text).toBe(fold(text).text);
    expect(fold(fold(text).text).text).toBe(fold(text).text);
  });
});
