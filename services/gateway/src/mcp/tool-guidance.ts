import type { QuireError } from '@quire/errors';
import type { GeneratedTool } from './generated-tool.js';

/** The tool whose call failed. */
export type FailedTool = Pick<GeneratedTool, 'scope' | 'annotations' | 'inputSchema'> & { name: string };

type Guide = (tool: FailedTool, error: QuireError) => string | undefined;

/** The tools that list what the tools of an area take, by the beginning of their names; the first match counts. */
const listTools: readonly [string, string][] = [
  ['content_restore', 'content_list_trashed lists the trash of a collection.'],
  ['content_permanent_delete', 'content_list_trashed lists the trash of a collection.'],
  ['content_', 'schema_list_collections lists collections, and content_list the entries of one.'],
  ['revision_restore', 'revision_list lists the revisions of an entry.'],
  ['revision_', 'schema_list_collections lists collections, and content_list the entries of one.'],
  ['byline_', 'byline_list lists the bylines.'],
  ['media_create', 'Request the upload with POST /_cms/api/media/upload-url first.'],
  ['media_usage_repair', 'schema_list_collections lists the collections.'],
  ['media_', 'media_list lists the media.'],
  ['taxonomy_list_terms', 'taxonomy_list lists the taxonomies.'],
  ['taxonomy_get', 'taxonomy_list lists the taxonomies and their locales.'],
  ['taxonomy_', 'taxonomy_list lists the taxonomies, and taxonomy_list_terms the terms of one.'],
  ['menu_', 'menu_list lists the menus and their locales.'],
  ['schema_get_block_type', 'schema_list_block_types lists the block types.'],
  ['schema_update_block_type', 'schema_list_block_types lists the block types.'],
  ['schema_activate_block_type', 'schema_get_block_type lists the versions of a block type.'],
  ['schema_create_block_type', 'schema_list_block_types lists the block types.'],
  ['schema_', 'schema_list_collections lists collections, and schema_get_collection the fields of one.'],
];

const readThenRetry =
  'The call may have succeeded: read the present state before you repeat a call that writes.';
const anotherUpload = 'Request another upload with POST /_cms/api/media/upload-url as the same user.';
const anotherField =
  'Create another field with schema_create_field, and copy the values with content_update.';
const blockType = 'Read the block type with schema_get_block_type, and repeat on what it returns.';

const latestPlan = 'site_import_analyze returns packageDigest and planDigest of the latest plan.';

/** What to do next after a failure, by code. */
const guides: Readonly<Record<string, Guide>> = {
  NOT_FOUND: ({ name }) => listTools.find(([beginning]) => name.startsWith(beginning))?.[1],
  VALIDATION_ERROR: (tool, error) => sentences([fieldsGuide(tool, error), argumentsGuide(error)]),
  CONFLICT: ({ name }, { details = {} }) => {
    if ('editedAt' in details)
      return 'Read the entry again with content_get, and repeat the change on its values with its _rev.';
    if ('currentFingerprint' in details) return blockType;
    return name === 'content_create' && !('field' in details)
      ? 'content_translations returns the entry of that locale.'
      : undefined;
  },
  SLUG_CONFLICT: ({ name }) => `Choose another slug${name === 'content_create' ? ', or omit it' : ''}.`,
  ENTRY_LOCKED: () =>
    'Ask the holder to finish, or repeat with overrideLock: true if the user agrees. Reading again does not end the lock.',
  ENTRY_LIMIT_EXCEEDED: () =>
    'Nothing was written. Entries in the trash do not count; the provider of the site can raise the limit.',
  STORAGE_QUOTA_EXCEEDED: () =>
    'Nothing was stored. Deleted media do not count; the provider of the site can raise the limit.',
  AMBIGUOUS_LOCALE: () => 'Pass one of them as locale.',
  INVALID_CURSOR: () => 'Omit cursor to begin with the first page, and keep the other arguments the same.',
  INSUFFICIENT_SCOPE: ({ scope }) =>
    `Ask the user for a token with the scope ${[scope].flat().join(' or ')}: in the admin panel under API tokens, or by connecting again and allowing it.`,
  INSUFFICIENT_PERMISSIONS: () =>
    'Another token of this user does not help: an administrator can change the role of the user.',
  TRANSFER_IMPORT_IN_PROGRESS: () =>
    'Nothing was changed, and reading tools work. Retry when the import is complete; after a failed or cancelled import an administrator has to abandon it.',
  TRANSFER_APPROVAL_INVALID: () => 'Repeat the call without approvalId to ask for another approval.',
  TRANSFER_OPERATION_NOT_FOUND: ({ name }) =>
    name.startsWith('site_export')
      ? 'site_export_start returns the id of the operation.'
      : 'The upload of the package, by REST or the command line, returns the id of the operation.',
  TRANSFER_FILE_MISSING: () =>
    'The package has to be uploaded first, by REST or the command line: cms site import FILE.',
  TRANSFER_PACKAGE_DIGEST_MISMATCH: () => latestPlan,
  TRANSFER_PLAN_DIGEST_MISMATCH: () => latestPlan,
  TRANSFER_PLAN_BLOCKED: () => 'site_import_analyze lists the blockers; the user has to remove them.',
  TRANSFER_INVALID_STATE: ({ name }) =>
    `${name.startsWith('site_export') ? 'site_export_status' : 'site_import_status'} returns the present state.`,
  MEDIA_USAGE_ACTIVATION_IN_PROGRESS: () => 'Nothing was changed, and reading tools work. Retry in a minute.',
  COLLECTION_EXISTS: () =>
    'schema_get_collection returns the existing one, and schema_update_collection changes it.',
  COLLECTION_HAS_CONTENT: () => 'That cannot be undone: ask the user first.',
  FIELD_EXISTS: () => 'schema_update_field changes the existing one.',
  BLOCK_TYPE_EXISTS: () => 'schema_update_block_type changes the existing one.',
  BLOCK_TYPE_VERSION_CONFLICT: () => blockType,
  FIELD_TYPE_COLUMN_CHANGE: () => anotherField,
  FIELD_TYPE_CHANGE_REQUIRES_MIGRATION: () => anotherField,
  FIELD_UPDATE_REQUIRES_MIGRATION: () =>
    'Change the entries that violate the new rule with content_update first.',
  RESERVED_SLUG: () => 'Choose another slug.',
  INVALID_STORAGE_KEY: () => anotherUpload,
  INVALID_STATE: ({ name }) => (name === 'media_create' ? anotherUpload : undefined),
  FILE_NOT_FOUND: () =>
    'POST /_cms/api/media/upload-url returns one: upload the file to it before media_create.',
  UPLOAD_SIZE_MISMATCH: () => 'Request another upload with the exact size of the file.',
  RATE_LIMITED: (_, error) => retryAfter(error),
  SERVICE_UNAVAILABLE: (_, error) => `${retryAfter(error)} ${readThenRetry}`,
  GATEWAY_TIMEOUT: () => readThenRetry,
  BAD_GATEWAY: () => readThenRetry,
  INTERNAL_ERROR: () => 'If it happens again, give the requestId of the details to an administrator.',
};

/** Returns what the caller can do next; undefined where the message says it. */
export function guidanceFor(code: string, tool: FailedTool, error: QuireError): string | undefined {
  return guides[code]?.(tool, error);
}

function retryAfter({ retryAfterSeconds }: QuireError): string {
  return retryAfterSeconds === undefined
    ? 'Retry in a few seconds.'
    : `Retry after ${retryAfterSeconds} seconds.`;
}

/** The tools that return the values of an argument, by the name of the argument. */
const sources: Readonly<Record<string, string>> = {
  _rev: 'content_get returns _rev.',
  expectedFingerprint: 'schema_get_block_type returns the fingerprint of the active version.',
  bylines: 'byline_list lists the bylines.',
  taxonomies: 'taxonomy_list_terms lists the terms of a taxonomy.',
  orderBy:
    'Order by createdAt, updatedAt, publishedAt, scheduledAt, slug, status, locale or an indexed field.',
};

function argumentsGuide(error: QuireError): string | undefined {
  const names = new Set(issuesOf(error).map(({ path }) => path.split('.')[0] ?? ''));
  return sentences([...names].map((name) => (Object.hasOwn(sources, name) ? sources[name] : undefined)));
}

function fieldsGuide(tool: FailedTool, error: QuireError): string | undefined {
  return writesFields(tool) && concernsFields(tool, error)
    ? 'schema_get_collection returns the fields of the collection and their rules.'
    : undefined;
}

function sentences(parts: readonly (string | undefined)[]): string | undefined {
  const present = parts.filter((part) => part !== undefined);
  return present.length > 0 ? present.join(' ') : undefined;
}

function issuesOf({ details }: QuireError): readonly { path: string }[] {
  const issues = details?.['issues'];
  return Array.isArray(issues) ? (issues as { path: string }[]) : [];
}

function writesFields({ name }: FailedTool): boolean {
  return name === 'content_create' || name === 'content_update';
}

/** Whether an issue concerns the values of fields: those of other arguments name the argument. */
function concernsFields(tool: FailedTool, error: QuireError): boolean {
  return issuesOf(error).some(({ path }) => {
    const [argument = '', ...rest] = path.split('.');
    return argument === 'data' ? rest.length > 0 : !hasArgument(tool, argument);
  });
}

function hasArgument({ inputSchema }: FailedTool, name: string): boolean {
  const { properties = {} } = inputSchema as { properties?: object };
  return Object.hasOwn(properties, name);
}
