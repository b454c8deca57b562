import { describe, expect, it } from '@jest/globals';
import {
  digestOf,
  logicalBytesOf,
  manifestSchema,
  packageFileAt,
  packageFileSchema,
  recordDefinitions,
  recordKinds,
  sha256Of,
} from '@quire/site-package';
import { archivedFilesOf, buildPackage } from './build-package.js';
import { recordOf } from './record-of.js';

const bytes = Buffer.from('bytes of an image');
const terms = Array.from({ length: 5 }, (_, index) => recordOf('terms', { id: `t${index}` }));
const content = { records: { terms }, media: [bytes, bytes], recordsPerFile: 2, filesPerIndexFile: 3 };

describe('buildPackage', () => {
  it('declares every file once, in the order of the archive', () => {
    const { manifest, manifestBytes, files, packageDigest } = buildPackage(content);
    expect(manifestSchema.parse(JSON.parse(manifestBytes.toString()))).toEqual(manifest);
    expect(packageDigest).toBe(digestOf(manifestBytes));
    expect([...files.keys()]).toEqual([
      'index/000001.ndjson',
      'index/000002.ndjson',
      'records/terms/000001.ndjson',
      'records/terms/000002.ndjson',
      'records/terms/000003.ndjson',
      `media/${sha256Of(bytes)}`,
    ]);
    expect([...files.keys()].map(packageFileAt)).not.toContain(undefined);
    const lines = manifest.index
      .flatMap(({ path }) => String(files.get(path)).trimEnd().split('\n'))
      .map((line) => packageFileSchema.parse(JSON.parse(line)));
    const declared = [...manifest.index, ...lines];
    expect(declared).toEqual(
      [...files].map(([path, file]) => ({ path, bytes: file.length, sha256: sha256Of(file) })),
    );
    expect(manifest).toMatchObject({ counts: { terms: 5 }, records: { count: 3 }, media: { count: 1 } });
    expect(manifest.logicalDigest).toBe(
      digestOf(Buffer.concat(terms.map((record) => logicalBytesOf('terms', record)))),
    );
    expect(archivedFilesOf(buildPackage(content))[0]?.path).toBe('manifest.json');
  });

  it('writes an empty package, texts that are no records, and another manifest and index', () => {
    expect(buildPackage()).toMatchObject({ manifest: { index: [], counts: {} }, files: new Map() });
    const { files, manifest } = buildPackage({
      records: { menus: ['{'] },
      manifest: { features: ['x'] },
      changeIndex: (lines) => [...lines, ...lines],
    });
    expect(String(files.get('records/menus/000001.ndjson'))).toBe('{\n');
    expect(String(files.get('index/000001.ndjson')).trimEnd().split('\n')).toHaveLength(2);
    expect(manifest.features).toEqual(['x']);
  });
});

describe('recordOf', () => {
  it.each(recordKinds)('makes a valid record of %s', (kind) => {
    const { error } = recordDefinitions[kind].schema.safeParse(recordOf(kind));
    expect(error).toBeUndefined();
  });
});
