import type { Locales } from '../../locales/index.js';
import type { MediaClient, AuthClient } from '../../clients/index.js';

/** What the manifest is made of, beside the data of the tenant. */
export class ManifestDeps {
  /** @param version of the API */
  constructor(
    readonly locales: Locales,
    readonly users: AuthClient,
    readonly media: MediaClient,
    readonly version: string,
  ) {}
}
