import { legacyCom, legacyRest, type HostedApplication, type ImportSource } from '@quire/import-sources';
import { ImportSources } from './import-sources.js';
import { hostedContent } from './hosted/index.js';
import { createSourceNetwork, type SourceNetwork } from './source-network.js';
import { wxr } from './wxr.js';

/** The settings of the installation that concern import sources. */
export interface SourceConfiguration {
  /** The OAuth application at the hosted edition. */
  application: HostedApplication;
  /** `import.sources` of the site configuration. */
  configured: readonly ImportSource[];
}

/**
 * The built-in sources and then the configured ones. The hosted edition precedes the self-hosted one, because a hosted
 * site with a domain of its own is a definite match of both.
 */
export function createImportSources(
  { application, configured }: SourceConfiguration,
  network: SourceNetwork = createSourceNetwork(),
): ImportSources {
  const hosted: ImportSource = { ...legacyCom(application), ...hostedContent() };
  return new ImportSources([wxr(), hosted, legacyRest(), ...configured], network);
}
