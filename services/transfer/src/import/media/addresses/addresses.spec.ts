import { describe, expect, it } from '@jest/globals';
import { aliasesOf, type AttachmentNames } from './aliases.js';
import { UploadBases } from './upload-bases.js';

const own = 'https://new.example/wp-content/uploads/';
const former = 'http://old.example/blog/wp-content/uploads/';

const basesOf = (siteUrl: string, ...attachments: Partial<AttachmentNames>[]) => {
  const bases = new UploadBases();
  for (const attachment of attachments) bases.add({ url: null, guidUrl: null, file: null, ...attachment });
  return bases.list(siteUrl);
};

describe('UploadBases', () => {
  it('has the one of the site, and those that guids and addresses show, each once', () => {
    const attachments = [
      { url: `${own}2024/a.jpg`, guidUrl: `${former}2024/a.jpg`, file: '2024/a.jpg' },
      { url: `http://www.new.example/wp-content/uploads/b.jpg`, guidUrl: null, file: 'b.jpg' },
      { url: `https://cdn.example/c.jpg`, guidUrl: `${former}c.jpg`, file: '2024/c.jpg' },
    ];
    expect(basesOf('https://new.example/', ...attachments)).toEqual([own, former]);
  });

  it('has none without an address of the site', () => {
    expect(basesOf('http:')).toEqual([]);
    expect(basesOf('')).toEqual([]);
  });

  it('keeps the most frequent ones of many', () => {
    const many = Array.from({ length: 20 }, (_, index) => ({
      url: `https://h${index}.example/a.jpg`,
      file: 'a.jpg',
    }));
    const bases = basesOf('', ...many, { url: 'https://h19.example/b.jpg', file: 'b.jpg' });
    expect(bases).toHaveLength(8);
    expect(bases[0]).toBe('https://h19.example/');
  });
});

describe('aliasesOf', () => {
  const bases = [own, former];
  const attachment = { url: `${own}2024/a.jpg`, guidUrl: null, file: '2024/a.jpg', variants: [] };

  it('are the places of the file below all addresses of the folder of uploads', () => {
    expect(aliasesOf(attachment, bases)).toEqual([`${former}2024/a.jpg`]);
    expect(aliasesOf(attachment, [])).toEqual([]);
  });

  it('are the guid, and the variants in each folder', () => {
    const moved = {
      url: 'https://cdn.example/x/logo.webp?v=2',
      guidUrl: `${own}logo.webp`,
      file: null,
      variants: ['logo-300x182.jpg'],
    };
    expect(aliasesOf(moved, bases)).toEqual([
      `${own}logo.webp`,
      'https://cdn.example/x/logo-300x182.jpg',
      `${own}logo-300x182.jpg`,
    ]);
  });

  it('are none that follow from the own address', () => {
    const guidUrl = 'http://www.new.example/wp-content/uploads/2024/a-scaled.jpg';
    expect(aliasesOf({ ...attachment, guidUrl }, [own])).toEqual([]);
  });

  it('are not longer than an address', () => {
    expect(aliasesOf({ ...attachment, guidUrl: `${former}${'x'.repeat(2_000)}.jpg` }, [])).toEqual([]);
  });
});
