import { describe, expect, it } from '@jest/globals';
import { cleanFileName, fileExtension } from './file-name.js';

describe('cleanFileName', () => {
  it.each([
    ['photo.png', 'photo.png'],
    ['  a b.png ', 'a b.png'],
    ['../../etc/passwd', 'passwd'],
    ['C:\\Users\\x\\photo.png', 'photo.png'],
    ['a\0b\r\n.png', 'ab.png'],
    ['gpj.\u202egnp.exe', 'gpj.gnp.exe'],
    ['Cafe\u0301.png', 'Caf\u00e9.png'],
    ['', 'file'],
    ['..', 'file'],
    ['folder/', 'file'],
    [undefined, 'file'],
  ])('%j is kept as %j', (given, kept) => {
    expect(cleanFileName(given)).toBe(kept);
  });

  it('cuts a name to 200 characters and keeps its extension', () => {
    expect(cleanFileName(`${'\u{1F5BC}'.repeat(300)}.png`)).toBe(`${'\u{1F5BC}'.repeat(196)}.png`);
    expect(cleanFileName('a'.repeat(10_000))).toHaveLength(200);
    expect(cleanFileName(`a.${'b'.repeat(10_000)}`)).toHaveLength(200);
  });
});

describe('fileExtension', () => {
  it.each([
    ['image/png', 'x.html', '.png'],
    ['image/jpeg', 'x.JPEG', '.jpg'],
    ['text/csv', 'x.CSV', '.csv'],
    ['text/plain', 'x', ''],
    ['text/plain', 'x.a-b', ''],
    ['text/plain', `x.${'a'.repeat(20)}`, ''],
  ])('of %s named %s is %j', (type, name, ending) => {
    expect(fileExtension(type, name)).toBe(ending);
  });
});
