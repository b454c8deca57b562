import { describe, expect, it } from '@jest/globals';
import { cleanTitle } from './title.js';

describe('cleanTitle', () => {
  it.each([
    ['Plain title', 'Plain title'],
    ['  padded ', 'padded'],
    ['a < b and c > d', 'a < b and c > d'],
    ['i <3 you & me', 'i <3 you & me'],
    ['\u202bمرحبا\u202c 👩‍👩‍👧 e\u0301 \u200bzero', '\u202bمرحبا\u202c 👩‍👩‍👧 e\u0301 \u200bzero'],
  ])('keeps "%s"', (raw, title) => {
    expect(cleanTitle(raw)).toEqual({ title, isChanged: false });
  });

  it.each([
    ['Tom &amp; Jerry &#8211; <em>x</em> meadow', 'Tom & Jerry – x meadow'],
    ['twice &amp;amp; escaped', 'twice &amp; escaped'],
    ['an escaped &lt;b&gt; tag', 'an escaped <b> tag'],
    ['a<!-- hidden -->b<br/>c', 'ab c'],
    ['<p>one</p> <p>two</p>', 'one two'],
    ['a<pretext>b', 'ab'],
    ['a\u0085b\u009fc', 'a bc'],
    ['two\nlines', 'two lines'],
    ['half &#xD800; a pair', 'half \ufffd a pair'],
  ])('changes "%s"', (raw, title) => {
    expect(cleanTitle(raw)).toEqual({ title, isChanged: true });
  });

  it('names what has no title', () => {
    expect(cleanTitle('')).toEqual({ title: 'Untitled', isChanged: false });
    expect(cleanTitle(' \n')).toEqual({ title: 'Untitled', isChanged: false });
    expect(cleanTitle('<b></b>')).toEqual({ title: 'Untitled', isChanged: true });
  });
});
