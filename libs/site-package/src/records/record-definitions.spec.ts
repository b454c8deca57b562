import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { keyOf, parentProperties, recordDefinitions, referencesOf } from './record-definitions.js';
import { recordKinds, type RecordKind } from './record-kinds.js';

const propertiesOf = (kind: RecordKind) => Object.keys(recordDefinitions[kind].schema.shape);

/** References that an import resolves after both kinds are written. */
const isLater = (kind: RecordKind, referred: RecordKind) =>
  kind === referred || (kind === 'entries' && referred === 'revisions');

describe('recordDefinitions', () => {
  it('has the kinds of recordKinds', () => {
    expect(Object.keys(recordDefinitions).sort()).toEqual([...recordKinds].sort());
  });
});

describe.each([...recordKinds])('records of the kind %s', (kind) => {
  const { key, unique, principals, schema } = recordDefinitions[kind];

  it('are identified by properties that they have', () => {
    const named = [...key, ...unique.flat(), ...principals];
    expect(named.filter((property) => !propertiesOf(kind).includes(property))).toEqual([]);
    expect(key.length).toBeGreaterThan(0);
  });

  it('refer to properties of known kinds, hard references to preceding ones', () => {
    for (const { reference } of referencesOf(kind)) {
      expect(recordKinds).toContain(reference.kind);
      expect(propertiesOf(reference.kind)).toContain(reference.property ?? 'id');
      const isWrittenBefore = recordKinds.indexOf(reference.kind) < recordKinds.indexOf(kind);
      expect(isWrittenBefore || reference.soft || isLater(kind, reference.kind)).toBe(true);
    }
  });

  it('list all properties that name users', () => {
    const referring = referencesOf(kind).filter(({ reference }) => reference.kind === 'principals');
    expect([...principals].sort()).toEqual(referring.map(({ property }) => property).sort());
  });

  it('have no other properties', () => {
    const { error } = schema.safeParse({ unknown: 1 });
    expect(error?.issues.some(({ code }) => code === 'unrecognized_keys')).toBe(true);
  });
});

describe('referencesOf', () => {
  it('finds the references of nullable properties', () => {
    expect(referencesOf('bylines')).toContainEqual({
      property: 'avatarMediaId',
      reference: { kind: 'media_items', soft: true },
    });
  });
});

describe('keyOf', () => {
  it('joins the properties of the key', () => {
    expect(keyOf('menus', { id: 'a', name: 'b' })).toBe('a');
    expect(keyOf('entry_terms', { termGroup: 't', entryGroup: 'e', collection: 'posts' })).toBe('e/t');
  });
});

describe('docs/transfer-format.md', () => {
  const page = readFileSync(new URL('../../../../docs/transfer-format.md', import.meta.url), 'utf8');
  const rows = page.split('\n').map((line) => line.replaceAll(/ *\| */g, '|'));

  it('lists the kinds in their order, with their summaries and keys', () => {
    const expected = recordKinds.map((kind) => {
      const { summary, key } = recordDefinitions[kind];
      return `|\`${kind}\`|${summary}|${key.map((property) => `\`${property}\``).join(', ')}|`;
    });
    const start = rows.indexOf('|Kind|A record is|Key|') + 2;
    expect(rows.slice(start, rows.indexOf('', start))).toEqual(expected);
  });
});

describe('parentProperties', () => {
  it('are those that refer to the own kind', () => {
    expect(parentProperties('menu_items')).toEqual(['parentId']);
    expect(parentProperties('comments')).toEqual(['parentId']);
    expect(parentProperties('widgets')).toEqual([]);
  });
});
