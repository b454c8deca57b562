import type { Logger } from '@quire/observability';
import type { ContentReferencesClient } from './content-references.client.js';

/** Dependencies of the media usage operations. */
export class UsageDeps {
  constructor(
    readonly content: ContentReferencesClient,
    /** Told why something failed: clients are told a code alone. */
    readonly logger: Pick<Logger, 'warn'>,
  ) {}
}
