import { QuireError } from '@quire/errors';

const identityPath = '/cdn-cgi/access/get-identity';
/** Where the access team looks for the assertion. */
const assertionCookie = 'Edge_Authorization';
const timeoutMs = 5_000;

/** Names of groups as access teams write them, plain or in objects; undefined when nothing is said of groups. */
export function groupsOf(identity: unknown): Set<string> | undefined {
  const listed = (identity as { groups?: unknown } | null | undefined)?.groups;
  if (!Array.isArray(listed)) return undefined;
  const names = listed.map((group: unknown) =>
    typeof group === 'string' ? group : (group as { name?: unknown } | null)?.name,
  );
  return new Set(names.filter((name): name is string => typeof name === 'string'));
}

/**
 * Asks the access team for the groups of whom an assertion means; a team that knows nothing of them says none.
 * @param team its origin
 * @throws QuireError SERVICE_UNAVAILABLE
 */
export async function loadGroups(team: string, assertion: string): Promise<Set<string>> {
  try {
    const response = await fetch(new URL(identityPath, team), {
      headers: { accept: 'application/json', cookie: `${assertionCookie}=${assertion}` },
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    if (response.status === 404) {
      await response.body?.cancel();
      return new Set();
    }
    if (response.status !== 200) throw new Error(`The access team responded with ${response.status}`);
    return groupsOf(await response.json()) ?? new Set();
  } catch (error) {
    throw new QuireError(
      'SERVICE_UNAVAILABLE',
      'The groups of the access proxy are unavailable; retry later',
      {
        retryAfterSeconds: 5,
        cause: error,
      },
    );
  }
}
