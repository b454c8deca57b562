import { describe, expect, it } from '@jest/globals';
import { negotiate, readPanelFiles, type PanelFile } from './panel-files.js';

describe('readPanelFiles', () => {
  it('has the entry, its stylesheet and every module that it preloads', () => {
    const { build, files, script, styles, preloaded } = readPanelFiles();
    expect(build).toMatch(/^[\da-f]{16}$/);
    expect(files.get(script)?.type).toBe('text/javascript; charset=utf-8');
    expect(new Set(styles.map((name) => files.get(name)?.type))).toEqual(
      new Set(['text/css; charset=utf-8']),
    );
    for (const name of preloaded) expect(files.has(name)).toBe(true);
    expect([...files.keys()].filter((name) => !/-[\w-]{8}\.(?:js|css)$/.test(name))).toEqual([]);
  });
});

describe('negotiate', () => {
  const file: PanelFile = {
    type: 'text/css',
    bytes: Buffer.from('plain'),
    encoded: new Map([
      ['br', Buffer.from('b')],
      ['gzip', Buffer.from('g')],
    ]),
  };

  it.each([
    ['gzip, deflate, br', 'br'],
    ['gzip', 'gzip'],
    ['GZIP;q=0.5', 'gzip'],
    ['br;q=0, gzip', 'gzip'],
    ['identity', undefined],
    [undefined, undefined],
  ])('of %s is %s', (header, expected) => {
    const { coding, bytes } = negotiate(file, header);
    expect(coding).toBe(expected);
    expect(bytes).toBe(expected === undefined ? file.bytes : file.encoded.get(expected));
  });

  it('is the file itself without encodings', () => {
    const small = { ...file, encoded: new Map<string, Buffer>() };
    expect(negotiate(small, 'br')).toEqual({ bytes: file.bytes, coding: undefined });
  });
});
