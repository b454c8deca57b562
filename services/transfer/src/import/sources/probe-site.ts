import type { Context } from '@quire/context';
import {
  exportInstructions,
  matchSchema,
  type ImportSource,
  type Match,
  type MatchInput,
  type ProbeContext,
  type SuggestedAction,
} from '@quire/import-sources';
import type { Logger } from '@quire/observability';
import { beginAuthorization } from '../connections/index.js';
import type { ImportSources } from './import-sources.js';
import { assertPublicAddress, withSignal } from './source-network.js';
import type { ProbeResponse } from './sources.schemas.js';

/** Above the sum of the limits of a built-in source: two requests of 10 s for the root, and 5 s for the numbers. */
const defaultSourceTimeoutMs = 26_000;

const confidences: readonly Match['confidence'][] = ['definite', 'likely', 'possible'];
const legacySources = ['legacy-com', 'legacy-rest'];
const uploadAction: SuggestedAction = {
  type: 'upload',
  instructions: `No import source recognises the site. ${exportInstructions}`,
};

export interface ProbeDeps {
  sources: ImportSources;
  logger: Logger;
  /** Time limit of one source; for tests. */
  sourceTimeoutMs?: number;
}

/**
 * Detects the platform of a site, and begins the authorization request of a match that suggests one.
 * @throws QuireError SSRF_BLOCKED, see `probeSite`
 */
export async function probeSiteForUser(ctx: Context, deps: ProbeDeps, url: string): Promise<ProbeResponse> {
  const { success, result } = await probeSite(ctx, deps, url);
  const allMatches = await Promise.all(result.allMatches.map((match) => beginAuthorization(ctx, match, url)));
  const [bestMatch = null] = allMatches;
  const suggestedAction = bestMatch?.suggestedAction ?? result.suggestedAction;
  return { success, result: { ...result, bestMatch, allMatches, suggestedAction } };
}

/**
 * Detects the platform of a site: all sources examine it at once (spec document 3, rule 1; sheet import-and-fields,
 * 1.1). A source that fails, exceeds the time limit or returns an invalid match counts as no match.
 * @param url a normalised address
 * @throws QuireError SSRF_BLOCKED when the address is not public or does not resolve
 */
export async function probeSite(
  { origin }: Pick<Context, 'origin'>,
  deps: ProbeDeps,
  url: string,
): Promise<ProbeResponse> {
  const { sources } = deps;
  await assertPublicAddress(sources.network, url);
  const found = await Promise.all(sources.probing.map((source) => probeSource(source, url, origin, deps)));
  const allMatches = found
    .filter((match) => match !== null)
    .sort((a, b) => confidences.indexOf(a.confidence) - confidences.indexOf(b.confidence));
  const [bestMatch = null] = allMatches;
  const isLegacy = allMatches.some(({ sourceId }) => legacySources.includes(sourceId));
  const suggestedAction = bestMatch?.suggestedAction ?? uploadAction;
  return {
    success: true,
    result: { url, isLegacy, isLegacyPlatform: isLegacy, bestMatch, allMatches, suggestedAction },
  };
}

async function probeSource(
  source: ImportSource,
  url: string,
  origin: string | null,
  { sources, logger, sourceTimeoutMs = defaultSourceTimeoutMs }: ProbeDeps,
): Promise<Match | null> {
  const controller = new AbortController();
  const { signal } = controller;
  const timer = setTimeout(
    () => controller.abort(new Error(`no answer in ${sourceTimeoutMs} ms`)),
    sourceTimeoutMs,
  );
  try {
    const context: ProbeContext = { fetch: withSignal(sources.network.probeFetch, signal), signal, origin };
    const match = await Promise.race([rejectionOf(signal), callProbe(source, url, context)]);
    return match === null ? null : matchSchema.parse({ ...match, sourceId: source.id });
  } catch (error) {
    logger.warn({ err: error, source: source.id }, 'an import source failed to probe a site');
    return null;
  } finally {
    clearTimeout(timer);
    // Stops requests that the source did not wait for.
    controller.abort();
  }
}

/** A probe that throws synchronously rejects. */
async function callProbe(
  source: ImportSource,
  url: string,
  context: ProbeContext,
): Promise<MatchInput | null> {
  return (await source.probe?.(url, context)) ?? null;
}

function rejectionOf(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
  });
}
