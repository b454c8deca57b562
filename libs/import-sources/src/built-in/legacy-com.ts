import { z } from 'zod';
import { parseUrl } from '@quire/values';
import type { Match, SuggestedAction } from '../match/match.js';
import type { ImportSource, ProbeContext } from '../source/import-source.js';
import { exportInstructions, probeOnly } from './probe-only.js';
import { readJson } from './read-json.js';
import { defaultTimeouts, readCounts, readSiteRoot, type ProbeTimeouts, type SiteRoot } from './site-root.js';

const name = 'Hosted site';
const provider = 'legacy-com';
const hostedDomain = 'wordpress.com';
/** Origin of the public API of the hosted edition, which has the content of all its sites. */
export const hostedApiOrigin = `https://public-api.${hostedDomain}`;
/** The namespace of a plugin that only the hosted edition installs, and a header of its servers. */
const hostedNamespace = 'wpcomsh/v1';
const hostedHeader = { name: 'host-header', value: hostedDomain };

const siteSchema = z.object({
  name: z.string().optional().catch(undefined),
  URL: z.string().optional().catch(undefined),
});

/** The OAuth application of the installation at the hosted edition. */
export interface HostedApplication {
  clientId?: string | undefined;
  clientSecret?: string | undefined;
}

/**
 * Detects a site of the hosted edition, by its domain or by the root of its REST API, and suggests to connect it by
 * OAuth (spec document 3, rule 1). Without an application it suggests an export file, and names what is not configured.
 */
export function legacyCom(
  application: HostedApplication,
  timeouts: ProbeTimeouts = defaultTimeouts,
): ImportSource {
  return {
    id: 'legacy-com',
    name,
    description: 'Imports a connected site of the hosted edition.',
    icon: 'plug',
    canProbe: true,
    probe: async (url, context) => {
      const { hostname } = new URL(url);
      const site = isHostedName(hostname)
        ? await readHostedSite(hostname, context, timeouts)
        : await readHostedRoot(url, context, timeouts);
      return site && describe(site, hostname, url, application);
    },
    ...probeOnly(name),
  };
}

type HostedSite = Pick<Match, 'preview'> & Pick<Match['detected'], 'siteTitle' | 'siteUrl'>;

function isHostedName(hostname: string): boolean {
  return hostname.endsWith(`.${hostedDomain}`);
}

/** A site below the hosted edition's domain: the public API knows it by its name. What it does not say is left out. */
async function readHostedSite(
  hostname: string,
  { fetch }: ProbeContext,
  { rootMs, countMs }: ProbeTimeouts,
): Promise<HostedSite> {
  const [site, preview] = await Promise.all([
    readJson({ fetch, timeoutMs: rootMs }, `${hostedApiOrigin}/rest/v1.1/sites/${hostname}?fields=name,URL`),
    readCounts(
      { fetch, timeoutMs: countMs },
      (type) => `${hostedApiOrigin}/wp/v2/sites/${hostname}/${type}?per_page=1`,
    ),
  ]);
  const parsed = siteSchema.safeParse(site?.value).data;
  return { siteTitle: parsed?.name, siteUrl: parsed?.URL, preview };
}

/** A site with a domain of its own: its REST API shows the host. */
async function readHostedRoot(
  url: string,
  context: ProbeContext,
  timeouts: ProbeTimeouts,
): Promise<HostedSite | null> {
  const root = await readSiteRoot(url, context, timeouts);
  if (!root || !isHosted(root)) return null;
  const access = { fetch: context.fetch, timeoutMs: timeouts.countMs };
  const preview = await readCounts(access, (type) => root.addressOf(`/wp/v2/${type}`, { per_page: '1' }));
  return { siteTitle: root.name, siteUrl: root.home ?? root.url, preview };
}

function isHosted({ namespaces, headers, url, home }: SiteRoot): boolean {
  const isHostedUrl = (text: string | undefined) =>
    text !== undefined && isHostedName(parseUrl(text)?.hostname ?? '');
  return (
    namespaces.includes(hostedNamespace) ||
    headers.get(hostedHeader.name)?.toLowerCase() === hostedHeader.value ||
    [url, home].some(isHostedUrl)
  );
}

function describe(
  { siteTitle, siteUrl, preview }: HostedSite,
  hostname: string,
  url: string,
  application: HostedApplication,
): Match {
  const missing = missingVariables(application);
  const oauthUrl = missing.length === 0 ? authorizationUrl(application, hostname) : undefined;
  return {
    sourceId: 'legacy-com',
    confidence: 'definite',
    detected: {
      platform: 'legacy-com',
      ...(siteTitle ? { siteTitle } : {}),
      siteUrl: siteUrl ?? url,
    },
    capabilities: {
      publicContent: true,
      privateContent: oauthUrl !== undefined,
      customPostTypes: false,
      allMeta: false,
      mediaStream: true,
    },
    auth: { type: 'oauth', provider, ...(oauthUrl ? { oauthUrl } : {}) },
    ...(preview ? { preview } : {}),
    suggestedAction: actionFor(oauthUrl, missing),
  };
}

function actionFor(oauthUrl: string | undefined, missing: readonly string[]): SuggestedAction {
  if (oauthUrl !== undefined) return { type: 'oauth', url: oauthUrl, provider };
  const reason = `The connection to the hosted edition is not configured: ${missing.join(' and ')} not set.`;
  return { type: 'upload', instructions: `${reason} ${exportInstructions}` };
}

function missingVariables({ clientId, clientSecret }: HostedApplication): string[] {
  return [
    ...(clientId ? [] : ['LEGACY_COM_CLIENT_ID']),
    ...(clientSecret ? [] : ['LEGACY_COM_CLIENT_SECRET']),
  ];
}

/** The address at which a user authorises the application. The operation adds `redirect_uri` and `state`. */
function authorizationUrl({ clientId = '' }: HostedApplication, hostname: string): string {
  const url = new URL('/oauth2/authorize', hostedApiOrigin);
  url.search = new URLSearchParams({
    client_id: clientId,
    response_type: 'code',
    blog: hostname,
  }).toString();
  return url.href;
}
