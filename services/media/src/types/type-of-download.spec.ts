import { describe, expect, it } from '@jest/globals';
import { typeOfDownload } from './type-of-download.js';

describe('typeOfDownload', () => {
  it.each([
    ['the type of the bytes, whatever is declared', 'image/png', ['image/jpeg', 'text/html'], 'image/png'],
    ['the declared type of an animated PNG', 'image/apng', ['image/png'], 'image/png'],
    ['the detected type where none is declared', 'application/zip', [], 'application/zip'],
    [
      'the detected type where the declared one is another',
      'application/zip',
      ['image/png'],
      'application/zip',
    ],
    [
      'no type of a picture for bytes without its signature',
      undefined,
      ['image/jpeg', 'text/html'],
      'text/html',
    ],
    [
      'the first declared type of audio without a signature',
      undefined,
      ['audio/x-mod', 'text/plain'],
      'audio/x-mod',
    ],
    ['nothing where only malformed types are declared', undefined, ['', 'jpeg'], undefined],
  ])('returns %s', (_, detected, declared, type) => {
    expect(typeOfDownload(detected, declared)).toBe(type);
  });
});
