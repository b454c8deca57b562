import { describe, expect, it } from '@jest/globals';
import { errorStatus } from './error-codes.js';

/** Contract 3, as far as the operations that exist need it. */
const statuses: Record<number, string[]> = {
  400: [
    'VALIDATION_ERROR',
    'INVALID_JSON',
    'INVALID_CURSOR',
    'MISSING_PARAM',
    'INVALID_REQUEST',
    'INVALID_SLUG',
    'RESERVED_SLUG',
    'INVALID_TYPE',
    'NO_FILE',
    'FILE_NOT_FOUND',
    'UPLOAD_SIZE_MISMATCH',
    'INVALID_REVISION',
    'DUPLICATE_SLUG',
    'REORDER_MISMATCH',
    'COLLECTION_HAS_CONTENT',
    'FIELD_TYPE_COLUMN_CHANGE',
    'FIELD_TYPE_CHANGE_REQUIRES_MIGRATION',
    'FIELD_UPDATE_REQUIRES_MIGRATION',
    'FIELD_NOT_INDEXABLE',
    'SEARCH_NOT_ENABLED',
    'NO_SEARCHABLE_FIELDS',
    'INVALID_TITLE_FIELD',
    'INVALID_DATE_FIELD',
    'REGISTER_FAILED',
    'INVALID_INPUT',
    'UNKNOWN_ACTION',
    'CHALLENGE_EXPIRED',
    'CREDENTIAL_EXISTS',
    'PASSKEY_LIMIT',
    'LAST_PASSKEY',
    'INVALID_STATE',
    'SETUP_COMPLETE',
    'ADMIN_EXISTS',
    'SELF_ROLE_CHANGE',
    'LAST_ADMIN',
    'INVALID_GRANT',
    'INVALID_SCOPE',
    'INVALID_CLIENT_METADATA',
    'INVALID_REDIRECT_URI',
    'UNSUPPORTED_GRANT_TYPE',
    'AUTHORIZATION_PENDING',
    'SLOW_DOWN',
    'ACCESS_DENIED',
    'EXPIRED_TOKEN',
    'INVALID_CODE',
    'EXPIRED_CODE',
    'AMBIGUOUS_LOCALE',
  ],
  401: ['UNAUTHORIZED', 'NOT_AUTHENTICATED', 'INVALID_TOKEN'],
  403: [
    'FORBIDDEN',
    'CSRF_REJECTED',
    'ACCOUNT_DISABLED',
    'DOMAIN_NOT_ALLOWED',
    'COMMENTS_DISABLED',
    'COMMENTS_CLOSED',
    'TURNSTILE_FAILED',
    'INSUFFICIENT_SCOPE',
    'INSUFFICIENT_PERMISSIONS',
    'INSUFFICIENT_ROLE',
  ],
  404: ['NOT_FOUND', 'COLLECTION_NOT_FOUND', 'FIELD_NOT_FOUND', 'TABLE_NOT_FOUND', 'BLOCK_TYPE_NOT_FOUND'],
  405: ['METHOD_NOT_ALLOWED'],
  409: [
    'CONFLICT',
    'SLUG_CONFLICT',
    'COLLECTION_EXISTS',
    'FIELD_EXISTS',
    'TRANSLATABLE_LOCKED',
    'ENTRY_LOCKED',
    'MEDIA_USAGE_ACTIVATION_BUSY',
    'MEDIA_USAGE_ACTIVATION_CONFLICT',
    'MEDIA_USAGE_ACTIVATION_VERSION_MISMATCH',
    'USER_EXISTS',
    'ALREADY_CONFIGURED',
    'EMAIL_IN_USE',
    'WORK_LEASE_ACTIVE',
    'WORK_CHANGED',
    'BLOCK_TYPE_EXISTS',
    'BLOCK_TYPE_BREAKING_CHANGE',
    'BLOCK_TYPE_VERSION_CONFLICT',
  ],
  410: ['TOKEN_EXPIRED'],
  413: ['PAYLOAD_TOO_LARGE'],
  415: ['UNSUPPORTED_MEDIA_TYPE'],
  429: ['RATE_LIMITED'],
  500: [
    'INTERNAL_ERROR',
    'SEED_ERROR',
    'NO_STORAGE',
    'MEDIA_USAGE_ACTIVATION_READ_ERROR',
    'MEDIA_USAGE_ACTIVATION_ADVANCE_ERROR',
  ],
  502: ['BAD_GATEWAY'],
  503: [
    'SERVICE_UNAVAILABLE',
    'EMAIL_NOT_CONFIGURED',
    'MEDIA_USAGE_ACTIVATION_IN_PROGRESS',
    'MEDIA_USAGE_ACTIVATION_CHECK_FAILED',
  ],
  504: ['GATEWAY_TIMEOUT'],
};

describe('the table of error codes (contract 3)', () => {
  const expected = Object.entries(statuses).flatMap(([status, codes]) =>
    codes.map((code) => [code, Number(status)] as const),
  );

  it.each(expected)('%s is %i', (code, status) => {
    expect((errorStatus as Record<string, number>)[code]).toBe(status);
  });

  it('holds no other code', () => {
    expect(Object.keys(errorStatus).sort()).toEqual(expected.map(([code]) => code).sort());
  });
});
