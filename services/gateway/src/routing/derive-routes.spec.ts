import { describe, expect, it } from '@jest/globals';
import { declareOperation, type NamespaceDeclaration, type OperationDeclaration } from '@quire/operation';
import { z } from 'zod';
import { deriveRoutes } from './derive-routes.js';

const operation = (
  path: string,
  { method = 'GET', ...rest }: Partial<OperationDeclaration> = {},
): OperationDeclaration =>
  declareOperation({
    id: `${method} ${path}`,
    method,
    path,
    summary: 'An operation',
    tag: 'Tests',
    access: 'public',
    scope: null,
    response: z.undefined(),
    ...rest,
  });

const derive = (
  operations: OperationDeclaration[],
  namespaces: NamespaceDeclaration[] = [],
  others: OperationDeclaration[] = [],
) =>
  deriveRoutes([
    { service: 'one', operations, namespaces },
    { service: 'two', operations: others, namespaces: [] },
  ]);

describe('deriveRoutes', () => {
  it('gives a service all paths below one that only it has, without default rules', () => {
    expect(derive([operation('books/:id'), operation('books/:id', { method: 'PUT' })])).toEqual({
      one: { '/_cms/api/books': { '': {}, '/*': {}, '/:id': {} } },
    });
  });

  it('divides paths below which several services have operations', () => {
    expect(derive([operation('admin/books')], [], [operation('admin/shelves/:id')])).toEqual({
      one: { '/_cms/api/admin/books': { '': {}, '/*': {} } },
      two: { '/_cms/api/admin/shelves': { '': {}, '/*': {}, '/:id': {} } },
    });
  });

  it('gives undeclared paths below a shared path to the service that declares to serve them', () => {
    const own = [operation('/_cms/pages'), operation('/_cms/pages/one')];
    const namespaces = [{ path: '/_cms/pages', csrf: 'form', servesUndeclaredPaths: true }] as const;
    expect(derive(own, [...namespaces], [operation('/_cms/pages/two')])).toEqual({
      one: {
        '/_cms/pages': { '': { csrf: 'form' }, '/*': { csrf: 'form' } },
        '/_cms/pages/one': { '': { csrf: 'form' }, '/*': { csrf: 'form' } },
      },
      two: { '/_cms/pages/two': { '': {}, '/*': {} } },
    });
  });

  it.each(['/_cms', '/.well-known/thing', '/_cms/.well-known/thing'])(
    'gives no service the shared paths before %s',
    (path) => {
      expect(Object.keys(derive([operation(path)])['one'] ?? {})).toEqual([path]);
    },
  );

  it.each(['internal', 'delegated'] as const)('has no route for operations with the access %s', (access) => {
    expect(derive([operation('internal/one/books', { access })])).toEqual({});
  });

  it('uses the rules of the operation, else of the longest namespace around it', () => {
    const operations = [
      operation('books'),
      operation('books/rare/:id'),
      operation('books/rare/list', { underEdgeAccess: 'public' }),
    ];
    const namespaces = [
      { path: 'books/rare', underEdgeAccess: 'protected' },
      { path: 'books', underEdgeAccess: 'disabled', csrf: 'form' },
    ] as const;
    expect(derive(operations, [...namespaces])['one']).toEqual({
      '/_cms/api/books': {
        '': { csrf: 'form', underEdgeAccess: 'disabled' },
        '/*': { csrf: 'form', underEdgeAccess: 'disabled' },
        '/rare/*': { csrf: 'form' },
        '/rare/:id': { csrf: 'form' },
        '/rare/list': { csrf: 'form', underEdgeAccess: 'public' },
      },
    });
  });

  it('applies no CSRF protection to operations of any origin', () => {
    const operations = [
      operation('a', { method: 'POST', crossOrigin: true }),
      operation('b', { crossOrigin: true }),
    ];
    expect(derive(operations)['one']).toMatchObject({
      '/_cms/api/a': { '': { csrf: 'none' } },
      '/_cms/api/b': { '': {} },
    });
  });

  it('reads what is available during imports from the unsafe operations of a path, or its namespace', () => {
    const operations = [
      operation('a'),
      operation('a', { method: 'POST', availableDuringImport: true }),
      operation('b/c', { method: 'POST' }),
      operation('d', { method: 'POST' }),
    ];
    expect(derive(operations, [{ path: 'b', availableDuringImport: true }])['one']).toEqual({
      '/_cms/api/a': { '': { availableDuringImport: true }, '/*': {} },
      '/_cms/api/b': {
        '': { availableDuringImport: true },
        '/*': { availableDuringImport: true },
        '/c': { availableDuringImport: true },
      },
      '/_cms/api/d': { '': {}, '/*': {} },
    });
  });

  it.each<[string, OperationDeclaration[], Parameters<typeof derive>[1], string]>([
    [
      'operations of one path with different rules',
      [operation('a/:id', { underEdgeAccess: 'public' }), operation('a/:name', { method: 'PUT' })],
      [],
      'GET a/:id, PUT a/:name: one path, but different underEdgeAccess',
    ],
    [
      'a namespace without operations',
      [operation('a')],
      [{ path: 'b', csrf: 'none' }],
      'one: no operation is declared near the namespace /_cms/api/b',
    ],
    [
      'a path of two services',
      [operation('a/:id'), operation('a/:id/b')],
      [],
      'one and two both have /_cms/api/a/:name',
    ],
  ])('throws for %s', (_, operations, namespaces, message) => {
    expect(() => derive(operations, namespaces, [operation('a/:name')])).toThrow(message);
  });
});
