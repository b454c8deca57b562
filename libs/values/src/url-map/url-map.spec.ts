import { describe, expect, it } from '@jest/globals';
import { UrlMap } from './index.js';

const base = 'https://old.example/wp-content/uploads/2020/01';
const to = (name: string) => `/_cms/api/media/file/${name}`;
/** A map of files below `base`: "photo.jpg" to the new address of the same name. */
const mapOf = (...names: string[]) =>
  new UrlMap(Object.fromEntries(names.map((name) => [`${base}/${name}`, to(name)])));
const replaced = (map: UrlMap, text: string) => map.replaceIn(text).text;

describe('UrlMap.find (contract 1.6)', () => {
  const map = mapOf('photo.jpg', 'doc.pdf', 'über uns.jpg');

  it.each([
    ['the address itself', `${base}/photo.jpg`],
    ['another scheme', `http://old.example/wp-content/uploads/2020/01/photo.jpg`],
    ['www', `https://www.old.example/wp-content/uploads/2020/01/photo.jpg`],
    ['upper case in the host', `HTTPS://OLD.Example/wp-content/uploads/2020/01/photo.jpg`],
    ['the default port', `https://old.example:443/wp-content/uploads/2020/01/photo.jpg`],
    ['no scheme', `//old.example/wp-content/uploads/2020/01/photo.jpg`],
    ['a root-relative path', `/wp-content/uploads/2020/01/photo.jpg`],
    ['a query', `${base}/photo.jpg?w=300&h=200`],
    ['an escaped query', `${base}/photo.jpg?w=300&amp;h=200`],
    ['a fragment', `${base}/photo.jpg#top`],
    ['a query and a fragment', `${base}/photo.jpg?resize=1#top`],
    ['a size', `${base}/photo-300x200.jpg`],
    ['a size and a query', `${base}/photo-1024x768.jpg?ssl=1`],
    ['-scaled', `${base}/photo-scaled.jpg`],
    ['-rotated', `${base}/photo-rotated.jpg`],
    ['-e and digits', `${base}/photo-e1712345678901.jpg`],
    ['-e, digits and a size', `${base}/photo-e1712345678901-300x200.jpg`],
    ['an image CDN', `https://i2.wp.com/old.example/wp-content/uploads/2020/01/photo.jpg?fit=300&ssl=1`],
    ['an image CDN with a size', `http://i0.wp.com/www.old.example/wp-content/uploads/2020/01/photo-9x9.jpg`],
    ['a percent-encoded spelling', `${base}/ph%6Fto.jpg`],
  ])('finds a file by %s', (_name, url) => {
    expect(map.find(url)).toBe(to('photo.jpg'));
  });

  it.each([
    `${base}/%C3%BCber%20uns.jpg`,
    `${base}/u\u0308ber uns.jpg`,
    `${base}/über uns.jpg`,
    `${base}/%c3%bcber%20uns-10x10.jpg`,
  ])('finds a file by each spelling of its name: %s', (url) => {
    expect(map.find(url)).toBe(to('über uns.jpg'));
  });

  it.each([
    `${base}/photo.jpg.webp`,
    `${base}/myphoto.jpg`,
    `${base}/photo.jpeg`,
    `${base}/Photo.jpg`,
    `${base}/photo-300x.jpg`,
    `${base}/photo-scaled-up.jpg`,
    'https://other.example/wp-content/uploads/2020/01/photo.jpg',
    'https://old.example.evil.example/wp-content/uploads/2020/01/photo.jpg',
    'https://i9.wp.com/old.example/wp-content/uploads/2020/01/photo.jpg',
    '/2020/01/photo.jpg',
    'photo.jpg',
    '/',
    '',
    'javascript:alert(1)',
    `${base}/photo.jpg?w=1 and a text`,
    `${base}/photo.jpg#1 and a text`,
    `${base}/photo.jpg and a text`,
    `${base}/photo.jpg${'x'.repeat(5_000)}`,
    '%zz',
    `${base}/%ff%zz`,
  ])('finds nothing for %s', (url) => {
    expect(map.find(url)).toBeUndefined();
  });

  it('finds a file that is really named with a size or a suffix by itself first', () => {
    const named = mapOf('x.jpg', 'x-100x100.jpg', 'x-scaled.jpg', 'x-e1234567890.jpg');
    for (const name of ['x.jpg', 'x-100x100.jpg', 'x-scaled.jpg', 'x-e1234567890.jpg'])
      expect(named.find(`${base}/${name}`)).toBe(to(name));
    expect(named.find(`${base}/x-50x50.jpg`)).toBe(to('x.jpg'));
    expect(named.find(`${base}/x-100x100-50x50.jpg`)).toBe(to('x-100x100.jpg'));
  });

  it('finds the original and the reduced forms of a file that is listed as -scaled', () => {
    const scaled = mapOf('big-scaled.jpg');
    for (const name of ['big-scaled.jpg', 'big.jpg', 'big-300x200.jpg', 'big-rotated.jpg'])
      expect(scaled.find(`${base}/${name}`)).toBe(to('big-scaled.jpg'));
    expect(mapOf('x-100x100.jpg').find(`${base}/x.jpg`)).toBeUndefined();
  });

  it('distinguishes addresses by their queries, and files of one path by their hosts', () => {
    const map2 = new UrlMap({
      'http://a.example/?file=1': '/one',
      'http://a.example/?file=2': '/two',
      'http://a.example/f.jpg': '/a',
      'http://b.example/f.jpg': '/b',
      'http://a.example/same.jpg': '/same',
      'http://b.example/same.jpg': '/same',
    });
    expect(map2.find('http://a.example/?file=2')).toBe('/two');
    expect(map2.find('http://a.example/?file=3')).toBeUndefined();
    expect(map2.find('http://b.example/f.jpg')).toBe('/b');
    expect(map2.find('/f.jpg')).toBeUndefined();
    expect(map2.find('/same.jpg')).toBe('/same');
  });

  it('finds a root-relative former address only by the path', () => {
    const relative = new UrlMap({ '/files/a.jpg': '/new' });
    expect(relative.find('/files/a-2x2.jpg')).toBe('/new');
    expect(relative.find('https://any.example/files/a.jpg')).toBeUndefined();
  });
});

describe('UrlMap.replaceIn (contract 1.6)', () => {
  const map = mapOf('photo.jpg', 'photo.jpg.webp', 'a,b.jpg', 'v(1).jpg', 'dot.');
  const photo = to('photo.jpg');

  it.each([
    ['a sentence', `See ${base}/photo.jpg.`, `See ${photo}.`],
    ['a question', `Is it ${base}/photo.jpg?`, `Is it ${photo}?`],
    ['a query before a full stop', `See ${base}/photo.jpg?w=1. Then`, `See ${photo}. Then`],
    ['brackets', `(${base}/photo.jpg)`, `(${photo})`],
    [
      'a Markdown image in a link',
      `[![](${base}/photo.jpg)](${base}/photo.jpg)`,
      `[![](${photo})](${photo})`,
    ],
    ['quotes', `src="${base}/photo.jpg" x='${base}/photo.jpg'`, `src="${photo}" x='${photo}'`],
    [
      'escaped quotes',
      `&quot;${base}/photo.jpg&quot; &#039;${base}/photo.jpg&#039;`,
      `&quot;${photo}&quot; &#039;${photo}&#039;`,
    ],
    ['CSS', `url(${base}/photo.jpg) url('${base}/photo.jpg')`, `url(${photo}) url('${photo}')`],
    ['a text that begins with one', `${base}/photo.jpg?w=1 and text`, `${photo} and text`],
    ['a text that begins with one with a fragment', `${base}/photo.jpg#a\nb`, `${photo}\nb`],
    ['a list', `${base}/photo.jpg,${base}/photo.jpg, ${base}/photo.jpg;`, `${photo},${photo}, ${photo};`],
    ['a source set', `${base}/photo-1x1.jpg 1x,${base}/photo-2x2.jpg 2x`, `${photo} 1x,${photo} 2x`],
    ['an attribute without quotes', `[video src=${base}/photo.jpg]`, `[video src=${photo}]`],
    ['emphasis', `**${base}/photo.jpg**`, `**${photo}**`],
    ['Chinese punctuation', `看${base}/photo.jpg。好`, `看${photo}。好`],
    ['lines', `${base}/photo.jpg\n${base}/photo.jpg\t`, `${photo}\n${photo}\t`],
    ['root-relative addresses', `a /wp-content/uploads/2020/01/photo.jpg b`, `a ${photo} b`],
    ['an address without a scheme', `a //old.example/wp-content/uploads/2020/01/photo.jpg b`, `a ${photo} b`],
    ['a longer name first', `${base}/photo.jpg.webp ${base}/photo.jpg`, `${to('photo.jpg.webp')} ${photo}`],
    ['a comma in the name', `x ${base}/a,b.jpg, y`, `x ${to('a,b.jpg')}, y`],
    ['brackets in the name', `x (${base}/v(1).jpg) y`, `x (${to('v(1).jpg')}) y`],
    ['punctuation of the name', `x ${base}/dot. y`, `x ${to('dot.')} y`],
    ['tags', `<img src=${base}/photo.jpg><b>`, `<img src=${photo}><b>`],
  ])('replaces addresses in %s', (_name, text, expected) => {
    expect(replaced(map, text)).toBe(expected);
  });

  it.each([
    ['in the path of an archive', `https://archive.example/2019/${base}/photo.jpg`],
    ['in a query', `https://share.example/?a=1&u=${base}/photo.jpg`],
    ['in a relative query', `share?u=${base}/photo.jpg`],
    ['in a root-relative query', `/share?u=${base}/photo.jpg`],
    ['after another scheme', `ftp://old.example/wp-content/uploads/2020/01/photo.jpg`],
    ['in a longer path', `x/wp-content/uploads/2020/01/photo.jpg ../wp-content/uploads/2020/01/photo.jpg`],
    ['under another host', `https://new.example/wp-content/uploads/2020/01/photo.jpg`],
    ['in a longer name', `${base}/photo.jpg.bak ${base}/my-photo.jpg ${base}/photo.jpg/x`],
    ['in a word', `x${base}/photo.jpg`],
    ['in an e-mail address', `me@old.example/wp-content/uploads/2020/01/photo.jpg`],
  ])('replaces nothing %s', (_name, text) => {
    expect(map.replaceIn(text)).toEqual({ text, count: 0 });
  });

  it('counts what it replaces, and replaces nothing a second time', () => {
    const once = map.replaceIn(`${base}/photo.jpg and ${base}/photo-3x3.jpg and ${base}/other.jpg`);
    expect(once.count).toBe(2);
    expect(map.replaceIn(once.text)).toEqual({ text: once.text, count: 0 });
  });

  it('does not replace a new address that is itself a former one', () => {
    const chain = new UrlMap({ [`${base}/a.jpg`]: `${base}/b.jpg`, [`${base}/b.jpg`]: `${base}/c.jpg` });
    expect(replaced(chain, `${base}/a.jpg ${base}/b.jpg`)).toBe(`${base}/b.jpg ${base}/c.jpg`);
  });

  it('replaces a whole value with spaces', () => {
    expect(replaced(mapOf('my photo.jpg'), `${base}/my photo.jpg`)).toBe(to('my photo.jpg'));
  });

  it('replaces special characters of the new address unchanged', () => {
    expect(replaced(new UrlMap({ [`${base}/a.jpg`]: '/$&$1`' }), `x ${base}/a.jpg`)).toBe('x /$&$1`');
  });

  it('works on long texts without addresses, and on repeated beginnings of addresses', () => {
    const hostile = [
      '/',
      'http://',
      '(',
      '/(',
      'http://a(',
      '?u=',
      '&a=/',
      `${base}/photo.jpg!`,
      '!',
      ',/',
      '//a,',
    ];
    for (const part of hostile) {
      const text = part.repeat(100_000 / part.length);
      expect(typeof map.replaceIn(text).count).toBe('number');
      expect(typeof map.replaceIn(`${base}/${text}`).count).toBe('number');
    }
  });
});
