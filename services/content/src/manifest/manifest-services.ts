import type { Locales } from '../locales/index.js';
import type { MediaDirectory } from '../media/index.js';
import type { UserDirectory } from '../users/index.js';

/** What the manifest is made of, beside the data of the tenant. */
export class ManifestServices {
  /** @param version of the API */
  constructor(
    readonly locales: Locales,
    readonly users: UserDirectory,
    readonly media: MediaDirectory,
    readonly version: string,
  ) {}
}
