import { z } from 'zod';
import type { ProbeContext } from '../source/import-source.js';
import { get, readJson, type LimitedFetch } from './read-json.js';

/** Time limits of the requests of a probe, in milliseconds. */
export interface ProbeTimeouts {
  rootMs: number;
  countMs: number;
}

export const defaultTimeouts: ProbeTimeouts = { rootMs: 10_000, countMs: 5_000 };

const rootSchema = z.object({
  name: z.string().optional().catch(undefined),
  home: z.string().optional().catch(undefined),
  url: z.string().optional().catch(undefined),
  namespaces: z.array(z.string()),
  // PHP writes an empty object as an array.
  authentication: z.record(z.string(), z.unknown()).catch({}),
});

/** The document at the root of a site's REST API. */
export interface SiteRoot extends z.output<typeof rootSchema> {
  headers: Headers;
  /** Address of a route such as "/wp/v2/posts", in the form of addresses by which the root was found. */
  addressOf: (route: string, query?: Record<string, string>) => string;
}

type AddressOf = SiteRoot['addressOf'];

/** `/wp-json/` needs rewritten addresses, which not every server has; the query parameter always works. */
const addressForms = (site: string): AddressOf[] => [
  (route, query) => withQuery(`${site}/wp-json${route}`, query),
  (route, query) => withQuery(`${site}/?rest_route=${route}`, query),
];

function withQuery(address: string, query: Record<string, string> = {}): string {
  const url = new URL(address);
  const before = url.search === '' ? '?' : `${url.search}&`;
  const parameters = new URLSearchParams(query).toString();
  return parameters === '' ? address : `${url.origin}${url.pathname}${before}${parameters}`;
}

/** Reads the root of a site's REST API; undefined when there is none. */
export async function readSiteRoot(
  site: string,
  { fetch }: ProbeContext,
  { rootMs }: ProbeTimeouts,
): Promise<SiteRoot | undefined> {
  for (const addressOf of addressForms(site)) {
    const document = await readJson({ fetch, timeoutMs: rootMs }, addressOf('/'));
    const parsed = rootSchema.safeParse(document?.value);
    if (document && parsed.success) return { ...parsed.data, headers: document.headers, addressOf };
  }
  return undefined;
}

const countedTypes = ['posts', 'pages', 'media'] as const;

/**
 * Reads the numbers of published posts, pages and media files from the headers of lists.
 * @param addressOf address of a list by the name of its type
 * @returns without the numbers that the site does not give; undefined without any
 */
export async function readCounts(
  access: LimitedFetch,
  addressOf: (type: string) => string,
): Promise<Partial<Record<(typeof countedTypes)[number], number>> | undefined> {
  const counts = await Promise.all(
    countedTypes.map(async (type) => [type, await readCount(access, addressOf(type))] as const),
  );
  const known = counts.filter(([, count]) => count !== undefined);
  return known.length === 0 ? undefined : Object.fromEntries(known);
}

async function readCount(access: LimitedFetch, address: string): Promise<number | undefined> {
  try {
    const { status, headers, body } = await get(access, address);
    await body?.cancel();
    const total = headers.get('x-wp-total')?.trim() ?? '';
    return status === 200 && /^\d{1,9}$/.test(total) ? Number(total) : undefined;
  } catch {
    return undefined;
  }
}
