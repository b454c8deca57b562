import 'reflect-metadata';
import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { openMediaImports, resultOf, SourceSite, type MediaImports } from '../media-import.fixture.js';
import { KnownMedia, recordAddresses } from './index.js';

jest.setTimeout(30_000);

let imports: MediaImports;
let site: SourceSite;
let number = 0;

beforeEach(async () => {
  imports = await openMediaImports(`spec-known-media-${number++}`);
  site = await SourceSite.start();
});

afterEach(async () => {
  await imports.close();
  site.close();
});

const download = async (...paths: string[]) => {
  imports.startWorker();
  return resultOf(await imports.run(paths.map((path) => ({ url: site.url(path) })))).imported;
};
/** The media that values name, as address and id. */
const namedIn = async (...values: unknown[]) => {
  const known = await KnownMedia.open(imports.ctx, imports.deps.media);
  return (await known.namedIn(values)).map(({ address, file }) => [address, file.id]);
};

describe('KnownMedia', () => {
  it('has downloaded files by the addresses in nested values, reduced and after line breaks', async () => {
    const [a, b] = await download('/a.jpg', '/b.jpg', '/c.jpg');
    const values = { body: [{ html: `x\n${site.url('/a-30x20.jpg')}` }, { url: site.url('/b.jpg?w=5') }] };
    expect((await namedIn(values, 'none')).sort()).toEqual([
      [site.url('/a.jpg'), a?.mediaId],
      [site.url('/b.jpg'), b?.mediaId],
    ]);
  });

  it('has them by their aliases, which may be recorded later', async () => {
    const [a] = await download('/a.jpg');
    const guidUrl = 'https://former.example/guid.jpg';
    await recordAddresses(
      imports.ctx.db,
      [{ url: site.url('/a.jpg'), guidUrl, file: null, variants: [] }],
      [],
    );
    expect(await namedIn([guidUrl])).toEqual([[guidUrl, a?.mediaId]]);
  });

  it('has neither deleted files nor files that were not downloaded', async () => {
    const [a] = await download('/a.jpg');
    imports.media.items.delete(a?.mediaId ?? '');
    expect(await namedIn(site.url('/a.jpg'), site.url('/other.jpg'))).toEqual([]);
  });

  it('looks nothing up on a site without downloaded files', async () => {
    const url = site.url('/a.jpg');
    await recordAddresses(imports.ctx.db, [{ url, guidUrl: null, file: null, variants: [] }], []);
    expect(await namedIn(url)).toEqual([]);
  });
});
