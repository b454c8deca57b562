import type { Logger } from '@quire/observability';
import type { ContentReferencesClient } from './content-references.client.js';

/** Dependencies of the media usage operations. */
export class UsageDeps {
  constructor(
    readonly content: ContentReferencesClient,
    /** Receives the causes of failures: clients get only a code. */
    readonly logger: Pick<Logger, 'warn'>,
  ) {}
}
