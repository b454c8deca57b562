import { describe, expect, it } from '@jest/globals';
import type { BlockField } from '../block-types/block-fields.js';
import type { FieldDefinition } from '../fields/field-definition.js';
import { buildField } from '../testing/build-field.js';
import { canContainLibraryImages, canReferenceMedia, mediaReferences } from './media-references.js';

const noBlocks = () => null;
const local = (id: unknown, more: object = {}) => ({ provider: 'local', id, ...more });
const image = (ref: unknown, more: object = {}) => ({ _type: 'image', asset: { _ref: ref }, ...more });

/** The references in one value of a field `f`, in short: `path id type`. */
function found(field: Partial<FieldDefinition>, value: unknown, versions: Record<string, BlockField[]> = {}) {
  const blockFields = (type: string, version: number) => versions[`${type}@${version}`] ?? null;
  return mediaReferences([buildField({ slug: 'f', ...field })], { f: value }, blockFields).map(
    ({ fieldPath, mediaId, referenceType }) => `${fieldPath} ${mediaId} ${referenceType}`,
  );
}

const rows = {
  type: 'repeater',
  validation: {
    subFields: [
      { slug: 'name', label: 'Name', type: 'string' },
      { slug: 'picture', label: 'Picture', type: 'image' },
    ],
  },
} as const satisfies Partial<FieldDefinition>;

describe('mediaReferences (document 1, Media 3)', () => {
  it('returns those of an image and its dark variant', () => {
    expect(found({ type: 'image' }, local('A', { darkVariant: local('B') }))).toEqual([
      'f A image_field',
      'f.darkVariant B image_field',
    ]);
  });

  it('returns those of a file, also without a provider', () => {
    expect(found({ type: 'file' }, { id: 'A', filename: 'a.pdf' })).toEqual(['f A file_field']);
  });

  it('returns those of images in rows of a repeater', () => {
    const value = [{ name: 'x', picture: local('A') }, { name: 'A' }, { picture: local('A') }];
    expect(found(rows, value)).toEqual(['f.0.picture A image_field', 'f.2.picture A image_field']);
  });

  it('returns those of image and gallery blocks of rich text, also inside of columns and covers', () => {
    const value = [
      { _type: 'block', children: [{ _type: 'span', text: 'A' }] },
      image('A'),
      { _type: 'gallery', images: [image('B'), image('C')] },
      { _type: 'columns', columns: [{ _type: 'column', content: [image('D')] }] },
      { _type: 'cover', content: [image('E')] },
    ];
    expect(found({ type: 'portableText' }, value)).toEqual([
      'f.1 A portable_text_image',
      'f.2.images.0 B portable_text_gallery',
      'f.2.images.1 C portable_text_gallery',
      'f.3.columns.0.content.0 D portable_text_image',
      'f.4.content.0 E portable_text_image',
    ]);
  });

  it("returns those of blocks, by the fields of each block's version", () => {
    const versions: Record<string, BlockField[]> = {
      'card@1': [{ slug: 'picture', label: 'Picture', type: 'image' }],
      'card@2': [
        { slug: 'attachment', label: 'Attachment', type: 'file' },
        { slug: 'text', label: 'Text', type: 'portableText' },
        { slug: 'rows', label: 'Rows', ...rows },
      ],
    };
    const data = {
      picture: local('A'),
      attachment: local('B'),
      text: [image('C')],
      rows: [{ picture: local('D') }],
    };
    const value = [1, 2, 3].map((version) => ({
      _type: 'card',
      _version: version,
      _key: `k${version}`,
      ...data,
    }));
    expect(found({ type: 'blocks' }, value, versions)).toEqual([
      'f.0.picture A block_image',
      'f.1.attachment B block_file',
      'f.1.text.0 C portable_text_image',
      'f.1.rows.0.picture D block_image',
    ]);
  });

  it('returns each occurrence, numbered within its field', () => {
    const fields = [
      buildField({ slug: 'one', type: 'portableText' }),
      buildField({ slug: 'two', type: 'image' }),
    ];
    const values = { one: [image('A'), image('A')], two: local('A') };
    expect(
      mediaReferences(fields, values, noBlocks).map(({ fieldSlug, occurrenceIndex }) => [
        fieldSlug,
        occurrenceIndex,
      ]),
    ).toEqual([
      ['one', 0],
      ['one', 1],
      ['two', 0],
    ]);
  });
});

describe('mediaReferences returns nothing for', () => {
  it.each<[string, Partial<FieldDefinition>, unknown]>([
    ['an image of another provider', { type: 'image' }, { provider: 'elsewhere', id: 'A' }],
    [
      'an image that is nothing but an address',
      { type: 'image' },
      { provider: 'external', id: '', src: 'https://x.example/a' },
    ],
    [
      'a rich-text image of another provider',
      { type: 'portableText' },
      [{ _type: 'image', asset: { _ref: 'A', provider: 'elsewhere' } }],
    ],
    [
      'a rich-text image whose asset is an address',
      { type: 'portableText' },
      [image('https://x.example/a.png')],
    ],
    [
      'a custom rich-text block',
      { type: 'portableText' },
      [{ _type: 'card', image: image('A'), asset: { _ref: 'A' } }],
    ],
    ['a text', { type: 'string' }, 'A'],
    ['a json value', { type: 'json' }, local('A')],
  ])('%s', (_name, field, value) => {
    expect(found(field, value)).toEqual([]);
  });
});

describe('mediaReferences of stored values that do not fit their field', () => {
  const odd: unknown[] = [
    undefined,
    null,
    true,
    7,
    'A',
    '',
    [],
    [null],
    [[]],
    ['A'],
    [7],
    {},
    { id: 7 },
    { id: null },
    { id: '' },
    { id: 'x'.repeat(65) },
    { id: 'a\u0000' },
    { id: 'a b' },
    { darkVariant: 'A' },
    { darkVariant: { id: {} } },
    [{ _type: 'image' }],
    [{ _type: 'image', asset: 'A' }],
    [{ _type: 'image', asset: { _ref: {} } }],
    [{ _type: 'gallery' }],
    [{ _type: 'gallery', images: [null, 'A', {}] }],
    [{ _type: 'columns', columns: [null, {}] }],
    [{ picture: 'A' }],
    [{ picture: [local('A')] }],
    [{ _type: 'card', _version: '1', media: local('A') }],
    [{ _type: 7, _version: 1 }],
    [{ _type: 'card', _version: 1.5, media: local('A') }],
  ];
  const types = ['image', 'file', 'portableText', 'blocks', 'repeater'] as const;
  it.each(types)('returns nothing for a field of type %s', (type) => {
    const validation = type === 'repeater' ? rows.validation : null;
    for (const value of odd) expect(found({ type, validation }, value)).toEqual([]);
  });

  it('bounds the nesting', () => {
    let value: unknown = [image('A')];
    for (let depth = 0; depth < 5_000; depth += 1)
      value = [{ _type: 'columns', columns: [{ content: value }] }];
    expect(found({ type: 'portableText' }, value)).toEqual([]);
  });

  it('ignores prototypes', () => {
    const field = buildField({ slug: 'constructor', type: 'image' });
    expect(mediaReferences([field], {}, noBlocks)).toEqual([]);
  });
});

describe('canReferenceMedia', () => {
  it.each([
    [{ type: 'image' }, true, true],
    [{ type: 'file' }, true, false],
    [{ type: 'portableText' }, true, false],
    [{ type: 'blocks' }, true, true],
    [rows, true, true],
    [
      { type: 'repeater', validation: { subFields: [{ slug: 'a', label: 'a', type: 'string' }] } },
      false,
      false,
    ],
    [{ type: 'string' }, false, false],
    [{ type: 'json' }, false, false],
  ] as [Partial<FieldDefinition>, boolean, boolean][])(
    '%j: %s, images of its own %s',
    (parts, refers, holdsImages) => {
      expect(canReferenceMedia(buildField(parts))).toBe(refers);
      expect(canContainLibraryImages(buildField(parts))).toBe(holdsImages);
    },
  );
});
