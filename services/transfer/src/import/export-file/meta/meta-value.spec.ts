import { describe, expect, it } from '@jest/globals';
import { readMetaValue } from './meta-value.js';

describe('readMetaValue', () => {
  it.each([
    ['a:2:{s:4:"name";s:8:"Zoë €";s:3:"ids";a:2:{i:0;i:4;i:1;i:5;}}', { name: 'Zoë €', ids: [4, 5] }],
    ['a:0:{}', []],
    ['a:2:{i:5;b:1;i:9;N;}', { 5: true, 9: null }],
    ['a:1:{s:11:"constructor";s:2:"ok";}', { constructor: 'ok' }],
    ['a:1:{i:0;s:6:"a";b;}";}', ['a";b;}']],
    [' i:5; ', 5],
    ['d:-0.5;', -0.5],
    ['i:9223372036854775807;', '9223372036854775807'],
    ['s:3:"abc";', 'abc'],
  ])('parses %s', (value, expected) => {
    expect(readMetaValue(value)).toEqual(expected);
  });

  it('counts wrong lengths again', () => {
    expect(readMetaValue('a:2:{s:9:"name";s:7:"Zoë €";s:3:"ids";a:1:{i:0;s:1:"a";b";}}')).toEqual({
      name: 'Zoë €',
      ids: ['a";b'],
    });
  });

  it.each([
    'text',
    '',
    '{"a":1}',
    'a:1:{i:0;i:1;}x',
    'a:2:{i:0;i:1;}',
    'a:99999999:{i:0;i:1;}',
    'i:1;}rest;',
    's:3:"abc";s:1:"d";',
    's:100:"unfinished',
    'O:8:"stdClass":0:{}',
    'a:1:{i:0;O:8:"stdClass":1:{s:1:"a";i:1;}}',
    'a:1:{i:0;O:11:"constructor":0:{}}',
    'a:1:{i:0;C:8:"toString":2:{{}}}',
    'a:2:{i:0;i:1;i:1;R:2;}',
    'd:INF;',
    'a:1:{i:0;d:NAN;}',
  ])('keeps %s as text', (value) => {
    expect(readMetaValue(value)).toBe(value);
  });

  it('never changes a prototype', () => {
    const value = 'a:1:{s:9:"__proto__";a:1:{s:8:"polluted";i:1;}}';
    expect(readMetaValue(value)).toBe(value);
    expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false);
  });

  it('keeps values of hostile size or depth as text', () => {
    const deep = 'a:1:{i:0;'.repeat(50_000) + 'N;' + '}'.repeat(50_000);
    const open = `a:1:{${'s:1:"'.repeat(200_000)}}`;
    expect(readMetaValue(deep)).toBe(deep);
    expect(readMetaValue(open)).toBe(open);
  });
});
