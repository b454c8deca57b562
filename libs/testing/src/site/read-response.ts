import type { ApiResponse, Client } from './client.js';

/** Status and error code of an answer: what most refusals are held against. */
export function statusAndCode({ status, error }: ApiResponse): [number, string] {
  return [status, error.code];
}

/** The value of a cookie that an answer sets; undefined when it sets none of that name. */
export function cookieOf({ headers }: ApiResponse, name: string): string | undefined {
  return new RegExp(`(?:^|[ ,])${name}=([^;]*)`).exec(headers.get('set-cookie') ?? '')?.[1];
}

/** The places that a VALIDATION_ERROR names, in order. */
export function issuePaths({ error }: ApiResponse): string[] {
  return ((error.details?.['issues'] ?? []) as { path: string }[]).map(({ path }) => path);
}

export const idsOf = (items: readonly { id: string }[]): string[] => items.map(({ id }) => id);

/** A page of a list, as far as walking it needs to know. */
export interface Page<Item> {
  items: Item[];
  nextCursor?: string;
  total?: number;
}

/** Walks a list to its end. @param path without `cursor`; its own `limit` decides how many steps that takes. */
export async function walkPages<Item = { id: string }>(client: Client, path: string): Promise<Item[]> {
  const items: Item[] = [];
  let cursor: string | undefined;
  do {
    const next: string =
      cursor === undefined
        ? path
        : `${path}${path.includes('?') ? '&' : '?'}cursor=${encodeURIComponent(cursor)}`;
    const answer = await client.get(next);
    if (answer.status !== 200)
      throw new Error(`Listing a page failed: ${answer.status} ${JSON.stringify(answer.body)}`);
    const page = answer.data as Page<Item>;
    items.push(...page.items);
    cursor = page.nextCursor;
  } while (cursor !== undefined && items.length < 10_000);
  return items;
}
