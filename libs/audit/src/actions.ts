import type { ServiceName } from '@quire/topology';

/** Details of an event that its target describes completely. */
type NoDetails = Record<string, never>;

/**
 * The events that the content, media, search and transfer services record, with the details of each action. Details
 * are ids, slugs, digests, numbers and names of fields or settings: never contents, addresses or secrets.
 */
export interface AuditActions {
  'settings.updated': { settings: string[] };
  'collection.created': NoDetails;
  /** `fields` are names of settings of the collection, including the settings of its comments. */
  'collection.updated': { fields: string[] };
  'collection.deleted': { force: boolean };
  'collection.reordered': NoDetails;
  'field.created': { collection: string; type: string };
  'field.updated': { collection: string; fields: string[] };
  'field.converted': { collection: string; fields: string[] };
  'field.deleted': { collection: string };
  'field.reordered': NoDetails;
  'block-type.created': NoDetails;
  'block-type.updated': { fields: string[]; version: number };
  'block-type.version-activated': { version: number };
  'relation.created': { parentCollection: string; childCollection: string };
  'relation.updated': { fields: string[] };
  'relation.deleted': { force: boolean };
  'orphan.registered': NoDetails;
  'entry.deleted': { collection: string };
  'comment.deleted': NoDetails;
  'preview-link.created': { collection: string; expiresAt: string };
  'redirect.created': NoDetails;
  'redirect.updated': { fields: string[] };
  'redirect.deleted': NoDetails;
  'media.deleted': NoDetails;
  'media-usage.activation-started': NoDetails;
  'media-usage.activated': NoDetails;
  'media-usage.repair-started': NoDetails;
  'search.enabled': NoDetails;
  'search.disabled': NoDetails;
  'search.rebuild-started': NoDetails;
  'site-import.started': { packageDigest: string; planDigest: string };
  'site-import.abandoned': NoDetails;
  'transfer-approval.requested': { action: string; tokenId: string };
  'transfer-approval.approved': { action: string; tokenId: string };
  'transfer-approval.denied': { action: string; tokenId: string };
  'transfer-approval.used': { action: string; tokenId: string; operationId: string };
  /** `clientId` is the application of an OAuth token; null for a personal token. */
  'tool.called': { tool: string; tokenId: string | null; clientId: string | null };
}

/** Services that record events by this library. */
export type AuditingService = Extract<ServiceName, 'content' | 'media' | 'search' | 'transfer'>;

export type AuditAction = keyof AuditActions;

type ActionDescriptions = {
  [Action in AuditAction]: {
    /** The service whose outbox the event is written to; null where several services record it. */
    service: AuditingService | null;
    /** Type of the target; null where the site itself is meant. */
    target: string | null;
    details?: readonly (keyof AuditActions[Action] & string)[];
    summary: string;
  };
};

/** Every action of these services. docs/audit.md lists them. */
export const auditActions: ActionDescriptions = {
  'settings.updated': {
    service: 'content',
    target: null,
    details: ['settings'],
    summary: 'Site settings were changed',
  },
  'collection.created': { service: 'content', target: 'collection', summary: 'A collection was created' },
  'collection.updated': {
    service: 'content',
    target: 'collection',
    details: ['fields'],
    summary: 'Settings of a collection were changed, those of its comments included',
  },
  'collection.deleted': {
    service: 'content',
    target: 'collection',
    details: ['force'],
    summary: 'A collection was deleted, with its entries where `force` is true',
  },
  'collection.reordered': { service: 'content', target: null, summary: 'Collections were reordered' },
  'field.created': {
    service: 'content',
    target: 'field',
    details: ['collection', 'type'],
    summary: 'A field was added to a collection',
  },
  'field.updated': {
    service: 'content',
    target: 'field',
    details: ['collection', 'fields'],
    summary: 'A field was changed',
  },
  'field.converted': {
    service: 'content',
    target: 'field',
    details: ['collection', 'fields'],
    summary: 'A reference field was converted to one that views a relation',
  },
  'field.deleted': {
    service: 'content',
    target: 'field',
    details: ['collection'],
    summary: 'A field was deleted with its values',
  },
  'field.reordered': {
    service: 'content',
    target: 'collection',
    summary: 'Fields of a collection were reordered',
  },
  'block-type.created': { service: 'content', target: 'block-type', summary: 'A block type was created' },
  'block-type.updated': {
    service: 'content',
    target: 'block-type',
    details: ['fields', 'version'],
    summary: 'A block type was changed; `version` is the active one afterwards',
  },
  'block-type.version-activated': {
    service: 'content',
    target: 'block-type',
    details: ['version'],
    summary: 'Another version of a block type was made the active one',
  },
  'relation.created': {
    service: 'content',
    target: 'relation',
    details: ['parentCollection', 'childCollection'],
    summary: 'A relation was created',
  },
  'relation.updated': {
    service: 'content',
    target: 'relation',
    details: ['fields'],
    summary: 'A relation was changed',
  },
  'relation.deleted': {
    service: 'content',
    target: 'relation',
    details: ['force'],
    summary: 'A relation was deleted, with its fields and links where `force` is true',
  },
  'orphan.registered': {
    service: 'content',
    target: 'collection',
    summary: 'A collection was made of an orphaned table',
  },
  'entry.deleted': {
    service: 'content',
    target: 'entry',
    details: ['collection'],
    summary: 'A trashed entry was deleted permanently',
  },
  'comment.deleted': { service: 'content', target: 'comment', summary: 'A comment was deleted permanently' },
  'preview-link.created': {
    service: 'content',
    target: 'entry',
    details: ['collection', 'expiresAt'],
    summary: 'A preview link was made',
  },
  'redirect.created': { service: 'content', target: 'redirect', summary: 'A redirect was created' },
  'redirect.updated': {
    service: 'content',
    target: 'redirect',
    details: ['fields'],
    summary: 'A redirect was changed',
  },
  'redirect.deleted': { service: 'content', target: 'redirect', summary: 'A redirect was deleted' },
  'media.deleted': { service: 'media', target: 'media', summary: 'A media item was deleted permanently' },
  'media-usage.activation-started': {
    service: 'media',
    target: null,
    summary: 'The activation of media usage was started',
  },
  'media-usage.activated': { service: 'media', target: null, summary: 'Media usage was activated' },
  'media-usage.repair-started': {
    service: 'media',
    target: 'collection',
    summary: 'A repair of media usage was started; without a target, of all collections',
  },
  'search.enabled': {
    service: 'search',
    target: 'collection',
    summary: 'A collection was made searchable, or how it is searched was changed',
  },
  'search.disabled': {
    service: 'search',
    target: 'collection',
    summary: 'A collection was taken out of the search',
  },
  'search.rebuild-started': {
    service: 'search',
    target: 'collection',
    summary: 'A rebuild of the search index of a collection was started',
  },
  'site-import.started': {
    service: 'transfer',
    target: 'site-import',
    details: ['packageDigest', 'planDigest'],
    summary: 'The import of a package into the site was started',
  },
  'site-import.abandoned': {
    service: 'transfer',
    target: 'site-import',
    summary: 'An import was abandoned; what it had written was deleted',
  },
  'transfer-approval.requested': {
    service: 'transfer',
    target: 'approval',
    details: ['action', 'tokenId'],
    summary: 'A token without the scope asked to start an export or import of the site',
  },
  'transfer-approval.approved': {
    service: 'transfer',
    target: 'approval',
    details: ['action', 'tokenId'],
    summary: 'A request to start an export or import was approved',
  },
  'transfer-approval.denied': {
    service: 'transfer',
    target: 'approval',
    details: ['action', 'tokenId'],
    summary: 'A request to start an export or import was denied',
  },
  'transfer-approval.used': {
    service: 'transfer',
    target: 'approval',
    details: ['action', 'tokenId', 'operationId'],
    summary: 'An approved request started an export or import',
  },
  'tool.called': {
    service: null,
    target: null,
    details: ['tool', 'tokenId', 'clientId'],
    summary:
      'A writing MCP tool was called with sufficient scope and role; the target is the object that it names',
  },
};
