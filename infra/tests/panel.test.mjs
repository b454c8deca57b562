import assert from 'node:assert/strict';
import { test } from 'node:test';

const { panelParts } = await import('../dist/checks/panel-size.js');
const { typeOf } = await import('../dist/generate/schema-types.js');

test('the size of the shell has everything that it imports, once, and that of a screen what it adds', () => {
  const manifest = {
    'index.tsx': { file: 'index.js', isEntry: true, imports: ['a', 'b'], css: ['index.css'] },
    a: { file: 'a.js', imports: ['b'] },
    b: { file: 'b.js', imports: ['a'] },
    'locales/de.json': { file: 'de.js' },
    'later.tsx': { file: 'later.js', css: ['later.css'] },
    'entries/list/collection-screen.tsx': {
      file: 'list.js',
      isDynamicEntry: true,
      imports: ['index.tsx', 'c'],
    },
    'other-screen.tsx': { file: 'other.js', isDynamicEntry: true },
    c: { file: 'c.js', imports: ['b'] },
  };
  const sizes = {
    'index.js': 100,
    'a.js': 60,
    'b.js': 40,
    'de.js': 5,
    'list.js': 20,
    'other.js': 1,
    'c.js': 7,
    'index.css': 2,
    'later.css': 3,
  };
  const parts = panelParts(manifest, (file) => sizes[file]);
  assert.deepEqual(
    parts.map(({ name, kilobytes }) => [name, kilobytes]),
    [
      ['shell', 200],
      ['entries/list/collection-screen.tsx', 27],
      ['other-screen.tsx', 1],
      ['locales/de.json', 5],
      ['styles', 5],
    ],
  );
  assert.ok(parts[0].kilobytes > parts[0].maxKilobytes);
  // A screen without a limit is too large.
  assert.equal(parts[2].maxKilobytes, 0);
});

const types = [
  [{ type: 'string', minLength: 1 }, 'string'],
  [{ type: ['integer', 'null'] }, 'number | null'],
  [{ enum: ['a', 1] }, '"a" | 1'],
  [{ const: true }, 'true'],
  [{ $ref: '#/components/schemas/Entry' }, 'Schemas["Entry"]'],
  [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 'string | null'],
  [{ anyOf: [{ type: 'string' }, {}] }, 'unknown'],
  [{ type: 'array', items: { anyOf: [{ type: 'string' }, { type: 'number' }] } }, '(string | number)[]'],
  [{ type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }, '[string, number]'],
  [
    { type: 'object', properties: { id: { type: 'string' }, 'a-b': { type: 'boolean' } }, required: ['id'] },
    '{ id: string; "a-b"?: boolean }',
  ],
  [{ type: 'object', additionalProperties: { type: 'number' } }, 'Record<string, number>'],
  [{ allOf: [{ type: 'string' }, { enum: ['a'] }] }, '(string) & ("a")'],
  [{}, 'unknown'],
];
for (const [schema, type] of types)
  test(`the type of ${JSON.stringify(schema)} is ${type}`, () => assert.equal(typeOf(schema), type));
