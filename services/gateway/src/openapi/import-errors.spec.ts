import { describe, expect, it } from '@jest/globals';
import { defaultGatewayRules } from '@quire/operation';
import { withImportErrors } from './import-errors.js';

const operation = {
  operationId: 'one',
  responses: { 200: { description: 'Good' }, 503: { description: 'A' } },
};
const routeOf = (path: string) => ({
  ...defaultGatewayRules,
  service: 'content',
  availableDuringImport: path === '/open',
});

describe('withImportErrors', () => {
  it('adds the codes to the 503 response of a write', () => {
    expect(withImportErrors(operation, { path: '/a', method: 'post' }, routeOf)).toEqual({
      operationId: 'one',
      responses: {
        200: { description: 'Good' },
        503: { description: 'A, TRANSFER_IMPORT_IN_PROGRESS, TRANSFER_FENCE_CHECK_FAILED' },
      },
    });
  });

  it.each([
    { path: '/a', method: 'get' },
    { path: '/open', method: 'post' },
  ])('leaves $method $path unchanged', (address) => {
    expect(withImportErrors(operation, address, routeOf)).toBe(operation);
  });
});
