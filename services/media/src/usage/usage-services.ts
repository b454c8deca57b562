import type { ReferringContent } from './referring-content.js';

/** What operations on the usage index work with, beside their context. */
export class UsageServices {
  constructor(readonly content: ReferringContent) {}
}
