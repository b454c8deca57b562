import { describe, expect, it } from '@jest/globals';
import { errorStatus, invalidInput, QuireError, type ErrorCode } from '@quire/errors';
import { toToolFailure } from './tool-failure.js';
import type { FailedTool } from './tool-guidance.js';

const toolOf = (name: string, ...properties: string[]): FailedTool => ({
  name,
  scope: 'content:write',
  annotations: {},
  inputSchema: { properties: Object.fromEntries(properties.map((property) => [property, {}])) },
});
const update = toolOf('content_update', 'collection', 'id', 'data', '_rev', 'locale');
const eitherScope: FailedTool = { ...update, scope: ['transfer:analyze', 'transfer:execute'] };
const textOf = (code: ErrorCode, tool: FailedTool = update, message = 'It failed') =>
  toToolFailure(new QuireError(code, message), tool).text;

describe('toToolFailure (contract 2.1)', () => {
  it('begins with the code, and repeats it', () => {
    const failure = toToolFailure(new QuireError('BLOCK_TYPE_BREAKING_CHANGE', 'Field x is in use'), update);
    expect(failure).toEqual({
      code: 'BLOCK_TYPE_BREAKING_CHANGE',
      text: '[BLOCK_TYPE_BREAKING_CHANGE] Field x is in use',
    });
  });

  it.each<[ErrorCode, string]>([
    ['FORBIDDEN', 'INSUFFICIENT_PERMISSIONS'],
    ['COLLECTION_NOT_FOUND', 'NOT_FOUND'],
    ['FIELD_NOT_FOUND', 'NOT_FOUND'],
    ['BLOCK_TYPE_NOT_FOUND', 'NOT_FOUND'],
    ['INVALID_REQUEST', 'VALIDATION_ERROR'],
    ['INVALID_REVISION', 'VALIDATION_ERROR'],
    ['INVALID_TITLE_FIELD', 'VALIDATION_ERROR'],
    ['INVALID_DATE_FIELD', 'VALIDATION_ERROR'],
    ['ENTRY_LOCKED', 'ENTRY_LOCKED'],
    ['SLUG_CONFLICT', 'SLUG_CONFLICT'],
    ['INVALID_STATE', 'INVALID_STATE'],
  ])('gives %s the code %s', (code, expected) => {
    expect(toToolFailure(new QuireError(code, 'm'), update).code).toBe(expected);
    expect(textOf(code)).toMatch(new RegExp(`^\\[${expected}\\] `));
  });

  it('keeps the details', () => {
    const details = { userId: 'u', userName: 'Ada' };
    expect(toToolFailure(new QuireError('ENTRY_LOCKED', 'm', { details }), update).details).toEqual(details);
  });

  it('bounds the text and the issues, because clients cut long results', () => {
    const issues = Array.from({ length: 400 }, (_, index) => ({
      path: `data.field_${index}`,
      message: 'x'.repeat(50),
    }));
    const { text, details } = toToolFailure(invalidInput(issues), update);
    expect(text.length).toBeLessThan(10_000);
    expect(details).toMatchObject({ issueCount: 400 });
    expect(details?.['issues']).toHaveLength(50);
  });

  it('has a bounded text for every code', () => {
    for (const code of Object.keys(errorStatus) as ErrorCode[])
      expect(textOf(code, update, 'm'.repeat(20_000)).length).toBeLessThan(10_000);
  });
});

describe('what to do next', () => {
  it.each<[string, ErrorCode, FailedTool, string]>([
    ['the tools that list ids', 'NOT_FOUND', update, 'schema_list_collections'],
    ['the tools that list ids', 'NOT_FOUND', update, 'content_list'],
    ['the trash', 'NOT_FOUND', toolOf('content_restore'), 'content_list_trashed'],
    ['the list of media', 'NOT_FOUND', toolOf('media_get'), 'media_list'],
    ['the list of menus', 'NOT_FOUND', toolOf('menu_delete'), 'menu_list'],
    ['the list of terms', 'NOT_FOUND', toolOf('taxonomy_update_term'), 'taxonomy_list_terms'],
    ['the list of fields', 'FIELD_NOT_FOUND', toolOf('schema_update_field'), 'schema_get_collection'],
    ['another field', 'FIELD_TYPE_COLUMN_CHANGE', toolOf('schema_update_field'), 'schema_create_field'],
    ['the entries first', 'FIELD_UPDATE_REQUIRES_MIGRATION', toolOf('schema_update_field'), 'content_update'],
    ['the trash', 'ENTRY_LIMIT_EXCEEDED', toolOf('content_create'), 'trash do not count'],
    ['deleted media', 'STORAGE_QUOTA_EXCEEDED', toolOf('media_upload'), 'Deleted media do not count'],
    ['another upload', 'INVALID_STORAGE_KEY', toolOf('media_create'), 'upload-url'],
    ['another upload', 'INVALID_STATE', toolOf('media_create'), 'upload-url'],
    ['the list of block types', 'NOT_FOUND', toolOf('schema_get_block_type'), 'schema_list_block_types'],
    ['how to write in spite of a lock', 'ENTRY_LOCKED', update, 'overrideLock: true'],
    ['to give a locale', 'AMBIGUOUS_LOCALE', toolOf('menu_update'), 'locale'],
    ['to begin a list again', 'INVALID_CURSOR', toolOf('content_list'), 'Omit cursor'],
    ['the missing scope', 'INSUFFICIENT_SCOPE', update, 'content:write'],
    ['each sufficient scope', 'INSUFFICIENT_SCOPE', eitherScope, 'transfer:analyze or transfer:execute'],
    ['where to get the scope', 'INSUFFICIENT_SCOPE', update, 'API tokens'],
    ['who can change the role', 'FORBIDDEN', update, 'administrator'],
    ['to retry after the activation', 'MEDIA_USAGE_ACTIVATION_IN_PROGRESS', update, 'Retry'],
    ['to retry after an outage', 'SERVICE_UNAVAILABLE', update, 'Retry in a few seconds'],
    ['the result may be there', 'GATEWAY_TIMEOUT', update, 'may have succeeded'],
    ['the user', 'COLLECTION_HAS_CONTENT', toolOf('schema_delete_collection'), 'ask the user'],
    ['where to get an address', 'FILE_NOT_FOUND', toolOf('media_create'), 'upload-url'],
  ])('names %s after %s', (_, code, tool, expected) => {
    expect(textOf(code, tool)).toMatch(/^\[\w+\] It failed\. /);
    expect(textOf(code, tool)).toContain(expected);
  });

  it.each<[string, FailedTool, Record<string, unknown>, string | undefined]>([
    ['a stale _rev', update, { editedAt: '2026-01-01T00:00:00.000Z' }, 'content_get'],
    ['a stale fingerprint', toolOf('schema_update_block_type'), { currentFingerprint: 'f' }, 'block_type'],
    ['a translation that exists', toolOf('content_create'), {}, 'content_translations'],
    ['a unique value', toolOf('content_create'), { field: 'email' }, undefined],
    ['a name that is taken', toolOf('menu_create'), {}, undefined],
  ])('after CONFLICT of %s fits the conflict', (_, tool, details, expected) => {
    const { text } = toToolFailure(new QuireError('CONFLICT', 'It failed', { details }), tool);
    if (expected === undefined) expect(text).toBe('[CONFLICT] It failed');
    else expect(text).toContain(expected);
  });

  it.each([
    ['_rev', 'content_get'],
    ['expectedFingerprint', 'schema_get_block_type'],
    ['bylines.0.bylineId', 'byline_list'],
    ['taxonomies.tags', 'taxonomy_list_terms'],
    ['orderBy', 'publishedAt'],
  ])('names the source of %s after an issue: %s', (path, expected) => {
    expect(toToolFailure(invalidInput([{ path, message: 'is wrong' }]), update).text).toContain(expected);
  });

  it.each([
    ['data.titel', true],
    ['titel', true],
    ['data', false],
    ['locale', false],
  ])('names schema_get_collection after an issue of %s: %s', (path, expected) => {
    const { text } = toToolFailure(invalidInput([{ path, message: 'is wrong' }]), update);
    expect(text.includes('schema_get_collection')).toBe(expected);
  });

  it('says when to retry where the error says it', () => {
    const error = new QuireError('RATE_LIMITED', 'Too many', { retryAfterSeconds: 7 });
    expect(toToolFailure(error, update).text).toBe('[RATE_LIMITED] Too many. Retry after 7 seconds.');
  });
});
