import { describe, expect, it } from '@jest/globals';
import { comparableUrl, fileKeyOf, fileKeysIn } from './file-keys.js';
import { UrlMap } from './url-map.js';

const base = 'https://old.example/uploads';

describe('fileKeyOf', () => {
  it.each([
    [`${base}/a.jpg`, `${base}/a.jpg`],
    [`${base}/a.jpg`, `http://www.old.example/uploads/a-300x200.jpg?w=5#x`],
    [`${base}/a-scaled.jpg`, `${base}/a.jpg`],
    [`${base}/a-scaled.jpg`, `${base}/a-300x200.jpg`],
    [`${base}/a-e1712345678901.jpg`, '/uploads/a-rotated.jpg'],
    [`${base}/a-100x100.jpg`, `${base}/a-100x100-50x50.jpg`],
    [`${base}/Gr%C3%B6%C3%9Fe%20(1).JPG`, `${base}/Größe%20(1)-5x5.JPG`],
    [`${base}/a.jpg`, `https://i2.wp.com/old.example/uploads/a.jpg?resize=3`],
    [`${base}/a.php?id=5&amp;x=1`, `${base}/a.php?id=5&x=1`],
  ])('is that of %s for %s, which a map finds by it', (from, url) => {
    expect(new UrlMap({ [from]: '/new' }).find(url)).toBe('/new');
    expect(fileKeyOf(url)).toBe(fileKeyOf(from));
  });

  it('differs for other names, folders and extensions', () => {
    const others = ['b.jpg', 'a.png', 'a.jpg.webp', 'myphoto.jpg', 'x/a.jpg'].map(
      (name) => `${base}/${name}`,
    );
    for (const url of others) expect(fileKeyOf(url)).not.toBe(fileKeyOf(`${base}/a.jpg`));
  });

  it('is null for a start page, and for no address', () => {
    for (const text of ['https://old.example', '/', 'a.jpg', '']) expect(fileKeyOf(text)).toBeNull();
  });
});

describe('fileKeysIn', () => {
  it('has the keys of the addresses in a text, with and without punctuation', () => {
    const html = `<a href="${base}/a.pdf">See /uploads/b.jpg.</a> [audio ${base}/c.mp3]`;
    const keys = ['/uploads/a.pdf', '/uploads/b.jpg.', '/uploads/b.jpg', '/uploads/c.mp3'];
    // The end tag looks like an address too; nothing has its key.
    expect([...fileKeysIn(html)].sort()).toEqual(['/a', ...keys].sort());
  });

  it('has the key of a text that is an address, also with spaces', () => {
    expect([...fileKeysIn(`${base}/my photo-5x5.jpg`)]).toContain('/uploads/my photo.jpg');
  });
});

describe('comparableUrl', () => {
  it('ignores scheme, www and encoding, and nothing else', () => {
    const forms = [
      `${base}/ä.jpg`,
      'http://WWW.old.example/uploads/%C3%A4.jpg',
      '//old.example:443/uploads/ä.jpg',
    ];
    expect(new Set(forms.map(comparableUrl)).size).toBe(1);
    const others = [`${base}/ä.jpg?x=1`, `${base}/ä-5x5.jpg`, 'https://new.example/uploads/ä.jpg'];
    expect(new Set([...forms, ...others].map(comparableUrl)).size).toBe(4);
    expect(comparableUrl('no address')).toBeNull();
  });
});
