import { describe, expect, it } from '@jest/globals';
import { authApi, contentApi, contentImportApi, mediaApi, type InternalOperation } from './index.js';

const declared = Object.entries({
  auth: authApi,
  content: { ...contentApi, ...contentImportApi },
  media: mediaApi,
}).flatMap(([service, members]) =>
  Object.entries(members)
    .filter((member): member is [string, InternalOperation] => isOperation(member[1]))
    .map(([name, operation]) => ({ service, name, operation })),
);

function isOperation(member: unknown): member is InternalOperation {
  return typeof member === 'object' && member !== null && 'access' in member;
}

describe('declareInternalOperation', () => {
  it.each(declared)('declares $service.$name for system principals only', ({ service, name, operation }) => {
    expect(operation).toMatchObject({
      id: name,
      method: operation.body ? 'POST' : 'GET',
      access: 'internal',
      scope: null,
      isDocumented: false,
    });
    expect(operation.path).toMatch(new RegExp(`^internal/${service}/[a-z][a-z/-]*$`));
  });

  it('declares every method and path once', () => {
    const routes = declared.map(({ operation: { method, path } }) => `${method} ${path}`);
    expect(new Set(routes).size).toBe(routes.length);
  });
});
