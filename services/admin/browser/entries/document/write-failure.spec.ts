import { expect, it } from '@jest/globals';
import { apiError, networkError } from './fake-server.fixture.js';
import { toWriteFailure } from './write-failure.js';

it.each([
  ['a cut connection', networkError(), { kind: 'connection' }],
  ['an error of the server', apiError(500, 'INTERNAL_ERROR'), { kind: 'connection' }],
  ['a page of a proxy', apiError(200, 'UNEXPECTED_RESPONSE'), { kind: 'connection' }],
  ['too many requests', apiError(429, 'RATE_LIMITED'), { kind: 'connection' }],
  ['a running import', apiError(503, 'TRANSFER_IMPORT_IN_PROGRESS'), { kind: 'read-only' }],
  ['a starting activation', apiError(503, 'MEDIA_USAGE_ACTIVATION_CHECK_FAILED'), { kind: 'read-only' }],
  ['a service that starts', apiError(503, 'SERVICE_UNAVAILABLE'), { kind: 'connection' }],
  ['no session', apiError(401, 'NOT_AUTHENTICATED'), { kind: 'signed-out' }],
  ['a redirect of a proxy', apiError(0, 'REDIRECTED'), { kind: 'signed-out' }],
  ['a disabled account', apiError(403, 'ACCOUNT_DISABLED'), { kind: 'account-disabled' }],
  ['a missing permission', apiError(403, 'FORBIDDEN'), { kind: 'denied' }],
  ['a missing entry', apiError(404, 'NOT_FOUND'), { kind: 'gone' }],
  ['a body that is too large', apiError(413, 'PAYLOAD_TOO_LARGE'), { kind: 'rejected' }],
  ['a fault of the panel', new TypeError('x'), { kind: 'rejected' }],
  ['a stale version', apiError(409, 'CONFLICT', { editedBy: null }), { kind: 'stale', editedBy: null }],
  ['a malformed version', apiError(409, 'CONFLICT'), { kind: 'stale', editedBy: null }],
  ['an invalid value without a place', apiError(400, 'VALIDATION_ERROR'), { kind: 'invalid', issues: [] }],
  ['a lease without a holder', apiError(409, 'ENTRY_LOCKED'), { kind: 'locked', holder: undefined }],
])('%s', (_, error, failure) => {
  expect(toWriteFailure(error)).toMatchObject(failure);
});
