import { describe, expect, it } from '@jest/globals';
import { completeFieldDefinition, type FieldDefinition } from '@quire/content-model';
import { searchShape } from './search-shape.js';

const field = (slug: string, more: Partial<FieldDefinition> = {}): FieldDefinition => ({
  ...completeFieldDefinition({ slug, label: slug, type: 'string' }),
  ...more,
});
const titleOf = (...given: Parameters<typeof searchShape>) => searchShape(...given).title?.slug ?? null;
const fingerprintOf = (...fields: FieldDefinition[]) => searchShape(null, fields).fingerprint;

describe('the title field', () => {
  it('is the named title field, else `title`, else `name`, else none', () => {
    const fields = [field('name'), field('heading'), field('title')];
    expect([titleOf('heading', fields), titleOf(null, fields)]).toEqual(['heading', 'title']);
    expect([titleOf(null, [field('name')]), titleOf(null, [field('body')])]).toEqual(['name', null]);
  });

  it('is never a field without plain text', () => {
    expect(titleOf(null, [field('title', { type: 'json' }), field('name')])).toBe('name');
  });
});

describe('the searchable fields', () => {
  it('are the searchable ones that have text', () => {
    const fields = [
      field('body', { searchable: true }),
      field('secret'),
      field('count', { type: 'integer', searchable: true }),
    ];
    expect(searchShape(null, fields).searchable.map(({ slug }) => slug)).toEqual(['body']);
  });
});

describe('the fingerprint', () => {
  const body = field('body', { searchable: true });
  const rows = (type: 'string' | 'integer') =>
    field('rows', {
      type: 'repeater',
      searchable: true,
      validation: { subFields: [{ slug: 'a', label: 'A', type }] },
    });

  it('changes when other text would be indexed', () => {
    const prints = [
      fingerprintOf(body),
      fingerprintOf(body, field('title')),
      fingerprintOf(body, field('more', { searchable: true })),
      fingerprintOf({ ...body, type: 'portableText' }),
      fingerprintOf({ ...body, searchable: false }),
    ];
    expect(new Set(prints).size).toBe(5);
    const mixed = (type: 'string' | 'integer') =>
      fingerprintOf({
        ...rows(type),
        validation: {
          subFields: [...(rows(type).validation?.subFields ?? []), { slug: 'b', label: 'B', type: 'text' }],
        },
      });
    expect(mixed('string')).not.toBe(mixed('integer'));
  });

  it('does not change with labels, order or other fields', () => {
    const more = field('more', { searchable: true });
    expect(fingerprintOf({ ...more, label: 'Other' }, body, field('secret'))).toBe(fingerprintOf(body, more));
  });
});
