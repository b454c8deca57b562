import { describe, expect, it } from '@jest/globals';
import { mergeDocuments } from './merge-documents.js';

const options = { version: '1.2.3', baseUrl: 'https://site.example', maxUploadBytes: 1000 };
const part = (path: string, operationId: string, schemas: Record<string, unknown> = {}) => ({
  paths: { [path]: { get: { operationId, tags: ['Content'] } } },
  tags: [
    { name: 'Content', description: 'Entries' },
    { name: 'Media', description: 'Files' },
  ],
  components: { schemas },
});

describe('mergeDocuments (document 1, Versioning)', () => {
  it('merges paths, schemas, used tags and security schemes', () => {
    const document = mergeDocuments(
      [part('/b', 'two', { Entry: { type: 'object' } }), part('/a', 'one', { Entry: { type: 'object' } })],
      options,
    ) as Record<string, Record<string, object>>;
    expect(Object.keys(document['paths'] ?? {})).toEqual(['/a', '/b']);
    expect(document['components']?.['schemas']).toEqual({ Entry: { type: 'object' } });
    expect(document['tags']).toEqual([{ name: 'Content', description: expect.any(String) }]);
    expect(document['info']).toMatchObject({ version: '1.2.3', 'x-max-upload-bytes': 1000 });
    expect(document['components']?.['securitySchemes']).toMatchObject({
      session: { name: 'cms_session', description: expect.stringContaining('__Host-cms_session') },
      bearer: { scheme: 'bearer' },
    });
  });

  it('replaces the upload limit mark of numbers and files by the limit', () => {
    const mark = { 'x-limited-to-max-upload-bytes': true };
    const size = { type: 'integer', minimum: 0, maximum: 9_007_199_254_740_991, ...mark };
    const file = { type: 'string', format: 'binary', ...mark };
    const document = mergeDocuments([part('/a', 'one', { Upload: { properties: { size, file } } })], options);
    expect(document).toMatchObject({
      components: {
        schemas: {
          Upload: {
            properties: {
              size: { type: 'integer', minimum: 0, maximum: 1000 },
              file: { type: 'string', format: 'binary', maxLength: 1000 },
            },
          },
        },
      },
    });
    expect(JSON.stringify(document)).not.toContain('x-limited-to');
  });

  it('merges the methods of one path', () => {
    const other = { paths: { '/a': { post: { operationId: 'two' } } } };
    expect(mergeDocuments([part('/a', 'one'), other], options)).toMatchObject({
      paths: { '/a': { get: { operationId: 'one' }, post: { operationId: 'two' } } },
    });
  });

  it('orders the tags of all services by name', () => {
    const other = {
      paths: { '/b': { get: { operationId: 'two', tags: ['Comments'] } } },
      tags: [{ name: 'Comments', description: 'Comments' }],
    };
    expect(mergeDocuments([part('/a', 'one'), other], options)).toMatchObject({
      tags: [{ name: 'Comments' }, { name: 'Content' }],
    });
  });

  it('throws for a duplicate operation id or schema name', () => {
    expect(() => mergeDocuments([part('/a', 'one'), part('/b', 'one')], options)).toThrow(
      'Two services declare the operation one',
    );
    const schemas = [{ Entry: { type: 'object' } }, { Entry: { type: 'string' } }] as const;
    expect(() =>
      mergeDocuments([part('/a', 'one', schemas[0]), part('/b', 'two', schemas[1])], options),
    ).toThrow('Two services describe Entry differently');
  });
});
