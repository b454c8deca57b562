import type { ApiResponse, Client } from './client.js';

/** Status and error code of a response. */
export function statusAndCode({ status, error }: ApiResponse): [number, string] {
  return [status, error.code];
}

/** The value of a cookie that a response sets; undefined when it does not set it. */
export function cookieOf({ headers }: ApiResponse, name: string): string | undefined {
  return new RegExp(`(?:^|[ ,])${name}=([^;]*)`).exec(headers.get('set-cookie') ?? '')?.[1];
}

/** The paths of the issues of a VALIDATION_ERROR, in order. */
export function issuePaths({ error }: ApiResponse): string[] {
  return ((error.details?.['issues'] ?? []) as { path: string }[]).map(({ path }) => path);
}

export const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

/** A page of a list. */
export interface Page<Item> {
  items: Item[];
  nextCursor?: string;
  total?: number;
}

/** Reads all pages of a list. @param path without `cursor`; its `limit` determines the number of requests */
export async function walkPages<Item = { id: string }>(client: Client, path: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const next: string =
      cursor === undefined
        ? path
        : `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
    const response = await client.get(next);
    if (response.status !== 200)
      throw new Error(`Listing a page failed: ${response.status} ${JSON.stringify(response.body)}`);
    const page = response.data as Page<Item>;
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && items.length < 10_000);
  return items;
}
