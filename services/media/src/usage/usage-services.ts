import type { Logger } from '@quire/observability';
import type { ReferringContent } from './referring-content.js';

/** What operations on the usage index work with, beside their context. */
export class UsageServices {
  constructor(
    readonly content: ReferringContent,
    /** Told why something failed: clients are told a code alone. */
    readonly logger: Pick<Logger, 'warn'>,
  ) {}
}
