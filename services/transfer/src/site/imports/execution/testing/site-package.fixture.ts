import { recordKinds, sha256Of, type RecordKind } from '@quire/site-package';
import { buildPackage, recordOf, type PackageContent, type SitePackage } from '@quire/testing';

const image = Buffer.from('bytes of an image');
const film = Buffer.from('bytes of a film');

const item = (id: string, bytes: Buffer) =>
  recordOf('media_items', {
    id,
    storageKey: id,
    sha256: sha256Of(bytes),
    size: bytes.length,
    authorId: 'p-ada',
  });

/** Records of every kind in two files of most kinds, with parents that follow their children. */
export function siteContent(): PackageContent & { records: NonNullable<PackageContent['records']> } {
  const ids = Array.from({ length: 15 }, (_, index) => `id-${String(index).padStart(2, '0')}`);
  const others = Object.fromEntries(
    recordKinds.map((kind) => [kind, ids.slice(0, 3).map((id) => recordOf(kind, { id } as never))]),
  ) as unknown as Record<RecordKind, object[]>;
  return {
    recordsPerFile: 10,
    media: [image, film],
    records: {
      ...others,
      principals: [
        recordOf('principals', { id: 'p-ada', displayName: 'Ada' }),
        recordOf('principals', { id: 'p-max', displayName: 'Max' }),
      ],
      settings: (['postsPerPage', 'tagline', 'title', 'url'] as const).map((key) =>
        recordOf('settings', { key, value: `${key} of the package` }),
      ),
      search_collections: ids.map((collectionId) => recordOf('search_collections', { collectionId })),
      media_items: [item('m-1', image), item('m-2', film), item('m-3', image)],
      bylines: [recordOf('bylines', { id: 'b-1', userId: 'p-max' })],
      entries: ids.map((id, index) =>
        recordOf('entries', {
          collection: 'posts',
          id,
          authorId: index % 2 === 0 ? 'p-ada' : 'p-gone',
          editedBy: 'p-max',
          values: { title: `Entry ${index}`, extra: '{ "b": 1.0, "a": 12345678901234567890 }' },
        }),
      ),
      entry_bylines: ids.map((entryId) => recordOf('entry_bylines', { entryId, group: 'g' })),
      entry_terms: [recordOf('entry_terms', { entryGroup: 'a', termGroup: 'b' })],
      reference_links: [recordOf('reference_links', { relationId: 'r', parentGroup: 'a', childGroup: 'b' })],
      term_groups: ids.map((id, index) => recordOf('term_groups', { id, parentId: ids[index + 1] ?? null })),
      comments: ids.map((id, index) =>
        recordOf('comments', { id, parentId: ids[index - 1] ?? null, authorUserId: 'p-ada' }),
      ),
      menu_items: ids.map((id, index) => recordOf('menu_items', { id, parentId: ids[index + 1] ?? null })),
    },
  };
}

/** A package of a site with records of every kind. */
export function sitePackage(changes: Partial<PackageContent> = {}): SitePackage {
  return buildPackage({ ...siteContent(), ...changes });
}
