import type { Match } from '../match/match.js';
import type { ImportSource, ProbeContext } from '../source/import-source.js';
import { exportInstructions, probeOnly } from './probe-only.js';
import { readLanguages } from './site-languages.js';
import { defaultTimeouts, readCounts, readSiteRoot, type ProbeTimeouts, type SiteRoot } from './site-root.js';

const name = 'Self-hosted site';
const contentNamespace = 'wp/v2';

/**
 * Detects a self-hosted site by the root of its REST API, with the numbers of its published items (spec document 3,
 * rule 1). The content is imported from an export file.
 */
export function legacyRest(timeouts: ProbeTimeouts = defaultTimeouts): ImportSource {
  return {
    id: 'legacy-rest',
    name,
    description: 'Detects a self-hosted site and the number of its published items.',
    icon: 'globe',
    canProbe: true,
    probe: async (url, context) => {
      const root = await readSiteRoot(url, context, timeouts);
      return root?.namespaces.includes(contentNamespace) ? describe(root, url, context, timeouts) : null;
    },
    ...probeOnly(name),
  };
}

async function describe(
  root: SiteRoot,
  url: string,
  { fetch }: ProbeContext,
  { countMs }: ProbeTimeouts,
): Promise<Match> {
  const access = { fetch, timeoutMs: countMs };
  const [preview, i18n] = await Promise.all([
    readCounts(access, (type) => root.addressOf(`/${contentNamespace}/${type}`, { per_page: '1' })),
    readLanguages(access, root),
  ]);
  return {
    sourceId: 'legacy-rest',
    confidence: 'definite',
    detected: {
      platform: 'legacy',
      ...(root.name ? { siteTitle: root.name } : {}),
      siteUrl: root.home ?? root.url ?? url,
    },
    capabilities: {
      publicContent: true,
      privateContent: false,
      customPostTypes: false,
      allMeta: false,
      mediaStream: true,
    },
    ...(hasApplicationPasswords(root) ? { auth: passwordAuth } : {}),
    ...(preview ? { preview } : {}),
    suggestedAction: { type: 'upload', instructions: exportInstructions },
    ...(i18n ? { i18n } : {}),
  };
}

const passwordAuth: NonNullable<Match['auth']> = {
  type: 'password',
  instructions:
    'The site supports application passwords. Drafts and private content are part of the export file, ' +
    'so the import needs none.',
};

function hasApplicationPasswords({ authentication }: SiteRoot): boolean {
  return Object.hasOwn(authentication, 'application-passwords');
}
